"""The failing checks of a terminal report: each with the program that shows it, and why it is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.i18n import _, ngettext
from grader.render.text import SENTENCE, WIDTH, chop, columns, fold_code, padded, printable, wrap
from grader.report import Raises

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.render.text import Paint
    from grader.report import CheckReport, Counterexample, ExerciseReport, Report, Shown

__all__ = ["failing", "faults"]

EXERCISES_SHOWN = 3
"""How many failing exercises are opened; the others are named. A wall of faults helps nobody."""

CHECKS_SHOWN = 3
"""How many failing checks are opened where only one exercise fails."""

LINES_SHOWN = 10
"""How many lines of what was expected or printed are shown."""


def faults(report: Report, paint: Paint) -> Iterator[str]:
    """The first failing check of the first failing exercises, and the names of the others."""
    faulty = [(e, checks) for e in report.exercises if (checks := failing(e))]
    # A worked fact costs nothing: it comes after whatever costs points.
    faulty.sort(key=lambda pair: pair[1][0].max_score == 0)
    shown = CHECKS_SHOWN if len(faulty) == 1 else 1
    blocks = ["\n".join(_opened(e, checks, shown, paint)) for e, checks in faulty[:EXERCISES_SHOWN]]
    if names := ", ".join(e.id for e, _checks in faulty[EXERCISES_SHOWN:]):
        blocks.append("\n".join(wrap(_("Failing too: {names}.").format(names=names), WIDTH)))
    yield "\n\n".join(blocks)


def _opened(exercise: ExerciseReport, checks: list[CheckReport], shown: int, paint: Paint) -> Iterator[str]:
    """The first failing checks of an exercise, and how many more there are; the same hint is given once."""
    hint = None
    for number, check in enumerate(checks[:shown]):
        if number:
            yield ""
        yield from _fault(exercise, check, paint)
        if check.hint and check.hint != hint:
            yield from _paragraph(_("Hint:"), check.hint, paint)
        hint = check.hint
    if (more := len(checks) - shown) > 0:
        text = ngettext("{n} more check of this exercise fails.", "{n} more checks of this exercise fail.", more)
        yield f"  {paint('quiet', text.format(n=more))}"


def failing(exercise: ExerciseReport) -> list[CheckReport]:
    """The checks of an exercise that fail; those without points only where none with points does."""
    failed = [c for c in exercise.checks if c.outcome == "failed"]
    return [c for c in failed if c.max_score] or failed


def _fault(exercise: ExerciseReport, check: CheckReport, paint: Paint) -> Iterator[str]:
    points = ngettext("{n} point", "{n} points", check.max_score).format(n=check.max_score)
    cost = points if check.max_score else _("no points lost")
    first, *rest = wrap(f"{exercise.id} · {printable(check.title, SENTENCE)} · {cost}", WIDTH - 2)
    yield f"{paint('failed', '✗')} {paint('heading', first)}"
    yield from (f"  {paint('heading', line)}" for line in rest)
    yield ""
    if check.counterexample:
        yield from _counterexample(check.counterexample, paint)
        yield ""
    yield from _paragraph("", check.message, paint)
    if check.diagnosis:
        yield from _paragraph(_("This looks like:"), check.diagnosis.title, paint)


def _counterexample(example: Counterexample, paint: Paint) -> Iterator[str]:
    for statement in (*example.program.splitlines(), *example.expression.splitlines()):
        for line in fold_code(printable(statement, 2000), WIDTH - 6):
            yield f"      {paint('code', line)}"
    # A program that never came to an end was expected to give nothing in particular, and gave nothing.
    if not example.expression and example.expected == "":
        return
    yield ""
    labels = (_("expected"), _("got"))
    room = max(columns(label) for label in labels)
    for label, style, value in zip(labels, ("expected", "got"), (example.expected, example.got), strict=True):
        first, *rest = _shown(value, WIDTH - room - 4)
        yield f"  {padded(label, room)}  {paint(style, first)}"
        yield from (f"  {' ' * room}  {paint(style, line)}" if line else "" for line in rest)


def _shown(value: Shown, room: int) -> list[str]:
    """A value as lines; what a student printed keeps its own."""
    if isinstance(value, Raises):
        return wrap(_("{type} is raised").format(type=printable(value.raised, SENTENCE)), room)
    text = value if isinstance(value, str) and value else repr(value)
    lines = [piece for line in text.splitlines() for piece in chop(printable(line, SENTENCE), room)]
    return lines if len(lines) <= LINES_SHOWN else [*lines[:LINES_SHOWN], "…"]


def _paragraph(label: str, text: str, paint: Paint) -> Iterator[str]:
    """A text that may begin with a label, which stands out."""
    if text:
        first, *rest = wrap(f"{label} {printable(text, SENTENCE)}".lstrip(), WIDTH - 2)
        yield f"  {paint('hint', label)}{first.removeprefix(label)}"
        yield from (f"  {line}" for line in rest)
