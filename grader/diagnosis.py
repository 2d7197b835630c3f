"""Which mistake is it? A student's wrong answers compared with those of the bug models.

A bug model explains failed checks if on each of them it answers every program as the
student did, and it fails no check that the student passes. What explains them alone is
named; where several do, their hint is given if they share one; else nothing is said. Two
mistakes at once are both named where they fail different checks.

What the models answer is recorded once for a seed and kept beside its corpus, so no model
runs while a student's work is graded. The public seed's answers ship with the lesson.
Another seed has none until `grade audit --seed N`, which runs every model anyway, has left
them in the user's cache: until then its reports carry no diagnosis.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import msgspec

from grader import corpus as corpora
from grader.bugs import BugModel
from grader.examination import Examination
from grader.lesson import Lesson, Words
from grader.needs import LEAF
from grader.submission import Problem
from grader.tally import RIGHT, SILENT

__all__ = [
    "Answers",
    "Catalogue",
    "Explanation",
    "Known",
    "answers",
    "cached_path",
    "catalogue",
    "encode",
    "explain",
    "read",
    "same",
    "shipped",
    "shipped_path",
]

ERRORS = re.compile(r"\b[A-Z]\w*Error\b|'[^']*'")

Checks = frozenset[str]
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
    from grader.fingerprint import fingerprint  # what passes everything has no use for it

    trials, loading = examination.tallies[check_id].trials, _loading(examination.engine.problems)
    return tuple(fingerprint(trial, examination.expected(trial.program), loading) for trial in trials)


def _loading(problems: Sequence[Problem]) -> str:
    """What kept files from loading, in any language: kinds, types of errors, and names in quotes."""
    seen = {f"{p.kind} {' '.join(ERRORS.findall(p.message))}" for p in problems if p.kind != "unavailable"}
    return "; ".join(sorted(seen))


# ---------------------------------------------------------------- explaining


def explain(found: Answers, known: Catalogue) -> dict[str, Explanation]:
    """Failed check → what explains it; checks that nothing explains, or too much, are left out."""
    groups = _covers(found, known.models)
    pieces = _pieces(groups, frozenset(found.wrong))
    if LEAF in found.wrong and not any(LEAF in piece for piece in pieces):
        return {}  # whatever fails after it may be its doing
    said = {}
    for piece in pieces:
        explanation = _say(groups[piece], known.hints)
        if explanation is not None:
            said.update(dict.fromkeys(piece, explanation))
    return said


def _covers(found: Answers, models: Iterable[Known]) -> dict[Checks, list[Known]]:
    """The models that may be at work, by the failed checks that they explain."""
    groups: dict[Checks, list[Known]] = {}
    for model in models:
        passed = found.right.keys() & model.wrong.keys()
        if any(contradicts(found.right[check], model.wrong[check]) for check in passed):
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


def _pieces(candidates: Iterable[Checks], failed: Checks) -> list[Checks]:
    """Sets of failed checks that one mistake each explains, the largest first; none shares a check with another.

    Where another failed check of the same operation has no candidate, something unknown is at work: then none is
    believed there. Where two of a size compete for a check, neither is believed.
    """
    listed = list(candidates)
    unknown = {*map(operation, failed.difference(*listed))}
    fitting = [c for c in listed if unknown.isdisjoint(map(operation, c))]
    chosen: list[Checks] = []
    taken: set[str] = set()
    for _size, same_size in groupby(sorted(fitting, key=len, reverse=True), key=len):
        free = [c for c in same_size if taken.isdisjoint(c)]
        chosen += [c for c in free if not any(c & other for other in free if other is not c)]
        taken.update(*free)
    return chosen


def operation(check_id: str) -> str:
    """What a check is about: EXERCISE.OPERATION; labels and the like, which are about many operations, stand alone."""
    head = check_id.rsplit(".", 1)[0]
    return check_id if head.endswith(".all") else head


def _say(models: Sequence[Known], hints: Sequence[Words]) -> Explanation | None:
    first = models[0]
    if len(models) == 1:
        return Explanation(hints[first.hint], first.id, first.title)
    return Explanation(hints[first.hint]) if len({model.hint for model in models}) == 1 else None


def same(known: Catalogue) -> list[tuple[str, ...]]:
    """The ids of bug models that answer everything alike, group by group, if there is anything wrong in it."""
    groups: dict[str, list[str]] = {}
    for model in (m for m in known.models if m.wrong):
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


def encode(known: Catalogue) -> bytes:
    """The file's bytes."""
    return corpora.sealed(msgspec.msgpack.encode(known))


def read(lesson: Lesson, seed: int) -> Catalogue | None:
    """The catalogue of a seed, if it is shipped or cached, whole, and of the lesson as it stands."""
    return (seed == corpora.PUBLIC_SEED and shipped(lesson)) or _read(cached_path(lesson, seed), lesson, seed)


def shipped(lesson: Lesson) -> Catalogue | None:
    """The catalogue of the public seed that came with the lesson."""
    return _read(shipped_path(Path(lesson.root)), lesson, corpora.PUBLIC_SEED)


def _read(path: Path, lesson: Lesson, seed: int) -> Catalogue | None:
    try:
        payload = corpora.opened(path.read_bytes())
        known = msgspec.msgpack.decode(payload or b"", type=Catalogue)
    except (OSError, msgspec.MsgspecError):
        return None
    return known if known.seed == seed and known.source == source(lesson) else None


def shipped_path(root: Path) -> Path:
    """Where the public seed's catalogue is kept."""
    return corpora.shipped_path(root).with_name("models.msgpack")


def cached_path(lesson: Lesson, seed: int) -> Path:
    """Where a catalogue that an audit made is kept, beside the seed's corpus."""
    path = corpora.cached_path(lesson, seed)
    return path.with_name(f"models-{path.name}")
