"""Fair: right engines keep every point, wrong ones lose what they get wrong and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader import bugs
from grader import corpus as corpora
from grader.grading import grade, record
from grader.lesson import load
from grader.report import encode
from grader.submission import read
from tests.support import ROOT, reference_files, submission, with_edit

LESSON = load()
MODELS = bugs.load(ROOT)
ALTERNATIVES = sorted(p for p in (ROOT / "checks" / "alternatives").iterdir() if p.name[0] not in "._")
SEEDS = range(10)


@pytest.fixture(scope="module", autouse=True)
def _cache(tmp_path_factory):
    """Seeds are recorded into a cache of the test's own."""
    patch = pytest.MonkeyPatch()
    patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    yield
    patch.undo()


def lost(report):
    """The exercises that lost points to a fault (or were not begun), not those that wait."""
    return {
        e.id
        for e in report.exercises
        for c in e.checks
        if c.max_score and c.outcome in ("failed", "not-started", "broken")
    }


def test_reference_keeps_every_point():
    """The model answer is full, and says nothing."""
    report = grade(submission(reference_files()), LESSON)
    assert (report.score, report.max_score, report.waiting) == (80, 80, 0)
    assert all(c.outcome == "passed" for e in report.exercises for c in e.checks)
    assert report.problems == ()


def test_template_has_no_point():
    """What is handed out earns nothing: every exercise is not started, or waits for one that is not."""
    report = grade(read(ROOT / "student_template"), LESSON)
    assert report.score == 0
    assert {e.outcome for e in report.exercises} <= {"not-started", "blocked"}
    assert report.problems == ()


@pytest.mark.parametrize("model", MODELS, ids=lambda m: m.id)
def test_bug_loses_its_exercise_and_no_other(model):
    """A wrong engine loses the exercise that it gets wrong; what waits for it is blocked, not at fault."""
    report = grade(submission(bugs.apply(model, reference_files())), LESSON)
    assert lost(report) == {model.fails, *model.also}
    assert report.score < 80


@pytest.mark.parametrize("seed", SEEDS)
def test_right_engines_keep_every_point(seed):
    """However a right engine is written, and whatever the seed draws, it is full."""
    corpora.read(LESSON, seed) or record(LESSON, seed)
    scores = {path.name: grade(read(path), LESSON, seed=seed) for path in ALTERNATIVES}
    assert len(scores) >= 25
    assert {
        name: [c.id for e in r.exercises for c in e.checks if c.outcome != "passed"]
        for name, r in scores.items()
        if lost(r)
    } == {}
    assert {r.score for r in scores.values()} == {80}


def test_engine_faults_do_not_reach_functions():
    """my-tanh, graph and draw are full however wrong the engine is: they are asked again on a right one."""
    for model in MODELS:
        if model.fails in ("my-tanh", "graph", "draw", "slope"):
            continue
        report = grade(submission(bugs.apply(model, reference_files())), LESSON, names=("my-tanh", "graph", "draw"))
        whole = {c.id: c.outcome for e in report.exercises for c in e.checks if c.id != "draw.label.numbers"}
        assert set(whole.values()) == {"passed"}, (model.id, whole)


def test_same_seed_same_bytes(tmp_path):
    """A report depends on the submission and the seed alone, not on the folder or the process."""
    files = bugs.apply(next(m for m in MODELS if m.fails == "backward"), reference_files())
    texts = set()
    for place in ("one", "two/deeper"):
        folder = tmp_path / place / "work"
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        texts |= {encode(grade(read(folder), LESSON)) for _ in range(3)}
    assert len(texts) == 1


def test_forward_student_has_forty():
    """Who has done the forward lesson and nothing else has 40 of 80, and 40 of 40 in `forward`."""
    import re

    files = reference_files()
    engine = re.sub(r"(?m)^( +)(\S.*\.grad \+= .*)$", r"\1pass", files["micrograd/engine.py"])
    engine = engine.replace("def backward(self)", "def run_backward(self)").replace(
        "def tanh(self)", "def tanh_later(self)"
    )
    files["micrograd/engine.py"] = engine
    files["micrograd/functions.py"] = files["micrograd/functions.py"].replace("def slope(", "def slope_later(")
    graph = (
        files["micrograd/graph.py"]
        .replace("def trace(", "def trace_later(")
        .replace("def draw_dot(", "def draw_later(")
    )
    files["micrograd/graph.py"] = graph
    report = grade(submission(files), LESSON)
    gradients = {e.id: e.outcome for e in report.exercises if e.lesson == "gradients"}
    assert sum(e.score for e in report.exercises if e.lesson == "forward") == 40
    assert gradients["local-gradients"] == "not-started"
    assert set(gradients.values()) <= {"not-started", "blocked", "partial"}


def test_only_what_is_selected_is_scored():
    """`grade check . add-mul` scores add-mul alone, though what it stands on is run."""
    report = grade(submission(reference_files()), LESSON, names=("derived",))
    assert [(e.id, e.score) for e in report.exercises] == [("derived", 8)]
    wrong = grade(submission(with_edit("self.data * other.data", "self.data + other.data")), LESSON, names=("derived",))
    assert {c.outcome for e in wrong.exercises for c in e.checks} <= {"passed", "blocked"}


def test_single_file_and_notebook(tmp_path):
    """One file that holds everything is graded like a folder."""
    parts = [
        text.replace("from micrograd.engine import Value", "").replace("from .engine import Value", "")
        for text in reference_files().values()
    ]
    body = "\n".join(line for part in parts for line in part.split("\n") if "from __future__" not in line)
    (tmp_path / "all.py").write_text("from __future__ import annotations\n" + body, encoding="utf-8")
    assert grade(read(tmp_path / "all.py"), LESSON).score == 80


def test_report_names_a_path_nowhere(tmp_path):
    """JSON holds no machine path and no time."""
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "engine.py").write_text("raise RuntimeError(__file__)\n", encoding="utf-8")
    assert str(Path(tmp_path)) not in encode(grade(read(folder), LESSON))
