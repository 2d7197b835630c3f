"""A known mistake is named, an unknown one is not, and nobody is told of a mistake that is not theirs."""

from __future__ import annotations

import time

import msgspec
import pytest

from grader import bugs, diagnosis
from grader import corpus as corpora
from grader.audit import alternatives, mistaken
from grader.diagnosis import Answers, Catalogue, Known, explain
from grader.engine import Engine
from grader.fingerprint import VIEWS
from grader.fingerprint.numbers import rounded
from grader.grading import grade, replay
from grader.judge import ASPECTS
from grader.lesson import Words, load
from grader.submission import read
from grader.tally import RIGHT, SILENT
from tests.restyle import renamed, restyled, taken_apart
from tests.support import ROOT, reference_files, submission

LESSON = load()
MODELS = bugs.load(ROOT)
REFERENCE = read(ROOT / "reference")
KNOWN = diagnosis.shipped(LESSON)
SAME = {one: group for group in diagnosis.same(KNOWN) for one in group} if KNOWN else {}
UNSEEN = frozenset({"radd-missing", "rsub-missing", "rmul-missing", "rdiv-missing", "label-missing"})
"""Models that leave something unwritten: nothing is wrong, so there is nothing to name."""


def named(report):
    """The ids of the mistakes that a report names."""
    return {check.diagnosis.id for exercise in report.exercises for check in exercise.checks if check.diagnosis}


def answered(work):
    """What a submission answers under the public seed."""
    corpus = corpora.read(LESSON, 0)
    with Engine(work, LESSON.limits) as engine:
        return replay(engine, LESSON, corpus, [check.id for check in LESSON.checks]).answers


# ---------------------------------------------------------------- what ships


def test_the_public_seeds_answers_ship():
    """They are of the lesson as it stands, know every bug model, and are small: if not, record them anew."""
    assert KNOWN is not None
    assert [m.id for m in KNOWN.models] == [m.id for m in MODELS]
    assert len(diagnosis.encode(KNOWN)) <= 200_000


@pytest.mark.parametrize("model", MODELS[::12], ids=lambda m: m.id)
def test_what_ships_is_what_models_answer(model):
    """A model that is run answers as recorded: judging has not changed since. The audit compares them all."""
    recorded = next(known for known in KNOWN.models if known.id == model.id)
    assert answered(mistaken(REFERENCE, model)).wrong == recorded.wrong


# ---------------------------------------------------------------- whom it names


@pytest.mark.parametrize("model", MODELS[::8], ids=lambda m: m.id)
def test_a_model_is_named_as_itself(model):
    """Run as a student's work a model is named, or one that answers everything as it does, with its own hint."""
    report = grade(mistaken(REFERENCE, model), LESSON)
    assert named(report) <= {model.id, *SAME.get(model.id, ())}
    assert named(report) or model.id in SAME or model.id in UNSEEN
    hints = {c.hint for e in report.exercises for c in e.checks if c.diagnosis}
    assert hints <= {model.hint.en}


@pytest.mark.parametrize("style", [renamed, taken_apart])
def test_another_hand_makes_no_difference(style):
    """A mistake is recognised in code that is written differently, and never taken for another."""
    right = grade(restyled(REFERENCE, style), LESSON)
    assert right.score == right.max_score
    for model in [model for model in MODELS if model.id not in UNSEEN][3::15]:
        found = named(grade(restyled(mistaken(REFERENCE, model), style), LESSON))
        assert found
        assert found <= {model.id, *SAME.get(model.id, ())}


def test_right_engines_have_no_diagnosis():
    """Nothing is said of work that is right."""
    for work in [REFERENCE, *alternatives(ROOT)[::4]]:
        assert explain(answered(work), KNOWN) == {}


def test_the_report_speaks_its_language():
    """Title and hint come in the language of the report."""
    model = next(m for m in MODELS if m.id == "add-assigned")
    report = grade(mistaken(REFERENCE, model), LESSON, lang="ru")
    check = next(c for e in report.exercises for c in e.checks if c.diagnosis)
    assert (check.diagnosis.title, check.hint) == (model.title.ru, model.hint.ru)


def test_two_mistakes_are_both_named():
    """Mistakes that fail different checks are told apart."""
    one, other = (next(m for m in MODELS if m.id == i) for i in ("mul-upstream", "rsub-swapped"))
    report = grade(mistaken(mistaken(REFERENCE, one), other), LESSON)
    assert named(report) == {one.id, other.id}


def test_a_file_that_does_not_load_is_no_known_mistake():
    """Everything is missing then, as with the one model that stops loading, but for another reason."""
    texts = ("class Value:\n    x = \n", "import a_module_that_nobody_has\n", "x = 1 / 0\nclass Value:\n    pass\n")
    for text in texts:
        assert named(grade(submission(reference_files() | {"micrograd/engine.py": text}), LESSON)) == set()
    model = next(m for m in MODELS if m.id == "class-in-its-own-body")
    assert named(grade(mistaken(REFERENCE, model), LESSON)) == {model.id}


def test_an_unknown_mistake_stays_unnamed():
    """Where a model is left out of the catalogue, what it does is taken for another's in fewer than 1 of 10 cases."""
    named_wrongly = [model.id for model in KNOWN.models if explain(as_student(model), without(model))]
    assert len(named_wrongly) <= len(KNOWN.models) / 10, named_wrongly


