"""One file of a submission: its bytes read once, and turned into cells of code.

A `.py` is one cell, read as Python itself reads it (PEP 263), but from a short list
of encodings, and nothing is guessed: what cannot be read for certain is `Unreadable`,
with the line and the cure. A notebook is JSON of nbformat 3 or 4; of its cells only
the code is kept. Nothing here compiles or runs what it reads.
"""

from __future__ import annotations

import codecs
import os
import re
import stat
from hashlib import sha256
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from grader.errors import GraderError
from grader.i18n import _

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["CODE_CAP", "NOTEBOOK_CAP", "Content", "Unreadable", "code_cells", "contents", "text"]

CODE_CAP = 256 << 10
"""Bytes of code in one file: a `.py`, or all code cells of a notebook."""

NOTEBOOK_CAP = 8 << 20
"""Bytes of a notebook as it lies on the disk, pictures in its outputs included."""

_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""A fifo under the name of a file must not hold us up, nor a link lead us off."""

ENCODINGS = ("utf-8", "ascii", "latin-1", "cp1251", "cp1252", "koi8-r")
"""What a `.py` may be written in, by the names that messages use."""

_ALIASES = {name: name for name in ENCODINGS} | {"utf8": "utf-8", "utf-8-sig": "utf-8", "us-ascii": "ascii"}
_ALIASES |= dict.fromkeys(("latin1", "iso-8859-1", "iso8859-1", "iso-latin-1"), "latin-1")
_ALIASES |= {"windows-1251": "cp1251", "windows-1252": "cp1252"}

_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)  # that of UTF-32 LE begins as that of UTF-16 LE

_DECLARATION = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)")
_BLANK_OR_COMMENT = re.compile(rb"[ \t\f]*(?:#.*)?$")
_EDITOR_SUFFIX = re.compile(r"-(unix|dos|mac)$")


class Unreadable(GraderError):
    """A file of a submission that cannot be turned into text."""

    def __init__(
        self, kind: str, message: str, *, line: int | None = None, blame: Literal["student", "environment"] = "student"
    ) -> None:
        super().__init__(message)
        self.kind = kind
        """'encoding', 'notebook', 'too-large' or 'unreadable'."""
        self.message = message
        """A sentence in the reader's language that ends with what to do."""
        self.line = line
        """The line, from 1, where one is to blame."""
        self.blame = blame
        """'environment' where the machine would not give the file."""


class Content(NamedTuple):
    """What one file holds."""

    cells: tuple[str, ...]
    """Its code; () where it could not be read."""
    digest: bytes
    """SHA-256 of the bytes that were read; of none where they were not."""
    fault: Unreadable | None
    """Why it could not be read."""


def contents(path: Path) -> Content:
    """What the file at `path` holds: a notebook by its suffix, else a `.py`. Never raises for what a student did."""
    notebook, raw = path.name.lower().endswith(".ipynb"), b""
    try:
        raw = _bytes(path, NOTEBOOK_CAP if notebook else CODE_CAP)
        return Content(code_cells(raw) if notebook else (text(raw),), sha256(raw).digest(), None)
    except Unreadable as fault:
        return Content((), sha256(raw).digest(), fault)


def _bytes(path: Path, cap: int) -> bytes:
    """All bytes of a regular file of at most `cap` bytes; one that grows meanwhile is read no further than that."""
    try:
        _refuse_special(path.lstat().st_mode)  # before opening: to open a device can have effects
        with os.fdopen(os.open(path, _READ), "rb", buffering=0) as file:
            seen = os.fstat(file.fileno())
            _refuse_special(seen.st_mode)
            chunks, left = [], cap + 1
            while left > 0 and (chunk := file.read(left)):
                chunks.append(chunk)
                left -= len(chunk)
    except OSError as error:
        message = _("The file cannot be read: {error}. Mend that, then run `grade check` again.")
        raise Unreadable("unreadable", message.format(error=error.strerror), blame="environment") from None
    if left <= 0:
        message = _(
            "The file is larger than {cap} KiB. "
            "Take out what does not belong to the lesson, then run `grade check` again."
        )
        raise Unreadable("too-large", message.format(cap=cap >> 10))
    return b"".join(chunks)


def _refuse_special(mode: int) -> None:
    if not stat.S_ISREG(mode):
        message = _(
            "This is not an ordinary file but a folder, a link or a device. "
            "Put the file itself there, then run `grade check` again."
        )
        raise Unreadable("unreadable", message)


def text(raw: bytes) -> str:
    r"""The text of a `.py`, line ends made `\n`, a byte order mark left out.

    An encoding declaration stays: `compile` takes no notice of one in a `str`.
    Raises `Unreadable` of kind 'encoding'.
    """
    marked = raw.startswith(codecs.BOM_UTF8)
    body = raw.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    _refuse_wide(raw, body)
    declared = None if marked else _declared(body)
    encoding = _known(declared) if declared else "utf-8"
    try:
        return body.decode(encoding)
    except UnicodeDecodeError as error:
        line = _line(body, error.start)
        raise Unreadable("encoding", _not_decodable(encoding, declared, line), line=line) from None


