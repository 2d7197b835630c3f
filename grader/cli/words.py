"""The words on the command line, and what they mean: no click here, and nothing heavy to import."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from grader.errors import UsageError
from grader.i18n import LANGUAGES, _
from grader.render import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from grader.lesson import Lesson
    from grader.report import Report

__all__ = [
    "Least",
    "Output",
    "asked_language",
    "nearest",
    "path_and_names",
    "read_format",
    "read_language",
    "read_least",
    "read_seed",
    "read_seeds",
    "see",
]


class Least(NamedTuple):
    """The score that is asked for."""

    n: int
    """Points, or percent of the points on offer."""
    percent: bool

    def met(self, report: Report) -> bool:
        """Whether the report's score is enough."""
        return report.score * 100 >= self.n * report.max_score if self.percent else report.score >= self.n


class Output(NamedTuple):
    """One report to deliver."""

    format: str
    """A name in `grader.render.FORMATS`."""
    path: str
    """The file to write, or '' for the screen."""


def see(command: str) -> str:
    """The last line of a message: the command to run next."""
    return _("Next: {command}").format(command=command)


def nearest(word: str, known: Iterable[str]) -> str:
    """What to add to "there is no such …": a guess at what was meant, or ''."""
    from difflib import get_close_matches

    close = get_close_matches(word, list(known), 1, 0.5)
    return _("; did you mean {name}?").format(name=close[0]) if close else ""


# ---------------------------------------------------------------- what an option says; ValueError says why not


def read_seed(word: str) -> int:
    """`--seed N`."""
    if not word.isdecimal():
        raise ValueError(_("--seed takes a whole number, not {word}").format(word=word))
    if len(word) > len(str(LARGEST_SEED)) or int(word) > LARGEST_SEED:
        raise ValueError(_("--seed takes numbers up to {largest}").format(largest=LARGEST_SEED))
    return int(word)


LARGEST_SEED = 2**63 - 1
"""The largest that a recorded corpus can hold."""


def read_seeds(word: str) -> tuple[int, ...]:
    """`--seed N` or `N-M`, where several are taken."""
    first, dash, last = word.partition("-")
    if not first.isdecimal() or (dash and not last.isdecimal()) or (dash and int(last) < int(first)):
        raise ValueError(_("--seed takes whole numbers, as in 7 or 0-19, not {word}").format(word=word))
    return tuple(range(int(first), int(last if dash else first) + 1))


def read_least(word: str) -> Least:
    """`--min-score N` or `N%`."""
    if not word.removesuffix("%").isdecimal():
        raise ValueError(_("--min-score takes points or percent, as in 32 or 80%, not {word}").format(word=word))
    return Least(int(word.removesuffix("%")), percent=word.endswith("%"))


def read_format(word: str) -> Output:
    """`--format F` or `F=PATH`."""
    name, equals, path = word.partition("=")
    if name not in FORMATS:
        raise ValueError(_("there is no format {name}; there are: {names}").format(name=name, names=", ".join(FORMATS)))
    if equals and not path:
        raise ValueError(_("--format {name}= needs the name of a file after it").format(name=name))
    return Output(name, path)


def read_language(word: str) -> str:
    """`--lang en` or `ru`."""
    if word not in LANGUAGES:
        raise ValueError(_("--lang takes one of {names}, not {word}").format(names=", ".join(LANGUAGES), word=word))
    return word


def asked_language(words: Sequence[str]) -> str:
    """What `--lang` asks for: needed before parsing, since help and errors of parsing speak it too."""
    for word, following in pairwise([*words, ""]):
        code = following if word == "--lang" else word.removeprefix("--lang=")
        if word.startswith("--lang") and code in LANGUAGES:
            return code
    return ""


# ---------------------------------------------------------------- what to grade


def path_and_names(words: tuple[str, ...], lesson: Lesson) -> tuple[Path, tuple[str, ...]]:
    """What to grade, and the exercises asked for, in the lesson's order; () for all.

    The first word is a path if something is there, or if it looks like one.
    """
    from pathlib import Path

    path, names = Path(), words
    if words and (Path(words[0]).exists() or any(sign in words[0] for sign in "/\\.")):
        path, names = Path(words[0]), words[1:]
    asked = {exercise for name in names for exercise in _exercises_called(name, lesson)}
    return path, tuple(e.id for e in lesson.exercises if e.id in asked)


def _exercises_called(name: str, lesson: Lesson) -> tuple[str, ...]:
    found = tuple(e.id for e in lesson.exercises if name in (e.id, e.lesson))
    if not found:
        known = [*(e.id for e in lesson.exercises), *lesson.lessons]
        message = _("no exercise, lesson or file is called {name}").format(name=name) + nearest(name, known)
        raise UsageError(f"{message}\n{see('grade list')}")
    return found
