"""Are the checks right? Every bug model must lose what it declares and no more, every right engine must keep all.

`audit` grades the template, the reference, the bug models and the alternatives as if
they were students' work, under one seed. What comes out otherwise than it should is a
*miss*, told in a sentence that says what to correct. `matrix`, `agreeing` and
`differing` read the result: which check catches which mistake, which checks say the same,
and where seeds disagree.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import combinations
from pathlib import Path

import msgspec

from grader import bugs, diagnosis
from grader import corpus as corpora
from grader.bugs import BugModel
from grader.corpus import Corpus
from grader.diagnosis import Answers, Catalogue
from grader.engine import Engine
from grader.errors import LessonError, UsageError
from grader.grading import record, replay
from grader.i18n import _
from grader.lesson import Lesson
from grader.report import CheckReport, Report
from grader.scoring import build
from grader.submission import Submission, read

__all__ = ["AlternativeResult", "Audit", "BugResult", "Points", "agreeing", "alternatives", "audit", "differing", "encode", "learn", "matrix"]

Progress = Callable[[int, int], None]
Graded = tuple[Report, Answers]

LOST = frozenset({"failed", "not-started", "broken"})
"""Outcomes that cost points by a fault of the check's own exercise; what is blocked only waits."""


class Points(msgspec.Struct, frozen=True):
    """What a submission came to."""

    score: int
    max_score: int


class BugResult(msgspec.Struct, frozen=True):
    """How one bug model came out."""

    id: str
    expected: tuple[str, ...]
    """The exercises that it declares to lose, in the lesson's order."""
    lost: tuple[str, ...]
    """Those that it lost."""
    caught_by: tuple[str, ...]
    """The checks that failed, in the lesson's order."""
    program: str
    """The smallest program that shows it, as Python; '' if it stops before any runs."""


class AlternativeResult(msgspec.Struct, frozen=True):
    """How one right engine came out."""

    id: str
    """The name of its file or folder."""
    score: int


class Audit(msgspec.Struct, frozen=True):
    """An audit of a lesson under one seed: `grade audit --format json`."""

    seed: int
    reference: Points
    template: Points
    bug_models: tuple[BugResult, ...]
    alternatives: tuple[AlternativeResult, ...]
    misses: tuple[str, ...]
    """What did not come out as it should, a sentence each; none if the checks are right."""


def audit(lesson: Lesson, seed: int = corpora.PUBLIC_SEED, progress: Progress | None = None) -> Audit:
    """Audit the lesson under a seed; `progress` is told (done, all) as submissions are graded.

    LessonError if the bug models are not well formed.
    """
    root = Path(lesson.root)
    models = bugs.load(root)
    try:
        reference, template, others = read(root / "reference"), read(root / "student_template"), alternatives(root)
    except UsageError as error:
        raise LessonError(str(error)) from None
    mutants = [mistaken(reference, model) for model in models]
    corpus = corpora.read(lesson, seed) or record(lesson, seed)
    everyone = [reference, template, *others, *mutants]
    graded = _graded(everyone, lesson, corpus, progress)
    reports = [report for report, _answers in graded]
    right, blank, kept, wrong = reports[0], reports[1], reports[2 : -len(models)], reports[-len(models) :]
    answered = {m.id: answers for m, (_report, answers) in zip(models, graded[-len(models) :], strict=True)}
    known = diagnosis.catalogue(lesson, seed, answered, models)
    if known != diagnosis.read(lesson, seed):
        corpora.keep(diagnosis.cached_path(lesson, seed), diagnosis.encode(known))
    found = [_bug_result(lesson, m, r) for m, r in zip(models, wrong, strict=True)]
    misses = (
        *_unasked(lesson, corpus),
        *_not_full(_("the reference"), right),
        *_not_empty(blank),
        *(miss for o, r in zip(others, kept, strict=True) for miss in _not_full(_("the right engine {name}").format(name=o.name), r)),
        *(miss for m, r, report in zip(models, found, wrong, strict=True) for miss in _wrongly_lost(m, r, report)),
        *_idle(lesson, found),
        *_misnamed(known, answered),
        *_stale(lesson, known),
    )
    return Audit(
        seed=seed,
        reference=Points(right.score, right.max_score),
        template=Points(blank.score, blank.max_score),
        bug_models=tuple(found),
        alternatives=tuple(AlternativeResult(o.name, r.score) for o, r in zip(others, kept, strict=True)),
        misses=misses,
    )