def _refuse_wide(raw: bytes, body: bytes) -> None:
    """Refuse UTF-16 and UTF-32, with their mark or by their NULs, and any other NUL: Python allows none."""
    nuls = body.count(0)
    if raw.startswith(_WIDE) or nuls * 4 >= max(len(body), 1):
        raise Unreadable(
            "encoding", _("The file is saved as UTF-16 (or UTF-32). Save it as UTF-8, then run `grade check` again.")
        )
    if nuls:
        line = _line(body, body.index(0))
        message = _(
            "Line {line} holds a NUL byte: a damaged file, or none of text. Save it as UTF-8, "
            "then run `grade check` again."
        )
        raise Unreadable("encoding", message.format(line=line), line=line)


def _declared(body: bytes) -> str | None:
    """The encoding that a comment in the first two lines names, as it is written there."""
    first, _sep, rest = body.partition(b"\n")
    found = _DECLARATION.match(first)
    if found is None and _BLANK_OR_COMMENT.match(first):
        found = _DECLARATION.match(rest.partition(b"\n")[0])
    return found[1].decode("ascii") if found else None


def _known(declared: str) -> str:
    """Our name of a declared encoding. Raises `Unreadable` where it is none of `ENCODINGS`."""
    plain = _EDITOR_SUFFIX.sub("", declared.lower().replace("_", "-"))
    if plain in _ALIASES:
        return _ALIASES[plain]
    message = _(
        "The first lines declare the encoding {declared}; {allowed} are understood. "
        "Save the file as UTF-8 and take the declaration out, then run `grade check` again."
    ).format(declared=declared[:40], allowed=", ".join(ENCODINGS))
    raise Unreadable("encoding", message, line=1)


def _not_decodable(encoding: str, declared: str | None, line: int) -> str:
    if declared is None or encoding == "utf-8":
        return _(
            "Line {line} is not valid UTF-8. Save the file as UTF-8 (an editor's “Save with encoding”), "
            "then run `grade check` again."
        ).format(line=line)
    return _(
        "Line {line} holds a byte that {declared}, the declared encoding, does not have. "
        "Save the file as UTF-8 and take the declaration out, then run `grade check` again."
    ).format(line=line, declared=declared[:40])


def _line(body: bytes, position: int) -> int:
    return body.count(b"\n", 0, position) + 1


# ---------------------------------------------------------------- notebooks


class _Cell(msgspec.Struct):
    """A cell, as far as it concerns us: nbformat 4 keeps code in `source`, nbformat 3 in `input`."""

    cell_type: str = ""
    source: str | tuple[str, ...] = ""
    input: str | tuple[str, ...] = ""


class _Worksheet(msgspec.Struct):
    """A page of an nbformat 3 notebook."""

    cells: tuple[_Cell, ...] = ()


class _Notebook(msgspec.Struct):
    """A notebook's outermost object. Outputs, pictures and metadata are skipped unread."""

    nbformat: int
    cells: tuple[_Cell, ...] = ()
    worksheets: tuple[_Worksheet, ...] = ()


def code_cells(raw: bytes) -> tuple[str, ...]:
    r"""The code cells of a notebook in order, each as it is written there (`%` lines too), line ends made `\n`.

    Raises `Unreadable`: 'notebook' where it is not a notebook of nbformat 3 or 4,
    'too-large' where there is more code than `CODE_CAP`.
    """
    notebook = _parsed(raw)
    listed = [*notebook.cells, *(cell for sheet in notebook.worksheets for cell in sheet.cells)]
    cells = tuple(_joined(cell.source or cell.input) for cell in listed if cell.cell_type == "code")
    size = sum(len(cell.encode()) for cell in cells)
    if size > CODE_CAP:
        message = _(
            "The notebook holds {size} KiB of code; at most {cap} KiB are read. "
            "Take out what does not belong to the lesson, then run `grade check` again."
        ).format(size=-(-size >> 10), cap=CODE_CAP >> 10)
        raise Unreadable("too-large", message)
    return cells


def _joined(source: str | tuple[str, ...]) -> str:
    whole = source if isinstance(source, str) else "".join(source)
    return whole.replace("\r\n", "\n").replace("\r", "\n")


def _parsed(raw: bytes) -> _Notebook:
    try:
        notebook = msgspec.json.decode(raw.removeprefix(codecs.BOM_UTF8), type=_Notebook)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        message = _(
            "This is not a notebook that can be read ({error}). "
            "Open it in Jupyter and save it anew, then run `grade check` again."
        ).format(error=str(error)[:200])
        raise Unreadable("notebook", message) from None
    if notebook.nbformat not in (3, 4):
        message = _(
            "The notebook is of format {format}; formats 3 and 4 are read. "
            "Save it anew in a current Jupyter, then run `grade check` again."
        ).format(format=notebook.nbformat)
        raise Unreadable("notebook", message)
    return notebook
