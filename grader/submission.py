"""A submission: what a student hands in, found and read once, never run.

`read(path)` turns a folder, a `.py` or a notebook into a `Submission`, a value that
holds the text of every file that matters. Three layouts are known:

``package``  `micrograd/engine.py` and its siblings, the lesson's own layout
``flat``     the same files directly in the folder
``single``   one `.py` or `.ipynb` of any name; it comes first in `files`

A folder may hold the work in a folder further down. Names differ in case at will
(`Engine.py`). Other `.py` files beside the work come along, since it may import
them. A file that cannot be read is part of the submission all the same, with a
`Problem` in place of its text; only where nothing is gradable is there an error.

Only regular files are read, each once and no further than its cap; links inside a
submission are not followed. What was read is what is hashed.
"""

from __future__ import annotations

import os
import re
import stat
from hashlib import sha256
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from grader.errors import EnvironmentFault, UsageError
from grader.i18n import _
from grader.notebook import Content, contents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

__all__ = ["Problem", "SourceFile", "Submission", "read", "shown"]

LESSON_FILES = ("engine", "functions", "graph", "nn")

MAX_FILES, MAX_DEPTH, MAX_ENTRIES = 200, 4, 10_000
"""At most so many files are read, of so many parts below PATH, and so many directory entries seen."""

IGNORED_FOLDERS = frozenset({"__macosx", "__pycache__", "venv", "env", "node_modules", "site-packages", "tests"})
IGNORED_FILES = re.compile(r"\.|test_.*\.py$|(conftest|setup)\.py$", re.IGNORECASE)

_OWN_NAMES = re.compile(
    r"^[ \t]*(?:class[ \t]+(Value|Module|Neuron|Layer|MLP)"
    r"|def[ \t]+(my_tanh|slope|print_graph|count_nodes|trace|draw_dot|train))\b",
    re.MULTILINE,
)
"""Where the lesson's names are defined: how a renamed file is known."""

_JUNCTION = 0xA0000003
"""The reparse tag of a Windows junction: a folder that leads elsewhere."""

Layout = Literal["package", "flat", "single"]

Parts = tuple[str, ...]
"""A path below PATH, as it is spelled on the disk."""


class Problem(msgspec.Struct, frozen=True):
    """What kept a file, or all of a submission, from being graded, and whose doing that is."""

    blame: Literal["student", "environment", "grader"]
    kind: str
    """From here: 'encoding', 'too-large', 'notebook' or 'unreadable'."""
    message: str
    """A sentence in the reader's language that ends with what to do."""
    file: str | None
    line: int | None


class SourceFile(msgspec.Struct, frozen=True):
    """One file of a submission, read."""

    name: str
    """Its POSIX path below the submission's root, printable; the lesson's own files in the lesson's spelling."""
    cells: tuple[str, ...]
    r"""The text, with `\n` line ends: one entry for a `.py`, one a code cell for a notebook; () with a problem."""
    problem: Problem | None
    """Why it could not be read."""
    notebook: bool


class Submission(msgspec.Struct, frozen=True):
    """Everything that is known of a submission before it runs."""

    name: str
    """The folder's or file's own name, printable."""
    files: tuple[SourceFile, ...]
    """The one file, or the lesson's files in the lesson's order; then whatever they may import."""
    layout: Layout
    digest: str
    """'sha256:…' over the files' names and bytes: the same wherever the folder lies and whenever it was saved."""
    root: str = ""
    """The POSIX path from what was named to the folder that holds `files`; '' where they are the same."""


class _Listing(NamedTuple):
    """What a walk through a folder saw."""

    files: list[Parts]
    """What could be a submission, nearest first."""
    others: list[str]
    """The names of other things in the folder itself, for messages."""


def read(path: Path) -> Submission:
    """The submission at `path`.

    Raises `UsageError` where there is nothing, nothing gradable, or more than one thing
    that could be meant; `EnvironmentFault` where the machine refuses to show it.
    """
    top = _located(path)
    if not top.is_dir():
        return _submission(top.name, "single", (), [((top.name,), top.name, contents(top))])
    listing = _walk(top)
    roots = {root for root, _name in map(_as_lesson_file, listing.files) if root is not None}
    outermost = sorted(root for root in roots if not any(root[:n] in roots for n in range(len(root))))
    if len(outermost) > 1:
        raise _several(path, outermost, outermost[0])
    return _folder(path, top, outermost[0], listing) if outermost else _renamed(path, top, listing)


