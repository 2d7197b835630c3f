"""Bug models: mistakes that students make, each written as edits of the reference.

A model says which exercise it must lose, so the audit can prove the checks; and what
it answers, matched with what a student's work answers, says which mistake was made.
They stand in `reference/bugs.toml`, where one more is ten lines.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import msgspec

from grader.errors import LessonError
from grader.lesson import Words

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["BugModel", "Edit", "apply", "load"]


class Edit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One change of one file: every occurrence of `find` gives way to `replace`."""

    file: str
    """The file's name below `reference/`, such as 'micrograd/engine.py'."""
    find: str
    replace: str
    count: int = 1
    """How often `find` must occur, so that an edit which has gone stale is noticed."""


class BugModel(msgspec.Struct, frozen=True):
    """A mistake, and what comes of it."""

    id: str
    title: Words
    """What the code does wrong, in one line."""
    hint: Words
    """A direction for thought, never the solution; shared by all mistakes that want the same thought."""
    fails: str
    """The exercise that has to lose points."""
    edits: tuple[Edit, ...]
    """The changes that turn the reference into this mistake, made in order."""
    also: tuple[str, ...] = ()
    """Exercises that lose points with it, since the mistake cannot be kept out of them."""
    because: str = ""
    """Why there is an `also`, for the lesson's authors."""


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A `[[bug]]` as it is written: its hint by name."""

    id: str
    title: Words
    hint: str
    fails: str
    edits: tuple[Edit, ...]
    also: tuple[str, ...] = ()
    because: str = ""


class _Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole of bugs.toml."""

    hints: dict[str, Words]
    bugs: tuple[_Entry, ...] = msgspec.field(name="bug")


def load(root: Path) -> tuple[BugModel, ...]:
    """The bug models of the lesson in `root`, in the order of `reference/bugs.toml`.

    LessonError if that file is not well formed, if two models have one id, or if a
    model's edits do not fit the reference.
    """
    catalogue = _read(root / "reference" / "bugs.toml")
    models = tuple(_model(entry, catalogue.hints) for entry in catalogue.bugs)
    ids = [model.id for model in models]
    for model in models:
        if ids.count(model.id) > 1:
            raise _fault(model.id, "its id stands twice; rename one")
        if bool(model.also) != bool(model.because):
            raise _fault(model.id, "`also` and `because` go together; write both or neither")
        apply(model, _reference(root, model))
    return models


def apply(bug: BugModel, files: Mapping[str, str]) -> dict[str, str]:
    """The texts of `files`, by name, with the mistake made.

    LessonError, naming the model and the file, where `find` does not occur as often as
    the edit says, or changes nothing.
    """
    edited = dict(files)
    for edit in bug.edits:
        found = edited.get(edit.file, "").count(edit.find) if edit.find else 0
        if found != edit.count:
            said = f"in {edit.file} {edit.find!r} occurs {found} times, not {edit.count}; adapt `find` to the reference"
            raise _fault(bug.id, said)
        edited[edit.file] = edited[edit.file].replace(edit.find, edit.replace)
    if edited == files:
        raise _fault(bug.id, "its edits change nothing; make the mistake in `replace`")
    return edited


def _read(path: Path) -> _Catalogue:
    import tomllib  # costs 17 ms, and a plain `grade check` never comes here

    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _Catalogue)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        message = f"{path.name} holds no bug models: {error}; correct it and run `grade audit`"
        raise LessonError(message) from None


def _model(entry: _Entry, hints: Mapping[str, Words]) -> BugModel:
    if entry.hint not in hints:
        raise _fault(entry.id, f"no hint is called {entry.hint!r}; add it under [hints] or correct the name")
    return BugModel(entry.id, entry.title, hints[entry.hint], entry.fails, entry.edits, entry.also, entry.because)


def _reference(root: Path, bug: BugModel) -> dict[str, str]:
    """The reference's files that a model changes, by name; LessonError if one is not there."""
    files: dict[str, str] = {}
    for name in {edit.file for edit in bug.edits}:
        path = root / "reference" / name
        if ".." in PurePosixPath(name).parts or not path.is_file():
            raise _fault(bug.id, f"the reference has no file {name!r}; correct `file`")
        files[name] = path.read_text(encoding="utf-8")
    return files


def _fault(bug_id: str, said: str) -> LessonError:
    return LessonError(f"bug model {bug_id!r} in reference/bugs.toml: {said}, then run `grade audit`")
