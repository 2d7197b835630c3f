"""Plain text for terminals: styles by name, columns, folding, and nothing unprintable."""

from __future__ import annotations

from collections.abc import Callable
from unicodedata import combining, east_asian_width

Paint = Callable[[str, str], str]
"""(style, text) to the text in that style."""

WIDTH = 78
"""Columns in use: under 80, since some consoles break a line that fills the last column."""

SENTENCE = 600
"""The longest sentence shown whole, in characters."""

STYLES = {
    "heading": "1",
    "passed": "32",
    "failed": "31",
    "waiting": "33",
    "idle": "2",
    "broken": "35",
    "code": "36",
    "expected": "32",
    "got": "31",
    "hint": "33",
    "command": "1;36",
    "quiet": "2",
}
"""Every style of a report: its name, and the parameters of the escape sequence that turns it on."""

_PLAIN = str.maketrans(
    {
        "✓": "+",
        "✗": "x",
        "–": "-",
        "—": "-",
        "…": ".",
        "·": "-",
        "’": "'",
        "“": '"',
        "”": '"',
        "«": '"',
        "»": '"',
        "−": "-",
        "×": "x",
        "≤": "<",
        "≥": ">",
        "→": ">",
    }
)
"""What stands for a sign of ours where the console's code page lacks it: one column each, so that tables align."""


def styled(style: str, text: str, *, color: bool) -> str:
    """`text` in the named style, or as it is if there are no colours."""
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if color and text else text


def ascii_marks(error: UnicodeError) -> tuple[str, int]:
    """An error handler for `codecs`: signs of ours become ASCII, what cannot be written becomes '?'."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end].translate(_PLAIN)
    return "".join(c if c.isascii() else "?" for c in lost), error.end


def printable(text: str, limit: int) -> str:
    """`text` as one line that can do a terminal no harm, of at most `limit` characters.

    Control codes, direction marks and halves of characters are shown as escapes.
    """
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    return "".join(c if c.isprintable() else " " if c.isspace() else _escaped(c) for c in cut)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def columns(text: str) -> int:
    """How many columns `text` takes: two for a wide character, none for a combining one."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def padded(text: str, room: int) -> str:
    """`text` with spaces after it, up to `room` columns."""
    return text + " " * (room - columns(text))


def shortened(text: str, room: int) -> str:
    """`text` if it fits into `room` columns, else its beginning and an ellipsis."""
    if columns(text) <= room:
        return text
    while text and columns(text) > room - 1:
        text = text[:-1]
    return text.rstrip() + "…" if room > 0 else ""


def wrap(text: str, room: int) -> list[str]:
    """`text` as lines of at most `room` columns, broken at spaces, and inside a word only if it is longer than that."""
    lines = [""]
    for word in text.split(" "):
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if columns(joined) <= room:
            lines[-1] = joined
            continue
        if not lines[-1]:
            lines.pop()
        lines.extend(chop(word, room))
    return lines


def chop(text: str, room: int) -> list[str]:
    """`text` as lines of at most `room` columns, broken wherever a line is full."""
    pieces = [""]
    for character in text:
        if columns(pieces[-1] + character) > room:
            pieces.append("")
        pieces[-1] += character
    return pieces


def fold_code(line: str, room: int) -> list[str]:
    """A statement of Python as lines of at most `room` columns that mean the same.

    Broken only at spaces inside brackets; where there is no such place a line stays long,
    since a program that can be pasted is worth more than one that looks neat.
    """
    lines, start, indent = [], 0, ""
    places = _spaces_in_brackets(line)
    while columns(indent + line[start:]) > room:
        later = [place for place in places if place > start]
        fitting = [place for place in later if columns(indent + line[start:place]) <= room]
        if not later:
            break
        place = (fitting or later[:1])[-1]
        lines.append(indent + line[start:place])
        start, indent = place + 1, "    "
    return [*lines, indent + line[start:]]


def _spaces_in_brackets(line: str) -> list[int]:
    depth, quote, found = 0, "", []
    for place, character in enumerate(line):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character == " " and depth:
            found.append(place)
        else:
            depth += (character in "([{") - (character in ")]}")
    return found
