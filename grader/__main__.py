"""`python -m grader`: the same as the command `grade`."""

from __future__ import annotations

from grader.cli import main

if __name__ == "__main__":
    main(prog_name="grade")
