"""The one verb: grade a submission against a lesson.

`grade` replays the recorded programs of a seed, or, asked to explore, lets pytest and
Hypothesis draw new ones. Both come to the same report.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from grader import corpus as corpora
from grader import diagnosis
from grader.corpus import Corpus
from grader.diagnosis import Answers, explain
from grader.engine import Engine
from grader.examination import Examination
from grader.lesson import Lesson
from grader.report import Report
from grader.scoring import build
from grader.smallest import make_small
from grader.submission import Submission
from grader.verdict import Verdict

if TYPE_CHECKING:
    from grader.runs import Progress


def grade(
    submission: Submission,
    lesson: Lesson,
    *,
    seed: int = corpora.PUBLIC_SEED,
    names: Sequence[str] = (),
    lang: str = "en",
    explore: Path | None = None,
    progress: Progress | None = None,
) -> Report:
    """The report on the exercises `names` (default: all).

    `explore`: the submission's path, to ask it live instead of replaying the seed's corpus.
    """
    chosen = [e for e in lesson.exercises if not names or e.id in names]
    selected = [check.id for exercise in chosen for check in exercise.checks]
    if explore is not None:
        from grader.runs import explore as explore_live

        return explore_live(explore, lesson, seed, lang, selected, progress)
    with Engine(submission, lesson.limits) as engine:
        engine.launch()  # it loads the submission while the corpus is read here
        corpus = corpora.read(lesson, seed) or record(lesson, seed, progress)
        found = replay(engine, lesson, corpus, selected)
    explained = explain(found.answers, known) if found.answers.wrong and (known := diagnosis.read(lesson, seed)) else {}
    return build(submission, lesson, found.verdicts, engine.problems, seed=seed, lang=lang, explained=explained)


def record(lesson: Lesson, seed: int, progress: Progress | None = None) -> Corpus:
    """Record a seed, and keep it for the next time if that is possible."""
    from grader.runs import record as record_live

    corpus = record_live(lesson, seed, progress)
    corpora.keep(corpora.cached_path(lesson, seed), corpora.encode(corpus))
    return corpus


class Findings(NamedTuple):
    """What replaying a corpus comes to."""

    verdicts: dict[str, Verdict]
    """Of the selected checks, each failing program made small."""
    answers: Answers
    """Of all checks that were judged."""


def replay(engine: Engine, lesson: Lesson, corpus: Corpus, selected: Sequence[str]) -> Findings:
    """Ask a recorded corpus, and judge the selected checks and what they stand on."""
    examination = Examination(engine.submission, lesson, corpus, engine)
    try:
        engine.load()
        examination.examine(examination.wanted(selected))
        answers = diagnosis.answers(examination)
        return Findings({i: make_small(examination, examination.verdicts[i]) for i in selected}, answers)
    finally:
        examination.close()
