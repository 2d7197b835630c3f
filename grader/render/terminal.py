"""The report as a student reads it in a terminal, 80 columns wide.

From top to bottom: what was graded; one line an exercise; the points; what could not
be read; the first failing check of the first failing exercises, each with its program;
and, last, where the eye rests: the one command to run next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.i18n import _, ngettext
from grader.render.text import chop, columns, fold_code, padded, paint, printable, shortened, wrap
from grader.report import Raises

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.report import CheckReport, Counterexample, ExerciseReport, Problem, Report, Shown

__all__ = ["render"]

WIDTH = 78
"""Columns in use: under 80, since some consoles break a line that fills the last column."""

EXERCISES_SHOWN = 3
"""How many failing exercises are opened; the others are named. A wall of faults helps nobody."""

CHECKS_SHOWN = 3
"""How many failing checks are opened where only one exercise fails."""

LINES_SHOWN = 10
"""How many lines of what was expected or printed are shown."""

_TITLE = 16
"""Columns below which a cut title says nothing that the exercise's id does not say."""

_TEXT = 600
"""The longest sentence shown whole, in characters."""

_MARKS = {
    "passed": ("passed", "✓"),
    "failed": ("failed", "✗"),
    "blocked": ("waiting", "…"),
    "not-started": ("idle", "–"),
    "broken": ("broken", "!"),
}


def render(report: Report, *, color: bool) -> str:
    """The report as text; escape codes for colours only if `color`."""
    sections = (_header, _exercises, _points, _problems, _faults, _next)
    texts = ("\n".join(section(report, color)) for section in sections)
    return "\n\n".join(text for text in texts if text) + "\n"


def _header(report: Report, color: bool) -> Iterator[str]:
    parts = [printable(report.submission.name, 200), report.lesson]
    if report.seed is not None:
        parts.append(_("seed {n}").format(n=report.seed))
    rest = " · ".join(parts[1:])
    name = shortened(parts[0], WIDTH - columns(rest) - 3)
    yield f"{paint('heading', name, color=color)} · {rest}"


# ---------------------------------------------------------------- one line an exercise


def _exercises(report: Report, color: bool) -> Iterator[str]:
    names = max((columns(e.id) for e in report.exercises), default=0)
    scores = max((len(_score(e)) for e in report.exercises), default=0)
    lesson = ""
    for exercise in report.exercises:
        if exercise.lesson != lesson:
            if lesson:
                yield ""
            lesson = exercise.lesson
            yield _lesson_line(report, lesson, color)
        style, mark = _MARKS[_standing(exercise)]
        tail = _tail(exercise, WIDTH - names - scores - 8, color)
        yield f"  {paint(style, mark, color=color)} {_score(exercise):>{scores}}  {padded(exercise.id, names)}  {tail}"


def _lesson_line(report: Report, lesson: str, color: bool) -> str:
    own = [e for e in report.exercises if e.lesson == lesson]
    points = f"{sum(e.score for e in own)}/{sum(e.max_score for e in own)}"
    return f"{paint('heading', lesson, color=color)}  {paint('quiet', points, color=color)}"


def _score(exercise: ExerciseReport) -> str:
    return f"{exercise.score}/{exercise.max_score}"


def _standing(exercise: ExerciseReport) -> str:
    """The outcome that the mark shows: a partly right exercise stands as its gravest check does."""
    if exercise.outcome != "partial":
        return exercise.outcome
    seen = {c.outcome for c in exercise.checks if c.max_score}
    return next((o for o in ("broken", "failed", "blocked", "not-started") if o in seen), "failed")


def _tail(exercise: ExerciseReport, room: int, color: bool) -> str:
    """The title, and what became of the points that were not earned: with the reason for waiting if there is room."""
    long, short = (", ".join(_notes(exercise, reasons=reasons)) for reasons in (True, False))
    note = long if columns(f"{exercise.title} · {long}") <= room or "," not in long else short
    if not note:
        return shortened(exercise.title, room)
    left = room - columns(note) - 3
    if left < min(_TITLE, columns(exercise.title)):
        return paint("quiet", shortened(note, room), color=color)
    return f"{shortened(exercise.title, left)}{paint('quiet', f' · {note}', color=color)}"


