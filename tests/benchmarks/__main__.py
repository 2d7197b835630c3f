"""Measures whole processes in turn, A B A B …, so that a ratio holds though the machine's speed drifts.

Prints medians; the aims stand beside them. Nothing here fails: a slow machine is not a fault.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from grader import corpus as corpora
from grader.engine import Engine
from grader.lesson import load
from grader.submission import read
from tests.support import ROOT

ROUNDS = 7
TRIVIAL = """
from hypothesis import given, settings, strategies as st

@settings(database=None)
@given(st.integers())
def test_trivial(x):
    assert x == x
"""


def seconds(command: list[str], environment: dict[str, str]) -> float:
    """Wall seconds of one process."""
    begun = time.perf_counter()
    subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
    )
    return time.perf_counter() - begun


def ratios(command: list[str], other: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """The median seconds of a command, and the median ratio to the other, pair by pair; the first pair warms up."""
    pairs = [(seconds(command, environment), seconds(other, environment)) for _ in range(ROUNDS + 1)][1:]
    return statistics.median(a for a, _ in pairs), statistics.median(a / b for a, b in pairs)


def processes(folder: Path) -> None:
    """The command line and pytest, each as a process, against pytest on one trivial property of 100 examples."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["XDG_CACHE_HOME"] = str(folder / "cache")
    (folder / "test_trivial.py").write_text(TRIVIAL)
    python = [sys.executable, "-m"]
    trivial = [*python, "pytest", "-q", "-p", "no:cacheprovider", str(folder / "test_trivial.py")]
    reference, wrong = str(ROOT / "reference"), str(ROOT / "checks" / "examples" / "first_try")
    live = [*python, "pytest", str(ROOT / "checks"), "-q", "--submission", reference]
    rows = [
        ("grade check, right", [*python, "grader", "check", reference], 0.45),
        ("grade check, wrong", [*python, "grader", "check", wrong], 0.45),
        ("grade --help", [*python, "grader", "--help"], None),
        ("pytest checks --submission", live, 6.0),
    ]
    print(f"{'whole process':32} {'median':>9} {'ratio to trivial pytest':>24}  aim")
    for name, command, aim in rows:
        median, ratio = ratios(command, trivial, environment)
        print(f"{name:32} {median:8.3f}s {ratio:24.2f}  {f'<= {aim}' if aim else ''}")


def recording() -> None:
    """The first recording of another seed."""
    from grader.runs import record

    lesson = load()
    times = []
    for seed in range(101, 104):
        begun = time.perf_counter()
        record(lesson, seed)
        times.append(time.perf_counter() - begun)
    print(f"{'recording another seed':32} {statistics.median(times):8.3f}s {'':24}  <= 2.5 s")


def replaying() -> None:
    """What the corpus costs a textbook engine, and what the conversation adds."""
    lesson = load()
    corpus = corpora.read(lesson, corpora.PUBLIC_SEED)
    assert corpus is not None
    with Engine(read(ROOT / "reference"), lesson.limits) as engine:
        engine.load()
        engine.ask(corpus.programs)
        process = engine._process
        assert process is not None
        used, begun = process.cpu() or 0.0, time.perf_counter()
        for _ in range(20):
            engine.ask(corpus.programs)
        wall, cpu = (time.perf_counter() - begun) / 20, ((process.cpu() or 0.0) - used) / 20
    print(f"{'corpus, worker CPU':32} {1e3 * cpu:7.1f}ms  run, observed and sent: {len(corpus.programs)} programs")
    print(f"{'corpus, wall':32} {1e3 * wall:7.1f}ms")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        processes(Path(scratch))
    recording()
    replaying()