def learn(lesson: Lesson, corpus: Corpus) -> Catalogue:
    """What the bug models answer to a corpus, for diagnosis."""
    models = bugs.load(Path(lesson.root))
    reference = read(Path(lesson.root) / "reference")
    graded = _graded([mistaken(reference, model) for model in models], lesson, corpus, None)
    answered = {model.id: answers for model, (_report, answers) in zip(models, graded, strict=True)}
    return diagnosis.catalogue(lesson, corpus.seed, answered, models)


def alternatives(root: Path) -> list[Submission]:
    """The right engines of a lesson: every file and folder in `checks/alternatives`, by name."""
    folder = root / "checks" / "alternatives"
    paths = sorted(folder.iterdir()) if folder.is_dir() else []
    return [read(path) for path in paths if path.name[0] not in "._"]


def mistaken(reference: Submission, model: BugModel) -> Submission:
    """The reference with a mistake made in it, as a submission of the model's name."""
    texts = bugs.apply(model, {file.name: file.cells[0] for file in reference.files})
    files = tuple(msgspec.structs.replace(file, cells=(texts[file.name],)) for file in reference.files)
    return msgspec.structs.replace(reference, name=model.id, files=files)


# ---------------------------------------------------------------- grading all of them


def _graded(
    submissions: Sequence[Submission], lesson: Lesson, corpus: Corpus, progress: Progress | None
) -> list[Graded]:
    """A report and the answers of each. Submissions run in workers of their own: threads keep every core busy."""
    with ThreadPoolExecutor((os.cpu_count() or 1) + 1) as pool:
        runs = [pool.submit(_report, submission, lesson, corpus) for submission in submissions]
        try:
            for done, _run in enumerate(as_completed(runs), 1):
                if progress:
                    progress(done, len(runs))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
        return [run.result() for run in runs]


def _report(submission: Submission, lesson: Lesson, corpus: Corpus) -> Graded:
    with Engine(submission, lesson.limits) as engine:
        found = replay(engine, lesson, corpus, [check.id for check in lesson.checks])
    return build(submission, lesson, found.verdicts, engine.problems, seed=corpus.seed, lang="en"), found.answers


def _checks(report: Report) -> Iterator[CheckReport]:
    return (check for exercise in report.exercises for check in exercise.checks)


def _bug_result(lesson: Lesson, model: BugModel, report: Report) -> BugResult:
    lost = [e.id for e in report.exercises if any(c.max_score and c.outcome in LOST for c in e.checks)]
    failed = [check for check in _checks(report) if check.outcome == "failed"]
    programs = [check.counterexample.program for check in failed if check.counterexample and check.max_score]
    return BugResult(
        id=model.id,
        expected=tuple(e.id for e in lesson.exercises if e.id in (model.fails, *model.also)),
        lost=tuple(lost),
        caught_by=tuple(check.id for check in _checks(report) if check.outcome in ("failed", "not-started")),
        program=min(programs, key=lambda text: (text.count("\n"), len(text)), default=""),
    )


# ---------------------------------------------------------------- what is amiss


def _unasked(lesson: Lesson, corpus: Corpus) -> Iterator[str]:
    for check in lesson.checks:
        if not corpus.asks.get(check.id):
            yield _("{check} asks nothing: give it programs in checks/").format(check=check.id)


def _not_full(who: str, report: Report) -> Iterator[str]:
    lost = [f"{check.id} ({check.outcome})" for check in _checks(report) if check.outcome != "passed"]
    if lost:
        text = _("{who} keeps {score} of {full}, and does not pass {checks}")
        yield text.format(who=who, score=report.score, full=report.max_score, checks=", ".join(lost))
    for problem in report.problems:
        if problem.blame != "student":
            yield f"{who}: {problem.message}"