def _notes(exercise: ExerciseReport, *, reasons: bool) -> Iterator[str]:
    points = {o: sum(c.max_score for c in exercise.checks if c.outcome == o) for o in _MARKS}
    if points["broken"]:
        yield _("{n} not judged").format(n=points["broken"])
    if points["failed"]:
        yield _("{n} lost").format(n=points["failed"])
    if points["blocked"]:
        told = {printable(c.message, _TEXT) for c in exercise.checks if c.outcome == "blocked" and c.max_score}
        yield told.pop() if reasons and len(told) == 1 else _("{n} waiting").format(n=points["blocked"])
    if points["not-started"] == exercise.max_score:
        yield _("not started")
    elif points["not-started"]:
        yield _("{n} not started").format(n=points["not-started"])


def _points(report: Report, color: bool) -> Iterator[str]:
    heaps = [
        _("earned {n}").format(n=report.earned),
        _("lost {n}").format(n=report.lost),
        _("waiting {n}").format(n=report.waiting),
    ]
    if report.unstarted:
        heaps.append(_("not started {n}").format(n=report.unstarted))
    if report.unjudged:
        heaps.append(_("not judged {n}").format(n=report.unjudged))
    total = _("Score: {score}/{full}").format(score=report.score, full=report.max_score)
    yield f"{paint('heading', total, color=color)}  {', '.join(heaps)}"


# ---------------------------------------------------------------- what could not be read


def _problems(report: Report, color: bool) -> Iterator[str]:
    for problem in report.problems:
        place = _place(problem)
        text = f"{place}: {problem.message}" if place else problem.message
        lines = wrap(printable(text, _TEXT), WIDTH - 2)
        yield f"{paint('broken', '!', color=color)} {lines[0]}"
        yield from (f"  {line}" for line in lines[1:])
        yield f"  {paint('quiet', _blame(problem), color=color)}"


def _place(problem: Problem) -> str:
    if not problem.file:
        return ""
    return f"{problem.file}:{problem.line}" if problem.line else problem.file


def _blame(problem: Problem) -> str:
    if problem.blame == "student":
        return _("Cause: the submitted code.")
    if problem.blame == "environment":
        return _("Cause: this machine, not the submitted code.")
    return _("Cause: the grader, not the submitted code.")


# ---------------------------------------------------------------- what fails, and why


def _faults(report: Report, color: bool) -> Iterator[str]:
    faulty = [(e, checks) for e in report.exercises if (checks := _failing(e))]
    # A worked fact costs nothing: it comes after whatever costs points.
    faulty.sort(key=lambda pair: pair[1][0].max_score == 0)
    shown = CHECKS_SHOWN if len(faulty) == 1 else 1
    blocks = ["\n".join(_opened(e, checks, shown, color)) for e, checks in faulty[:EXERCISES_SHOWN]]
    if names := ", ".join(e.id for e, _checks in faulty[EXERCISES_SHOWN:]):
        blocks.append("\n".join(wrap(_("Failing too: {names}.").format(names=names), WIDTH)))
    yield from ("\n\n".join(blocks),) if blocks else ()


def _opened(exercise: ExerciseReport, checks: list[CheckReport], shown: int, color: bool) -> Iterator[str]:
    """The first failing checks of an exercise, and how many more there are; the same hint is given once."""
    hint = None
    for number, check in enumerate(checks[:shown]):
        if number:
            yield ""
        yield from _fault(exercise, check, color)
        if check.hint and check.hint != hint:
            yield from _paragraph(_("Hint:"), check.hint, "hint", color)
        hint = check.hint
    if (more := len(checks) - shown) > 0:
        text = ngettext("{n} more check of this exercise fails.", "{n} more checks of this exercise fail.", more)
        yield f"  {paint('quiet', text.format(n=more), color=color)}"


def _failing(exercise: ExerciseReport) -> list[CheckReport]:
    failing = [c for c in exercise.checks if c.outcome == "failed"]
    return [c for c in failing if c.max_score] or failing


