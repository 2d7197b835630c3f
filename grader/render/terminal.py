"""The report as a student reads it in a terminal, 80 columns wide.

From top to bottom: what was graded; one line an exercise; the points; what could not
be read; the first failing check of the first failing exercises, each with its program;
and, last, where the eye rests: the one command to run next.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from grader.i18n import _, ngettext
from grader.render.faults import failing, faults
from grader.render.text import SENTENCE, WIDTH, columns, padded, printable, shortened, styled, wrap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.render.text import Paint
    from grader.report import ExerciseReport, Report
    from grader.submission import Problem

__all__ = ["render"]

PROBLEMS_SHOWN = 4
"""How many problems are told: a notebook may have one in every cell."""

_TITLE = 16
"""Columns below which a cut title says nothing that the exercise's id does not say."""

_MARKS = {
    "passed": ("passed", "✓"),
    "failed": ("failed", "✗"),
    "blocked": ("waiting", "…"),
    "not-started": ("idle", "–"),
    "broken": ("broken", "!"),
}


def render(report: Report, *, color: bool, again: str = "grade check") -> str:
    """The report as text; escape codes for colours only if `color`. `again` grades the submission once more."""
    paint = partial(styled, color=color)
    sections = (_header, _exercises, _points, _problems, faults, partial(_next, again=again))
    texts = ("\n".join(section(report, paint)) for section in sections)
    return "\n\n".join(text for text in texts if text) + "\n"


def _header(report: Report, paint: Paint) -> Iterator[str]:
    parts = [printable(report.submission.name, 200), report.lesson]
    if report.seed is not None:
        parts.append(_("seed {n}").format(n=report.seed))
    rest = " · ".join(parts[1:])
    name = shortened(parts[0], WIDTH - columns(rest) - 3)
    yield f"{paint('heading', name)} · {rest}"


# ---------------------------------------------------------------- one line an exercise


def _exercises(report: Report, paint: Paint) -> Iterator[str]:
    names = max((columns(e.id) for e in report.exercises), default=0)
    scores = max((len(_score(e)) for e in report.exercises), default=0)
    lesson = ""
    for exercise in report.exercises:
        if exercise.lesson != lesson:
            if lesson:
                yield ""
            lesson = exercise.lesson
            yield _lesson_line(report, lesson, paint)
        style, mark = _MARKS[_standing(exercise)]
        tail = _tail(exercise, WIDTH - names - scores - 8, paint)
        yield f"  {paint(style, mark)} {_score(exercise):>{scores}}  {padded(exercise.id, names)}  {tail}"


def _lesson_line(report: Report, lesson: str, paint: Paint) -> str:
    own = [e for e in report.exercises if e.lesson == lesson]
    points = f"{sum(e.score for e in own)}/{sum(e.max_score for e in own)}"
    return f"{paint('heading', lesson)}  {paint('quiet', points)}"


def _score(exercise: ExerciseReport) -> str:
    return f"{exercise.score}/{exercise.max_score}"


def _standing(exercise: ExerciseReport) -> str:
    """The outcome that the mark shows: a partly right exercise stands as its gravest check does."""
    if exercise.outcome != "partial":
        return exercise.outcome
    seen = {c.outcome for c in exercise.checks if c.max_score}
    return next((o for o in ("broken", "failed", "blocked", "not-started") if o in seen), "failed")


def _tail(exercise: ExerciseReport, room: int, paint: Paint) -> str:
    """The title, and what became of the points that were not earned: with the reason for waiting if there is room."""
    long, short = (", ".join(_notes(exercise, reasons=reasons)) for reasons in (True, False))
    note = long if columns(f"{exercise.title} · {long}") <= room or "," not in long else short
    if not note:
        return shortened(exercise.title, room)
    left = room - columns(note) - 3
    if left < min(_TITLE, columns(exercise.title)):
        return paint("quiet", shortened(note, room))
    return f"{shortened(exercise.title, left)}{paint('quiet', f' · {note}')}"


def _notes(exercise: ExerciseReport, *, reasons: bool) -> Iterator[str]:
    points = {o: sum(c.max_score for c in exercise.checks if c.outcome == o) for o in _MARKS}
    if points["broken"]:
        yield _("{n} not judged").format(n=points["broken"])
    if points["failed"]:
        yield _("{n} lost").format(n=points["failed"])
    if points["blocked"]:
        yield _waiting(exercise, points["blocked"], reasons=reasons)
    if points["not-started"] == exercise.max_score:
        yield _("not started")
    elif points["not-started"]:
        yield _("{n} not started").format(n=points["not-started"])


def _waiting(exercise: ExerciseReport, points: int, *, reasons: bool) -> str:
    told = {printable(c.message, SENTENCE) for c in exercise.checks if c.outcome == "blocked" and c.max_score}
    if not reasons or len(told) != 1:
        return _("{n} waiting").format(n=points)
    return f"{told.pop()} ({ngettext('{n} point', '{n} points', points).format(n=points)})"


def _points(report: Report, paint: Paint) -> Iterator[str]:
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
    yield f"{paint('heading', total)}  {', '.join(heaps)}"


# ---------------------------------------------------------------- what could not be read


def _problems(report: Report, paint: Paint) -> Iterator[str]:
    for problem in report.problems[:PROBLEMS_SHOWN]:
        place = _place(problem)
        told = not place or problem.message.startswith(str(problem.file))
        text = problem.message if told else f"{place}: {problem.message}"
        lines = wrap(printable(text, SENTENCE), WIDTH - 2)
        yield f"{paint('broken', '!')} {lines[0]}"
        yield from (f"  {line}" for line in lines[1:])
        yield f"  {paint('quiet', _blame(problem))}"
    if (more := len(report.problems) - PROBLEMS_SHOWN) > 0:
        yield ngettext("! {n} more problem", "! {n} more problems", more).format(n=more)


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


# ---------------------------------------------------------------- what to do now


def _next(report: Report, paint: Paint, again: str) -> Iterator[str]:
    sentence, command = _advice(report)
    yield f"{sentence} {paint('command', command.replace('grade check', again))}"


def _advice(report: Report) -> tuple[str, str]:
    """What to do now, and the command for it."""
    if report.problem:
        return _after_problem(report.problem)
    if report.unjudged:
        return _("Try once more; if this stays, tell whoever runs the course:"), "grade check"
    faulty = [e for e in report.exercises if failing(e)]
    if faulty:
        worst = next((e for e in faulty if e.score < e.max_score), faulty[0])
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
    place = shortened(printable(_place(problem), SENTENCE), 40)
    return (_("Fix {place}, then:").format(place=place) if place else _("When that is fixed:")), "grade check"
