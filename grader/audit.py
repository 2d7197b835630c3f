"""Are the checks right? Every bug model must lose what it declares and no more, every right engine must keep all.

`audit` grades the template, the reference, the bug models and the alternatives as if
they were students' work, under one seed. What comes out otherwise than it should is a
*miss*, told in a sentence that says what to correct. `matrix`, `agreeing` and
`differing` read the result: which check catches which mistake, which checks say the same,
and where seeds disagree.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import chain, combinations
from pathlib import Path

import msgspec

from grader import bugs, diagnosis, misses
from grader import corpus as corpora
from grader.bugs import BugModel
from grader.corpus import Corpus
from grader.diagnosis import Answers, Catalogue
from grader.engine import Engine
from grader.errors import LessonError, UsageError
from grader.grading import record, replay
from grader.i18n import _
from grader.lesson import Lesson
from grader.report import Report
from grader.scoring import build
from grader.submission import Submission, read

__all__ = [
    "AlternativeResult",
    "Audit",
    "BugResult",
    "Points",
    "agreeing",
    "alternatives",
    "audit",
    "differing",
    "encode",
    "learn",
    "matrix",
]

Progress = Callable[[int, int], None]
Graded = tuple[Report, Answers]


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
    reference, template, others = _given(root)
    corpus = corpora.read(lesson, seed) or record(lesson, seed)
    everyone = [reference, template, *others, *(mistaken(reference, model) for model in models)]
    graded = _graded(everyone, lesson, corpus, progress)
    reports, first = [report for report, _answers in graded], 2 + len(others)
    found = [_bug_result(lesson, *pair) for pair in zip(models, reports[first:], strict=True)]
    known = _known(lesson, seed, models, graded[first:])
    amiss = [
        *misses.unasked(lesson, corpus),
        *misses.not_full(_("the reference"), reports[0]),
        *misses.not_empty(reports[1]),
        *chain(*map(misses.not_full, (_("the right engine {name}").format(name=o.name) for o in others), reports[2:])),
        *chain(*map(misses.wrongly_lost, models, found, reports[first:])),
        *misses.idle(lesson, found),
        *misses.misnamed(known, {m.id: answers for m, (_report, answers) in zip(models, graded[first:], strict=True)}),
        *misses.stale(lesson, known),
    ]
    return Audit(
        seed=seed,
        reference=Points(reports[0].score, reports[0].max_score),
        template=Points(reports[1].score, reports[1].max_score),
        bug_models=tuple(found),
        alternatives=tuple(AlternativeResult(o.name, r.score) for o, r in zip(others, reports[2:first], strict=True)),
        misses=tuple(amiss),
    )


def _given(root: Path) -> tuple[Submission, Submission, list[Submission]]:
    """The reference, the template and the alternatives; LessonError if one is not there to read."""
    try:
        return read(root / "reference"), read(root / "student_template"), alternatives(root)
    except UsageError as error:
        raise LessonError(str(error)) from None


def _known(lesson: Lesson, seed: int, models: Sequence[BugModel], graded: Sequence[Graded]) -> Catalogue:
    """What the models answered, kept for diagnosis under this seed."""
    answered = {model.id: answers for model, (_report, answers) in zip(models, graded, strict=True)}
    known = diagnosis.catalogue(lesson, seed, answered, models)
    if known != diagnosis.read(lesson, seed):
        corpora.keep(diagnosis.cached_path(lesson, seed), diagnosis.encode(known))
    return known


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


def _bug_result(lesson: Lesson, model: BugModel, report: Report) -> BugResult:
    lost = [e.id for e in report.exercises if any(c.max_score and c.outcome in misses.LOST for c in e.checks)]
    failed = [check for check in misses.checks(report) if check.outcome == "failed"]
    programs = [check.counterexample.program for check in failed if check.counterexample and check.max_score]
    return BugResult(
        id=model.id,
        expected=tuple(e.id for e in lesson.exercises if e.id in (model.fails, *model.also)),
        lost=tuple(lost),
        caught_by=tuple(check.id for check in misses.checks(report) if check.outcome in ("failed", "not-started")),
        program=min(programs, key=lambda text: (text.count("\n"), len(text)), default=""),
    )


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