def _fault(exercise: ExerciseReport, check: CheckReport, color: bool) -> Iterator[str]:
    points = ngettext("{n} point", "{n} points", check.max_score).format(n=check.max_score)
    cost = points if check.max_score else _("no points lost")
    first, *rest = wrap(f"{exercise.id} · {printable(check.title, _TEXT)} · {cost}", WIDTH - 2)
    yield f"{paint('failed', '✗', color=color)} {paint('heading', first, color=color)}"
    yield from (f"  {paint('heading', line, color=color)}" for line in rest)
    yield ""
    if check.counterexample:
        yield from _counterexample(check.counterexample, color)
        yield ""
    yield from _paragraph("", check.message, "", color)
    if check.diagnosis:
        yield from _paragraph(_("This looks like:"), check.diagnosis.title, "hint", color)


def _counterexample(example: Counterexample, color: bool) -> Iterator[str]:
    for statement in (*example.program.splitlines(), *example.expression.splitlines()):
        for line in fold_code(printable(statement, 2000), WIDTH - 6):
            yield f"      {paint('code', line, color=color)}"
    # A program that never came to an end was expected to give nothing in particular, and gave nothing.
    if not example.expression and example.expected == "":
        return
    yield ""
    labels = (_("expected"), _("got"))
    room = max(columns(label) for label in labels)
    for label, style, value in zip(labels, ("expected", "got"), (example.expected, example.got), strict=True):
        first, *rest = _shown(value, WIDTH - room - 4)
        yield f"  {padded(label, room)}  {paint(style, first, color=color)}"
        yield from (f"  {' ' * room}  {paint(style, line, color=color)}" for line in rest)


def _shown(value: Shown, room: int) -> list[str]:
    """A value as lines; what a student printed keeps its own."""
    if isinstance(value, Raises):
        return wrap(_("{type} is raised").format(type=printable(value.raised, _TEXT)), room)
    text = value if isinstance(value, str) and value else repr(value)
    lines = [piece for line in text.splitlines() for piece in chop(printable(line, _TEXT), room)]
    return lines if len(lines) <= LINES_SHOWN else [*lines[:LINES_SHOWN], "…"]


def _paragraph(label: str, text: str, style: str, color: bool) -> Iterator[str]:
    if not text:
        return
    for number, line in enumerate(wrap(f"{label} {printable(text, _TEXT)}", WIDTH - 2)):
        styled = line
        if style and number == 0:
            styled = paint(style, label, color=color) + line.removeprefix(label)
        yield f"  {styled}"


# ---------------------------------------------------------------- what to do now


def _next(report: Report, color: bool) -> Iterator[str]:
    sentence, command = _advice(report)
    yield f"{sentence} {paint('command', command, color=color)}"


def _advice(report: Report) -> tuple[str, str]:
    """What to do now, and the command for it."""
    if report.problem:
        return _after_problem(report.problem)
    if report.unjudged:
        return _("Try once more; if this stays, tell whoever runs the course:"), "grade check"
    failing = [e for e in report.exercises if _failing(e)]
    if failing:
        worst = next((e for e in failing if e.score < e.max_score), failing[0])
        return _("Next:"), f"grade hint {worst.id}"
    unstarted = (e for e in report.exercises if any(c.outcome == "not-started" for c in e.checks))
    if first := next(unstarted, None):
        return _("Next, begin {name}:").format(name=first.id), f"grade hint {first.id}"
    if report.waiting:
        return _("To see what these wait for:"), "grade check"
    return _("Everything asked is right. To try other programs:"), "grade check --explore"


def _after_problem(problem: Problem) -> tuple[str, str]:
    if problem.blame == "grader":
        return _("Try once more; if this stays, tell whoever runs the course:"), "grade check"
    if problem.blame == "environment":
        return _("When that is put right:"), "grade check"
    place = shortened(printable(_place(problem), _TEXT), 40)
    return (_("Mend {place}, then:").format(place=place) if place else _("When that is mended:")), "grade check"
