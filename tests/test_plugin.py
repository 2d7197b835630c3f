"""The pytest plugin: inert without a submission, and with one as good as `grade check`."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from grader import bugs
from grader.grading import grade
from grader.lesson import load
from grader.submission import read
from tests.support import ROOT, reference_files

LESSON = load()
MODELS = {model.id: model for model in bugs.load(ROOT)}


def pytest_run(*options, cwd=ROOT, **environment):
    """A run of pytest as a user starts it; what it printed, and its exit code."""
    found = subprocess.run(
        [sys.executable, "-m", "pytest", str(ROOT / "checks"), *options],
        cwd=cwd,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    return found.stdout + found.stderr, found.returncode


def written(folder, files):
    """The files of a submission in a folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def bug(folder, name):
    """A bug model as a submission on disk."""
    return written(folder / name, bugs.apply(MODELS[name], reference_files()))


def test_plugin_is_inert_elsewhere(tmp_path):
    """A run without `--submission` loads nothing of ours but the hooks, and adds nothing to its output."""
    (tmp_path / "test_other.py").write_text(
        "import sys\ndef test_other():\n    loaded = [m for m in sys.modules if m.startswith('grader')]\n"
        "    assert loaded in (['grader', 'grader.plugin'], ['grader.plugin', 'grader']), loaded\n"
    )
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stdout
    assert "Score" not in found.stdout


def test_checks_without_a_submission_say_what_to_do():
    """`pytest checks` alone ends with the option that it lacks."""
    output, code = pytest_run("-q", "-x")
    assert code == 4
    assert "--submission PATH" in output


def test_scored_summary(tmp_path):
    """A run with a submission ends with the same report as `grade check`, and fails where points are lost."""
    output, code = pytest_run("-q", "--submission", str(bug(tmp_path, "prev-list")))
    assert code == 1
    assert "Score:" in output


def test_selection_seed_and_xdist(tmp_path):
    """`-k`, Hypothesis's seed, xdist and a missing cache plugin all work; a selected exercise is scored alone."""
    folder = bug(tmp_path, next(i for i, m in MODELS.items() if m.fails == "derived"))
    output, code = pytest_run(
        "-q",
        "--submission",
        str(folder),
        "-k",
        "derived",
        "-n",
        "2",
        "-p",
        "no:cacheprovider",
        "--hypothesis-seed",
        "7",
    )
    assert code == 1, output
    assert "/8" in output
    assert "seed 7" in output


def test_nothing_of_the_submission_is_loaded_by_pytest(tmp_path):
    """A conftest, an ini file or a module of the submission changes nothing, not even from the working directory."""
    folder = written(tmp_path / "work", reference_files())
    (folder / "conftest.py").write_text("raise SystemExit('conftest of the submission')\n")
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n")
    (folder / "random.py").write_text("raise SystemExit('module of the submission')\n")
    output = subprocess.run(
        [sys.executable, "-P", "-m", "grader", "check", ".", "value", "--explore", "--seed", "3"],
        cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert output.returncode == 0, output.stdout + output.stderr
    assert "4/4" in output.stdout


@pytest.mark.parametrize("exercise", [e.id for e in LESSON.exercises])
def test_live_and_replay_agree(tmp_path, exercise):
    """With one seed a live run and a replay come to the same outcome for every check, with `CI` set too."""
    name = min(i for i, m in MODELS.items() if m.fails == exercise)
    folder, target = bug(tmp_path, name), tmp_path / "report.json"
    replayed = grade(read(folder), LESSON)
    pytest_run("-q", "--submission", str(folder), "--report-json", str(target), "--hypothesis-seed", "0", CI="1")
    live = json.loads(target.read_text(encoding="utf-8"))
    outcomes = {c["id"]: c["outcome"] for e in live["exercises"] for c in e["checks"]}
    assert outcomes == {c.id: c.outcome for e in replayed.exercises for c in e.checks}