def _not_empty(report: Report) -> Iterator[str]:
    for check in _checks(report):
        if check.outcome == "passed" and check.max_score:
            yield _("the template passes {check}").format(check=check.id)


def _wrongly_lost(model: BugModel, result: BugResult, report: Report) -> Iterator[str]:
    for exercise in result.expected:
        if exercise not in result.lost:
            text = _("the bug model {model} should lose {exercise}, but keeps it")
            yield text.format(model=model.id, exercise=exercise)
    for exercise in result.lost:
        if exercise not in result.expected:
            checks = ", ".join(c.id for c in _checks(report) if c.id.startswith(exercise + ".") and c.outcome in LOST)
            text = _("the bug model {model} should keep {exercise}, but fails {checks}")
            yield text.format(model=model.id, exercise=exercise, checks=checks)
    for check in _checks(report):
        if check.outcome == "broken":
            yield _("the bug model {model} breaks {check}").format(model=model.id, check=check.id)
    unknown = {model.fails, *model.also} - {e.id for e in report.exercises}
    for exercise in sorted(unknown):
        text = _("the bug model {model} names {exercise}, which is no exercise")
        yield text.format(model=model.id, exercise=exercise)


def _idle(lesson: Lesson, results: Sequence[BugResult]) -> Iterator[str]:
    """Checks worth points that catch no bug model: nothing shows that they would notice a mistake."""
    caught = {check for result in results for check in result.caught_by}
    for check in lesson.checks:
        if check.points and check.id not in caught:
            text = _("{check} catches no bug model: add one that it should catch to reference/bugs.toml")
            yield text.format(check=check.id)


def _misnamed(known: Catalogue, answered: Mapping[str, Answers]) -> Iterator[str]:
    """Bug models that are taken for another one that can be told from them."""
    alike = {one: group for group in diagnosis.same(known) for one in group}
    for model, answers in answered.items():
        named = {explanation.id for explanation in diagnosis.explain(answers, known).values()} - {""}
        for other in sorted(named - {model, *alike.get(model, ())}):
            yield _("the bug model {model} is taken for {other}").format(model=model, other=other)


def _stale(lesson: Lesson, known: Catalogue) -> Iterator[str]:
    shipped = diagnosis.shipped(lesson)
    if shipped is not None and shipped.seed == known.seed and shipped != known:
        yield _("what the bug models answer is not what was recorded: record it anew with `python -m grader.runs`")


# ---------------------------------------------------------------- reading an audit


def encode(audits: Sequence[Audit]) -> str:
    """JSON: one audit as an object, several as a list; what differs between seeds is a miss of the last."""
    listed = list(audits)
    listed[-1] = msgspec.structs.replace(listed[-1], misses=(*listed[-1].misses, *differing(listed)))
    content = msgspec.json.encode(listed[0] if len(listed) == 1 else listed)
    return msgspec.json.format(content, indent=2).decode() + "\n"


def matrix(lesson: Lesson, result: Audit) -> dict[str, tuple[str, ...]]:
    """The kill matrix by columns: for each check, in the lesson's order, the ids of the bug models that it catches."""
    return {c.id: tuple(m.id for m in result.bug_models if c.id in m.caught_by) for c in lesson.checks}


def agreeing(lesson: Lesson, result: Audit) -> list[tuple[str, str]]:
    """Pairs of checks that catch the same bug models, and at least one."""
    return [(a, b) for (a, x), (b, y) in combinations(matrix(lesson, result).items(), 2) if x and x == y]


def differing(audits: Sequence[Audit]) -> list[str]:
    """What a bug model loses under one seed and not under another, told in words."""
    told = []
    for results in zip(*(a.bug_models for a in audits), strict=True):
        for seed, result in zip((a.seed for a in audits[1:]), results[1:], strict=True):
            if set(result.lost) != set(results[0].lost):
                text = _("the bug model {model} loses {one} with seed {first}, but {other} with seed {second}")
                one, other = (", ".join(r.lost) or _("nothing") for r in (results[0], result))
                told.append(text.format(model=result.id, one=one, first=audits[0].seed, other=other, second=seed))
    return told