def shown(name: str) -> str:
    """A file name as it can be printed: control characters, undecodable bytes and the like escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in name)


def _located(path: Path) -> Path:
    """The real place of `path`: a folder, or a regular `.py` or `.ipynb`. Raises `UsageError` for all else."""
    try:
        mode = path.lstat().st_mode
        place = path.resolve()
    except PermissionError as error:
        raise _closed(path, error) from None
    except (OSError, ValueError):
        raise _missing(path) from None
    if not place.is_dir() and not (stat.S_ISREG(mode) and _is_source(place.name)):
        raise _not_gradable(path, mode)
    return place


# ---------------------------------------------------------------- the three layouts


def _folder(path: Path, top: Path, root: Parts, listing: _Listing) -> Submission:
    """The lesson's files at `root`, in the lesson's order, then their helpers."""
    homes: dict[str, list[tuple[Parts, str]]] = {stem: [] for stem in LESSON_FILES}
    for parts in listing.files:
        place, name = _as_lesson_file(parts)
        if place == root:
            homes[_stem(name)].append((parts, name))
    for twins in homes.values():
        if len(twins) > 1:
            deepest = twins[-1][0]
            raise _several(path, [parts for parts, _name in twins], deepest[:-1] if deepest[:-1] != root else deepest)
    own = [one for twins in homes.values() for one in twins]
    layout: Literal["package", "flat"] = "package" if any("/" in name for _parts, name in own) else "flat"
    named = own + _helpers(root, listing, {parts for parts, _name in own})
    return _submission(top.name, layout, root, [(p, name, contents(top.joinpath(*p))) for p, name in named])


def _renamed(path: Path, top: Path, listing: _Listing) -> Submission:
    """The one file that defines names of the lesson, whatever it is called, then its helpers."""
    held = {parts: contents(top.joinpath(*parts)) for parts in listing.files[:MAX_FILES]}
    hits = {parts: names for parts, content in held.items() if (names := _own_names(content))}
    if not hits and len(held) == 1:
        hits = {parts: [] for parts, content in held.items() if content.fault}  # whatever it is, it is all there is
    if not hits:
        raise _nothing(path, listing)
    if len(hits) > 1:
        raise _unnamed(path, hits)
    (own,) = hits
    named = [(own, own[-1]), *(one for one in _helpers(own[:-1], listing, {own}) if one[0] in held)]
    return _submission(top.name, "single", own[:-1], [(parts, name, held[parts]) for parts, name in named])


def _submission(name: str, layout: Layout, root: Parts, found: list[tuple[Parts, str, Content]]) -> Submission:
    whole = sha256()
    for _parts, label, content in sorted(found, key=lambda one: one[1]):
        whole.update(b"%d:%b%b" % (len(os.fsencode(label)), os.fsencode(label), content.digest))
    return Submission(
        name=shown(name) or "/",
        files=tuple(_source(shown(label), content) for _parts, label, content in found),
        layout=layout,
        digest=f"sha256:{whole.hexdigest()}",
        root=shown("/".join(root)),
    )


def _source(name: str, content: Content) -> SourceFile:
    fault = content.fault
    problem = Problem(fault.blame, fault.kind, fault.message, name, fault.line) if fault else None
    return SourceFile(name, content.cells, problem, notebook=name.lower().endswith(".ipynb"))


def _helpers(root: Parts, listing: _Listing, taken: set[Parts]) -> list[tuple[Parts, str]]:
    """The other `.py` files at or below `root` that an import statement can name."""
    found = []
    for parts in listing.files:
        inside = parts[len(root) :]
        if parts[: len(root)] != root or parts in taken or not parts[-1].endswith(".py"):
            continue
        if all(module.isidentifier() for module in (*inside[:-1], _stem(inside[-1]))):
            folded = len(inside) > 1 and inside[0].lower() == "micrograd"
            found.append((parts, "/".join(("micrograd", *inside[1:]) if folded else inside)))
    return found[: MAX_FILES - len(taken)]


def _own_names(content: Content) -> list[str]:
    """The lesson's names that a file defines."""
    found = [match[1] or match[2] for cell in content.cells for match in _OWN_NAMES.finditer(cell)]
    return sorted(set(found), key=found.index)


def _as_lesson_file(parts: Parts) -> tuple[Parts | None, str]:
    """The root that a file would be one of the lesson's files of, and its name below it; (None, '') for another."""
    *above, name = parts
    if not name.lower().endswith(".py") or _stem(name) not in LESSON_FILES:
        return None, ""
    if above and above[-1].lower() == "micrograd":
        return tuple(above[:-1]), f"micrograd/{_stem(name)}.py"
    return tuple(above), f"{_stem(name)}.py"


def _stem(name: str) -> str:
    return name.rpartition("/")[2].rpartition(".")[0].lower()


def _is_source(name: str) -> bool:
    return name.lower().endswith((".py", ".ipynb"))


# ---------------------------------------------------------------- looking into folders


