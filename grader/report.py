"""The report: everything that a grading found, as one frozen value.

`Report` is `report.json`, version 1: its fields, in this order, are the file's
keys. It holds no time and no machine path, so the same seed and the same submission
give the same bytes. Every renderer in `grader.render` is a function of it alone.

Points are whole, and each belongs to exactly one of five heaps::

    earned + lost + waiting + unstarted + unjudged == max_score
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, Self

import msgspec

from grader.submission import Problem
from grader.verdict import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

ExerciseOutcome = Literal["passed", "partial", "failed", "blocked", "not-started", "broken"]

_EXACT_IN_JSON = 2**53
"""Whole numbers beyond it lose digits in a reader that keeps numbers as doubles."""


class Raises(msgspec.Struct, frozen=True):
    """An exception, where a value was expected or got."""

    raised: str
    """The exception's type name: 'TypeError'."""


Shown = float | int | str | Raises
"""A number; the text of anything else, as a person is to read it; or an exception."""


class Counterexample(msgspec.Struct, frozen=True):
    """The smallest program seen that shows a fault.

    JSON has no NaN and no infinity, and readers round huge whole numbers: these become text.
    """

    program: str
    """Python, one statement a line, pasteable beside the student's engine."""
    expression: str
    """What was looked at when the program had run, `a.grad`; '' where the program itself fails."""
    expected: Shown
    """What arithmetic says."""
    got: Shown
    """What the submission answered."""

    def __post_init__(self) -> None:
        for field in ("expected", "got"):
            msgspec.structs.force_setattr(self, field, _for_json(getattr(self, field)))


class Diagnosis(msgspec.Struct, frozen=True):
    """The one known mistake that explains everything seen."""

    id: str
    """The bug model's id."""
    title: str
    """It, in one phrase of the report's language."""


class CheckReport(msgspec.Struct, frozen=True):
    """One check's verdict."""

    id: str
    """`EXERCISE.operation.aspect`."""
    title: str
    """What is checked, in the report's language."""
    outcome: Outcome
    """Only 'passed' earns points; only 'failed' is held against the student."""
    score: int
    """Points earned: `max_score` or 0."""
    max_score: int
    """Points on offer; 0 for a worked fact."""
    message: str
    """One sentence that says why; '' where there is nothing to say."""
    counterexample: Counterexample | None = None
    """The program that shows it, if one does."""
    hint: str | None = None
    """Where to look, if the lesson knows."""
    diagnosis: Diagnosis | None = None
    """The mistake behind it, if exactly one explains it."""


class ExerciseReport(msgspec.Struct, frozen=True):
    """One exercise: its checks, and their sum."""

    id: str
    """The word used on the command line."""
    lesson: str
    """The lesson it belongs to."""
    title: str
    """Its name, in the report's language."""
    score: int
    """Points earned."""
    max_score: int
    """Points on offer."""
    outcome: ExerciseOutcome
    """'passed' if full, 'partial' if some points are earned, else the gravest of its checks'."""
    checks: tuple[CheckReport, ...]
    """In the lesson's order."""

    @classmethod
    def of(cls, ident: str, lesson: str, title: str, checks: Iterable[CheckReport]) -> Self:
        """The exercise whose checks ended so: adds up the points and names the outcome."""
        listed = tuple(checks)
        score, full = sum(c.score for c in listed), sum(c.max_score for c in listed)
        return cls(ident, lesson, title, score, full, _exercise_outcome(listed, score, full), listed)


class Submitted(msgspec.Struct, frozen=True):
    """Which submission was graded."""

    name: str
    """The name of its folder or file, without the way to it; printable."""
    digest: str
    """`sha256:…` over what was graded."""


class Report(msgspec.Struct, frozen=True, tag_field="schema", tag="micrograde/report/v1"):
    """What `grade(submission, lesson)` answers."""

    lesson: str
    """The lesson's name."""
    seed: int | None
    """The seed of the drawn programs; None where it is secret."""
    sandbox: str
    """The rung that the worker ran on: 'portable', 'strict', 'none'."""
    submission: Submitted
    score: int
    """Points earned in the selected exercises."""
    max_score: int
    """Points on offer in them."""
    waiting: int
    """Points of checks that could not be judged yet, since what they rest on is wrong."""
    problem: Problem | None
    """The first of `problems`."""
    problems: tuple[Problem, ...]
    """Whatever kept a file, or all, from being graded, and whose doing that is."""
    exercises: tuple[ExerciseReport, ...]
    """The selected ones, in the lesson's order."""

    @classmethod
    def of(
        cls,
        *,
        lesson: str,
        seed: int | None,
        sandbox: str,
        submission: Submitted,
        problems: Iterable[Problem],
        exercises: Iterable[ExerciseReport],
    ) -> Self:
        """The report on these exercises: adds up the points."""
        troubles, listed = tuple(problems), tuple(exercises)
        return cls(
            lesson=lesson,
            seed=seed,
            sandbox=sandbox,
            submission=submission,
            score=sum(e.score for e in listed),
            max_score=sum(e.max_score for e in listed),
            waiting=sum(c.max_score for e in listed for c in e.checks if c.outcome == "blocked"),
            problem=troubles[0] if troubles else None,
            problems=troubles,
            exercises=listed,
        )

    @property
    def earned(self) -> int:
        """Points earned: `score` by its other name."""
        return self.score

    @property
    def lost(self) -> int:
        """Points of failed checks."""
        return self._points("failed")

    @property
    def unstarted(self) -> int:
        """Points of checks whose code is not written yet."""
        return self._points("not-started")

    @property
    def unjudged(self) -> int:
        """Points of checks that the grader or the machine failed to judge."""
        return self._points("broken")

    @property
    def faulted(self) -> bool:
        """Whether something other than the student's code went wrong, so that the score may not be final."""
        return any(p.blame != "student" for p in self.problems) or any(
            c.outcome == "broken" for e in self.exercises for c in e.checks
        )

    def without_hints(self) -> Report:
        """The same report with every hint left out."""
        exercises = (
            msgspec.structs.replace(e, checks=tuple(msgspec.structs.replace(c, hint=None) for c in e.checks))
            for e in self.exercises
        )
        return msgspec.structs.replace(self, exercises=tuple(exercises))

    def _points(self, outcome: Outcome) -> int:
        return sum(c.max_score for e in self.exercises for c in e.checks if c.outcome == outcome)


def encode(report: Report) -> str:
    """The text of `report.json`: indented by two, ending with a newline."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2).decode() + "\n"


def decode(text: str | bytes) -> Report:
    """The report that `encode` wrote. Raises `msgspec.ValidationError` for any other shape."""
    return msgspec.json.decode(text, type=Report)


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of `report.json`."""
    return msgspec.json.schema(Report)


def _exercise_outcome(checks: tuple[CheckReport, ...], score: int, full: int) -> ExerciseOutcome:
    if score == full:
        return "passed"
    if score:
        return "partial"
    # A worked fact has no points, so it cannot say how the exercise stands.
    seen = {c.outcome for c in checks if c.max_score}
    order: tuple[ExerciseOutcome, ...] = ("broken", "failed", "blocked", "not-started")
    return next(outcome for outcome in order if outcome in seen)


def _for_json(value: Shown) -> Shown:
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    if isinstance(value, int) and abs(value) > _EXACT_IN_JSON:
        return repr(value)
    return value