def as_student(model):
    """A model's answers as a student's."""
    lengths = {check: len(row) for each in KNOWN.models for check, row in each.wrong.items()}
    right = {check: (RIGHT,) * length for check, length in lengths.items() if check not in model.wrong}
    return Answers(right, model.wrong)


def without(model):
    """The catalogue without a model and those that answer as it does."""
    gone = {model.id, *SAME.get(model.id, ())}
    return msgspec.structs.replace(KNOWN, models=tuple(m for m in KNOWN.models if m.id not in gone))


def test_it_costs_little():
    """Reading the recorded answers and matching takes at most 15 ms of a check."""
    worst = ("op-not-stored", "order-never-marked", "math-not-imported")
    models = [mistaken(REFERENCE, m) for m in MODELS if m.id in worst]
    for found in map(answered, models):
        spent = []
        for _ in range(5):
            begun = time.process_time()
            explain(found, diagnosis.read(LESSON, 0))
            spent.append(time.process_time() - begun)
        assert min(spent) <= 0.015


# ---------------------------------------------------------------- matching, with answers made by hand

HINTS = (Words("look here", "смотрите сюда"), Words("look there", "смотрите туда"))


def catalogue(*models):
    """A catalogue of (id, hint, {check: row})."""
    known = tuple(Known(i, Words(i, i), hint, wrong) for i, hint, wrong in models)
    return Catalogue("", 0, HINTS, known)


def said(wrong, known, **right):
    """Check → (id, hint) of what explains it."""
    found = explain(Answers({k.replace("_", "."): v for k, v in right.items()}, wrong), known)
    return {check: (e.id, HINTS.index(e.hint)) for check, e in found.items()}


def test_one_explanation_is_named():
    """All failing programs must be answered alike; one that could not speak says nothing."""
    known = catalogue(("one", 0, {"x.y.z": (0, 7, 8)}), ("other", 1, {"x.y.z": (0, 7, 9)}))
    assert said({"x.y.z": (0, 7, 8)}, known) == {"x.y.z": ("one", 0)}
    assert said({"x.y.z": (0, 7, 5)}, known) == {}
    assert said({"x.y.z": (7, 7, 8)}, known) == {}
    assert said({"x.y.z": (SILENT, 7, 9)}, known) == {"x.y.z": ("other", 1)}


def test_a_tie_gives_the_hint_that_is_shared():
    """Where several explain it, their hint is given if they have one, else nothing."""
    row = {"x.y.z": (0, 7)}
    assert said(row, catalogue(("one", 0, row), ("two", 0, row))) == {"x.y.z": ("", 0)}
    assert said(row, catalogue(("one", 0, row), ("two", 1, row))) == {}


def test_what_a_student_passes_speaks_against_a_model():
    """A model that fails a program which the student answered rightly explains nothing."""
    known = catalogue(("one", 0, {"x.y.z": (7,), "p.q.r": (0, 5)}))
    assert said({"x.y.z": (7,)}, known) == {"x.y.z": ("one", 0)}
    assert said({"x.y.z": (7,)}, known, p_q_r=(RIGHT, RIGHT)) == {}
    assert said({"x.y.z": (7,)}, known, p_q_r=(RIGHT, SILENT)) == {"x.y.z": ("one", 0)}


def test_mistakes_share_out_what_failed():
    """Each is named at its own checks; where two compete for one, or a third is unknown there, nothing is said."""
    one, two = ("one", 0, {"x.a.n": (7,), "x.a.s": (6,)}), ("two", 1, {"y.b.n": (5,)})
    failed = {"x.a.n": (7,), "x.a.s": (6,), "y.b.n": (5,)}
    ones = {"x.a.n": ("one", 0), "x.a.s": ("one", 0)}
    assert said(failed, catalogue(one, two)) == ones | {"y.b.n": ("two", 1)}
    assert said(failed | {"y.b.s": (9,)}, catalogue(one, two)) == ones
    rival = ("rival", 1, {"x.a.s": (6,), "y.b.n": (5,)})
    assert said(failed, catalogue(one, rival)) == {}


def test_after_an_unknown_constructor_nothing_is_said():
    """What fails after a wrong leaf may be its doing."""
    known = catalogue(("one", 0, {"x.a.n": (7,)}))
    assert said({"x.a.n": (7,), "value.leaf.numbers": (3,)}, known) == {}


def test_every_aspect_has_a_view():
    """What can be judged can be compared."""
    assert VIEWS.keys() == ASPECTS.keys()


def test_rounding_is_the_same_on_both_sides():
    """Numbers that differ by rounding are one number; those that people write down are not near a change-over."""
    for number in (1.0, 2.0, 0.1, 1 / 3, 16.0, 0.0078125, 1e-5, 123456.789, -2.5):
        assert rounded(number) == rounded(number * (1 + 1e-12)) == rounded(number * (1 - 1e-12))
        assert rounded(number) != rounded(number * 1.001)
    assert rounded(0) == rounded(-0.0) == rounded(1e-17) == 0
    assert rounded("~nan") == "~nan"
    assert rounded(10**400) == rounded(float("inf")) == "huge"
