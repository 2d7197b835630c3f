"""What an audit finds amiss, a sentence each, which says what to correct."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from grader import diagnosis
from grader.bugs import BugModel
from grader.corpus import Corpus
from grader.diagnosis import Answers, Catalogue
from grader.i18n import _
from grader.lesson import Lesson
from grader.report import CheckReport, Report

if TYPE_CHECKING:
    from grader.audit import BugResult

LOST = frozenset({"failed", "not-started", "broken"})
"""Outcomes that cost points by a fault of the check's own exercise; what is blocked only waits."""


def checks(report: Report) -> Iterator[CheckReport]:
    """All checks of a report."""
    return (check for exercise in report.exercises for check in exercise.checks)


def unasked(lesson: Lesson, corpus: Corpus) -> Iterator[str]:
    """Checks that ask no program."""
    for check in lesson.checks:
        if not corpus.asks.get(check.id):
            yield _("{check} asks nothing: give it programs in checks/").format(check=check.id)


def not_full(who: str, report: Report) -> Iterator[str]:
    """What a right engine loses, and what was no fault of its own."""
    lost = [f"{check.id} ({check.outcome})" for check in checks(report) if check.outcome != "passed"]
    if lost:
        text = _("{who} keeps {score} of {full}, and does not pass {checks}")
        yield text.format(who=who, score=report.score, full=report.max_score, checks=", ".join(lost))
    for problem in report.problems:
        if problem.blame != "student":
            yield f"{who}: {problem.message}"


def not_empty(report: Report) -> Iterator[str]:
    """Checks with points that the template passes."""
    for check in checks(report):
        if check.outcome == "passed" and check.max_score:
            yield _("the template passes {check}").format(check=check.id)


def wrongly_lost(model: BugModel, result: BugResult, report: Report) -> Iterator[str]:
    """What a bug model loses or keeps against its word."""
    for exercise in result.expected:
        if exercise not in result.lost:
            text = _("the bug model {model} should lose {exercise}, but keeps it")
            yield text.format(model=model.id, exercise=exercise)
    for exercise in result.lost:
        if exercise not in result.expected:
            failed = ", ".join(c.id for c in checks(report) if c.id.startswith(f"{exercise}.") and c.outcome in LOST)
            text = _("the bug model {model} should keep {exercise}, but fails {checks}")
            yield text.format(model=model.id, exercise=exercise, checks=failed)
    for check in checks(report):
        if check.outcome == "broken":
            yield _("the bug model {model} breaks {check}").format(model=model.id, check=check.id)
    unknown = {model.fails, *model.also} - {e.id for e in report.exercises}
    for exercise in sorted(unknown):
        text = _("the bug model {model} names {exercise}, which is no exercise")
        yield text.format(model=model.id, exercise=exercise)


def idle(lesson: Lesson, results: Sequence[BugResult]) -> Iterator[str]:
    """Checks worth points that catch no bug model: nothing shows that they would notice a mistake."""
    caught = {check for result in results for check in result.caught_by}
    for check in lesson.checks:
        if check.points and check.id not in caught:
            text = _("{check} catches no bug model: add one that it should catch to reference/bugs.toml")
            yield text.format(check=check.id)


def misnamed(known: Catalogue, answered: Mapping[str, Answers]) -> Iterator[str]:
    """Bug models that are taken for another one that can be told from them."""
    alike = {one: group for group in diagnosis.same(known) for one in group}
    for model, answers in answered.items():
        named = {explanation.id for explanation in diagnosis.explain(answers, known).values()} - {""}
        for other in sorted(named - {model, *alike.get(model, ())}):
            yield _("the bug model {model} is taken for {other}").format(model=model, other=other)


def stale(lesson: Lesson, known: Catalogue) -> Iterator[str]:
    """Whether the answers that ship are those that the bug models give now."""
    shipped = diagnosis.shipped(lesson)
    if shipped is not None and shipped.seed == known.seed and shipped != known:
        yield _("what the bug models answer is not what was recorded: record it anew with `python -m grader.runs`")
