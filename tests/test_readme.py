"""README shows what is really printed."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.support import ROOT


def test_the_report_on_top_is_a_real_one():
    """The first thing that a visitor sees is what the first command prints, to the letter."""
    found = subprocess.run(
        [sys.executable, "-m", "grader", "check", "checks/examples/first_try", "--min-score", "0"],
        cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": "utf-8", "MICROGRADE_LANG": "en"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert found.stdout.rstrip() in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_two_commands_stand_there():
    """`.ci/run` takes its two command lines from README; there are exactly two."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    commands = [line for line in lines if line.startswith("pip install ")]
    assert commands == [
        "pip install . && grade check checks/examples/first_try --min-score 0",
        "pip install '.[dev]' && python -m pytest",
    ]