def _walk(top: Path) -> _Listing:
    """All that could be graded below `top`, level by level. Raises `EnvironmentFault` where `top` itself is closed."""
    listing = _Listing([], [])
    budget = iter(range(MAX_ENTRIES))
    level: list[Parts] = [()]
    for _depth in range(MAX_DEPTH):
        level = [below for folder in level for below in _look_into(top, folder, listing, budget)]
    return listing


def _look_into(top: Path, folder: Parts, listing: _Listing, budget: Iterator[int]) -> list[Parts]:
    """Add what one folder holds to the listing; returns the folders in it."""
    try:
        with os.scandir(top.joinpath(*folder)) as entries:
            seen = sorted((entry for entry, _n in zip(entries, budget, strict=False)), key=lambda entry: entry.name)
    except OSError as error:
        if not folder:
            raise _closed(top, error) from None
        return []
    if folder and any(entry.name == "pyvenv.cfg" for entry in seen):
        return []  # a virtual environment, whatever it is called
    folders = []
    for entry in seen:
        here = (*folder, entry.name)
        if _wanted(entry):
            listing.files.append(here)
            continue
        if not folder:
            listing.others.append(entry.name)
        if _is_folder(entry):
            folders.append(here)
    return folders


def _wanted(entry: os.DirEntry[str]) -> bool:
    """A regular `.py` or notebook; or anything at all under the name of one of the lesson's files."""
    if _as_lesson_file((entry.name,))[0] is not None:
        return True
    return _is_source(entry.name) and not IGNORED_FILES.match(entry.name) and entry.is_file(follow_symlinks=False)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """A folder to look into: no link, no junction, none that holds other people's files."""
    if entry.name.startswith(".") or entry.name.lower() in IGNORED_FOLDERS or not entry.is_dir(follow_symlinks=False):
        return False
    return getattr(entry.stat(follow_symlinks=False), "st_reparse_tag", 0) != _JUNCTION


# ---------------------------------------------------------------- what to say where there is nothing to grade


def _at(path: Path, parts: Iterable[str] = ()) -> str:
    """A path as it can be typed: below what was named, quoted where it has to be."""
    typed = shown(str(path.joinpath(*parts)))
    return f'"{typed}"' if " " in typed else typed


def _few(names: list[str]) -> str:
    return ", ".join([*names[:8], *(["…"] if names[8:] else [])])


def _missing(path: Path) -> UsageError:
    return UsageError(
        _(
            "There is no {path}. Looked for a folder with micrograd/engine.py, a .py file or a .ipynb notebook. "
            "To begin afresh: grade init; to grade what there is: grade check PATH"
        ).format(path=_at(path))
    )


def _not_gradable(path: Path, mode: int) -> UsageError:
    if stat.S_ISLNK(mode):
        message = _("{path} is a link, and not to a folder. Name the file itself: grade check PATH")
    elif stat.S_ISREG(mode):
        message = _(
            "{path} is neither a .py file nor a .ipynb notebook (an archive has to be unpacked). "
            "Name one, or a folder: grade check PATH"
        )
    else:
        message = _("{path} is neither a file nor a folder. Name one: grade check PATH")
    return UsageError(message.format(path=_at(path)))


def _nothing(path: Path, listing: _Listing) -> UsageError:
    found = [shown("/".join(parts)) for parts in listing.files] + [shown(name) for name in listing.others]
    return UsageError(
        _(
            "There is nothing to grade in {path}. Found: {found}. Looked for engine.py, functions.py, graph.py "
            "or nn.py, in micrograd/ or in the folder itself, or one .py or .ipynb file that defines Value or a "
            "function of the lesson; links are not followed. To begin afresh: grade init; "
            "to name the file: grade check PATH"
        ).format(path=_at(path), found=_few(found) or "—")
    )


def _several(path: Path, candidates: list[Parts], choice: Parts) -> UsageError:
    listed = [_at(path, parts) for parts in candidates]
    return UsageError(
        _("More than one thing in {path} could be graded: {found}. Name the one to grade: grade check {choice}").format(
            path=_at(path), found=_few(listed), choice=_at(path, choice)
        )
    )


def _unnamed(path: Path, hits: dict[Parts, list[str]]) -> UsageError:
    listed = [f"{_at(path, parts)} ({', '.join(names)})" for parts, names in hits.items()]
    return UsageError(
        _(
            "More than one file in {path} defines names of the lesson: {found}. Name them engine.py (Value), "
            "functions.py, graph.py and nn.py, or name the one to grade: grade check {choice}"
        ).format(path=_at(path), found=_few(listed), choice=_at(path, next(iter(hits))))
    )


def _closed(path: Path, error: OSError) -> EnvironmentFault:
    message = _("{path} cannot be opened: {error}. Give yourself access to it, then: grade check {path}")
    return EnvironmentFault(message.format(path=_at(path), error=error.strerror))
