"""From verdicts to a report: points, words in the student's language, what waits for what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.diagnosis import Explanation
from grader.i18n import _
from grader.lesson import Check, Exercise, Lesson
from grader.programs import to_python
from grader.report import CheckReport, Counterexample, Diagnosis, ExerciseReport, Raises, Report, Submitted
from grader.submission import Problem, Submission
from grader.verdict import Shown, Verdict, sentence

SHORT = {"neg": "`-a`", "sum": "`sum()`", "relu": "`relu()`", "exp": "`exp()`", "tanh": "`tanh()`"} | {
    f"r{sign}": f"`2 {sign} a`" for sign in "+*-/"
}
"""How the keys of `[operations]` are written for a student, where not as they are."""


def build(
    submission: Submission,
    lesson: Lesson,
    verdicts: Mapping[str, Verdict],
    problems: Sequence[Problem],
    *,
    seed: int | None,
    lang: str,
    sandbox: str = "none",
    explained: Mapping[str, Explanation] | None = None,
) -> Report:
    """The report on every exercise of which a check has a verdict; checks without one are left out.

    `explained`: the failed checks that a known mistake explains.
    """
    known = explained or {}
    exercises = []
    for exercise in lesson.exercises:
        judged = [check for check in exercise.checks if check.id in verdicts]
        if judged:
            why = {check.id: known.get(check.id) or known.get(check.follows) for check in judged}
            reports = [check_report(lesson, exercise, c, verdicts[c.id], lang, why[c.id]) for c in judged]
            exercises.append(ExerciseReport.of(exercise.id, exercise.lesson, exercise.title.say(lang), reports))
    return Report.of(
        lesson=lesson.name,
        seed=seed,
        sandbox=sandbox,
        submission=Submitted(submission.name, submission.digest),
        problems=problems,
        exercises=exercises,
    )


def check_report(
    lesson: Lesson,
    exercise: Exercise,
    check: Check,
    verdict: Verdict,
    lang: str,
    explanation: Explanation | None = None,
) -> CheckReport:
    """One verdict in words. Points are earned by passing, and by nothing else.

    The hint of the mistake that explains the failure stands in for the exercise's.
    """
    failed = verdict.outcome == "failed"
    lost = verdict.fault is not None and verdict.fault.clause == "missing-file"
    hint = explanation.hint if explanation else exercise.hints[0] if exercise.hints else None
    title = explanation.title if explanation else None
    return CheckReport(
        id=check.id,
        title=check.title.say(lang),
        outcome=verdict.outcome,
        score=check.points if verdict.outcome == "passed" else 0,
        max_score=check.points,
        message=message(lesson, check, verdict, lang),
        counterexample=counterexample(verdict) if failed else None,
        hint=hint.say(lang) if failed and hint and not lost else None,
        diagnosis=Diagnosis(explanation.id, title.say(lang)) if failed and explanation and title else None,
    )


def message(lesson: Lesson, check: Check, verdict: Verdict, lang: str) -> str:
    """Why a check did not pass, in a sentence or two; '' for one that did."""
    match verdict.outcome:
        case "failed":
            return sentence(check, verdict.fault, lang) if verdict.fault else check.why.say(lang)
        case "blocked":
            waits = dict.fromkeys(short_name(lesson, i, lang) for i in verdict.waiting_for if i != check.id)
            return _("waiting for {what}").format(what=", ".join(list(waits)[:3]))
        case "broken":
            return _("this check could not be asked; please report it")
    return ""


def short_name(lesson: Lesson, check_id: str, lang: str) -> str:
    """What is waited for, by its operation where it has one: `*` rather than "`a * b`: the number"."""
    for key, operation in lesson.operations.items():
        if check_id in (operation.numbers, operation.structure, operation.gradient):
            return SHORT.get(key, f"`{key}`") if key != "number" else _("plain numbers")
    return lesson.check(check_id).title.say(lang)


def counterexample(verdict: Verdict) -> Counterexample | None:
    """The program that shows the fault, as Python."""
    fault, program = verdict.fault, verdict.program
    if fault is None or program is None or fault.clause in ("unasked", "missing-file"):
        return None
    return Counterexample(to_python(program), fault.expression, _shown(fault.expected), _shown(fault.got))


def _shown(value: Shown) -> float | int | str | Raises:
    return Raises(value["raised"]) if isinstance(value, dict) else value
