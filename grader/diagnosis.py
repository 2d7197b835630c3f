"""Which mistake is it? A student's wrong answers compared with those of the bug models.

A bug model explains failed checks if on each of them it answers every program as the
student did, and it fails no check that the student passes. What explains them alone is
named; where several do, their hint is given if they share one; else nothing is said. Two
mistakes at once are both named where they fail different checks.

What the models answer is recorded once for a seed (`learn`) and kept beside its corpus, so
no model runs while a student's work is graded. The public seed's answers ship with the
lesson. Another seed has none until `grade audit --seed N`, which runs every model anyway,
has left them in the user's cache: until then its reports carry no diagnosis.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path

import msgspec

from grader import corpus as corpora
from grader.bugs import BugModel
from grader.examination import Examination
from grader.fingerprint import RIGHT, SILENT, fingerprint
from grader.lesson import Lesson, Words

__all__ = ["Answers", "Catalogue", "Explanation", "Known", "answers", "catalogue", "explain", "keep", "path_of", "read", "same"]

Row = tuple[int, ...]
"""One check's answers, a fingerprint for each program that it asks, in the corpus's order."""


class Answers(msgspec.Struct, frozen=True):
    """What a submission answered, as far as diagnosis goes."""

    right: dict[str, Row]
    """The checks that it passed: which programs could speak for them."""
    wrong: dict[str, Row]
    """The checks that it failed, and how."""


class Known(msgspec.Struct, frozen=True, array_like=True):
    """A bug model and what it answers."""

    id: str
    title: Words
    hint: int
    """Its place in `Catalogue.hints`."""
    wrong: dict[str, Row]
    """The checks that it fails, and how."""


class Catalogue(msgspec.Struct, frozen=True):
    """All bug models of a lesson, with what they answer under one seed."""

    source: str
    """The digest of what it was made from: the lesson, the bug models, the reference."""
    seed: int
    hints: tuple[Words, ...]
    models: tuple[Known, ...]


class Explanation(msgspec.Struct, frozen=True):
    """What explains a failed check."""

    hint: Words
    id: str = ""
    """The bug model, '' if several explain it and only share their hint."""
    title: Words | None = None


# ---------------------------------------------------------------- what was answered


def answers(examination: Examination) -> Answers:
    """What an examined submission answered."""
    verdicts = examination.verdicts.values()
    failed = {v.check.id: v.check for v in verdicts if v.outcome == "failed"}
    return Answers(
        right={v.check.id: _row(examination, v.check.id) for v in verdicts if failed and v.outcome == "passed"},
        wrong={i: _row(examination, i) for i, check in failed.items() if check.follows not in failed},
    )


def _row(examination: Examination, check_id: str) -> Row:
    trials = examination.tallies[check_id].trials
    return tuple(fingerprint(trial, examination.expected(trial.program)) for trial in trials)


# ---------------------------------------------------------------- explaining


def explain(found: Answers, known: Catalogue) -> dict[str, Explanation]:
    """Failed check → what explains it; checks that nothing explains, or too much, are left out."""
    groups = _covers(found, known.models)
    whole = frozenset(found.wrong)
    pieces = [whole] if whole in groups else _pieces(whole, list(groups))
    said = {}
    for piece in pieces:
        explanation = _say(groups[piece], known.hints)
        if explanation is not None:
            said.update(dict.fromkeys(piece, explanation))
    return said


def _covers(found: Answers, models: Iterable[Known]) -> dict[frozenset[str], list[Known]]:
    """The models that may be at work, by the failed checks that they explain."""
    groups: dict[frozenset[str], list[Known]] = {}
    for model in models:
        if any(contradicts(found.right[check], model.wrong[check]) for check in found.right.keys() & model.wrong.keys()):
            continue
        shared = model.wrong.keys() & found.wrong.keys()
        if shared and all(alike(found.wrong[check], model.wrong[check]) for check in shared):
            groups.setdefault(frozenset(shared), []).append(model)
    return groups


def alike(seen: Row, known: Row) -> bool:
    """Whether every program that spoke for the student was answered as the model answers it."""
    return len(seen) == len(known) and all(s in (k, SILENT) for s, k in zip(seen, known, strict=True))


def contradicts(passed: Row, known: Row) -> bool:
    """Whether the student answered rightly a program that the model answers wrongly."""
    return any(s == RIGHT and k not in (RIGHT, SILENT) for s, k in zip(passed, known, strict=False))


def _pieces(whole: frozenset[str], groups: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """Two or three sets of checks that share none and together are all that failed."""
    for count in (2, 3):
        for chosen in combinations(groups, count):
            if sum(map(len, chosen)) == len(whole) and frozenset().union(*chosen) == whole:
                return list(chosen)
    return []


def _say(models: Sequence[Known], hints: Sequence[Words]) -> Explanation | None:
    first = models[0]
    if len(models) == 1:
        return Explanation(hints[first.hint], first.id, first.title)
    return Explanation(hints[first.hint]) if len({model.hint for model in models}) == 1 else None


def same(known: Catalogue) -> list[tuple[str, ...]]:
    """The ids of bug models that answer everything alike, group by group."""
    groups: dict[str, list[str]] = {}
    for model in known.models:
        groups.setdefault(repr(sorted(model.wrong.items())), []).append(model.id)
    return [tuple(group) for group in groups.values() if len(group) > 1]


# ---------------------------------------------------------------- recorded


def catalogue(lesson: Lesson, seed: int, found: Mapping[str, Answers], models: Sequence[BugModel]) -> Catalogue:
    """The models with what they were found to answer, by id."""
    hints = list(dict.fromkeys(model.hint for model in models))
    known = [Known(m.id, m.title, hints.index(m.hint), found[m.id].wrong) for m in models]
    return Catalogue(source(lesson), seed, tuple(hints), tuple(known))


def source(lesson: Lesson) -> str:
    """The digest of what a catalogue depends on."""
    reference = Path(lesson.root) / "reference"
    total = hashlib.sha256(lesson.digest.encode())
    for path in [reference / "bugs.toml", *sorted((reference / "micrograd").glob("*.py"))]:
        total.update(path.name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return total.hexdigest()[:32]


def path_of(lesson: Lesson, seed: int) -> Path:
    """Where the catalogue of a seed is kept: the public seed's with the lesson, others in the user's cache."""
    if seed == corpora.PUBLIC_SEED:
        return corpora.shipped_path(Path(lesson.root)).with_name("models.msgpack")
    path = corpora.cached_path(lesson, seed)
    return path.with_name(f"models-{path.name}")


def keep(lesson: Lesson, known: Catalogue) -> None:
    """Write a catalogue; a cache that cannot be written costs only diagnoses."""
    corpora.keep(path_of(lesson, known.seed), corpora.sealed(msgspec.msgpack.encode(known)))


def read(lesson: Lesson, seed: int) -> Catalogue | None:
    """The catalogue of a seed, if there is one, it is whole, and it is of the lesson as it stands."""
    try:
        payload = corpora.opened(path_of(lesson, seed).read_bytes())
        known = msgspec.msgpack.decode(payload or b"", type=Catalogue)
        return known if known.source == source(lesson) and known.seed == seed else None
    except (OSError, msgspec.MsgspecError):
        return None
