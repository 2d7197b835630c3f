"""Every speed claim of the project, measured as ratios within one run: `python -m tests.benchmarks`."""
