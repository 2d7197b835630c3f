"""The recorded programs of a (lesson, seed): what every check asks, once and for all.

pytest and Hypothesis draw programs; that takes a second. Whatever grades replays the
recording instead. The public seed's corpus ships with the lesson; other seeds are
recorded when first asked for and kept in the user's cache. A file is believed only if
its own digest, the lesson's and the seed are right; anything else is recorded anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

import msgspec

from grader.lesson import Lesson
from grader.oracle import Answer
from grader.programs import Program

PUBLIC_SEED = 0


class Ask(msgspec.Struct, frozen=True, array_like=True):
    """One program under one aspect."""

    program: int
    """Its place in `Corpus.programs`."""
    about: str
    needs: tuple[int, ...]
    """What has to pass first (`grader.needs`), as places in `Lesson.checks`."""


class Corpus(msgspec.Struct, frozen=True):
    """Every program that a lesson's checks ask under one seed; equal programs are kept once."""

    lesson: str
    """The digest of the lesson that it was recorded from."""
    seed: int
    hypothesis: str
    """The version that drew it."""
    programs: tuple[Program, ...]
    answers: tuple[Answer, ...]
    """The oracle's answer to each program."""
    asks: dict[str, tuple[Ask, ...]]
    """Check id → what it asks, in order: canonical programs first, then drawn ones."""


def encode(corpus: Corpus) -> bytes:
    """The file's bytes."""
    return sealed(msgspec.msgpack.encode(corpus))


def decode(content: bytes) -> Corpus | None:
    """The corpus in a file's bytes; None if they are not whole."""
    payload = opened(content)
    try:
        return msgspec.msgpack.decode(payload, type=Corpus) if payload is not None else None
    except msgspec.MsgspecError:
        return None


def sealed(payload: bytes) -> bytes:
    """What is written to a file: 32 bytes of SHA-256, then the payload."""
    return hashlib.sha256(payload).digest() + payload


def opened(content: bytes) -> bytes | None:
    """The payload of a file's bytes; None if they are not whole."""
    payload = content[32:]
    return payload if hashlib.sha256(payload).digest() == content[:32] else None


def read(lesson: Lesson, seed: int) -> Corpus | None:
    """The corpus of a seed if it is shipped or cached."""
    if seed == PUBLIC_SEED:
        found = _read(shipped_path(Path(lesson.root)), lesson, seed)
        if found is not None:
            return found
    return _read(cached_path(lesson, seed), lesson, seed)


def _read(path: Path, lesson: Lesson, seed: int) -> Corpus | None:
    try:
        corpus = decode(path.read_bytes())
    except OSError:
        return None
    return corpus if corpus is not None and corpus.lesson == lesson.digest and corpus.seed == seed else None


def shipped_path(root: Path) -> Path:
    """Where the public seed's corpus is kept."""
    return root / "checks" / "corpus" / "public.msgpack"


def cached_path(lesson: Lesson, seed: int) -> Path:
    """Where another seed's corpus is kept: in the user's cache, never beside a submission."""
    from importlib.metadata import version

    from platformdirs import user_cache_path

    drawn_by = version("hypothesis")
    return user_cache_path("micrograde", appauthor=False) / f"corpus-{lesson.digest[:16]}-{drawn_by}-{seed}.msgpack"


def keep(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; a cache that cannot be written costs only time."""
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(content)
        beside.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            beside.unlink()
