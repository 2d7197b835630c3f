"""Every string of the program has its Russian, and the compiled catalogue is the written one.

`python tests/test_i18n.py` gathers the strings of `grader/` into the catalogue, keeps the
translations there are, prints those that are missing or doubtful, and compiles it.
"""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

from grader import i18n

if TYPE_CHECKING:
    from collections.abc import Iterator

GRADER = Path(i18n.__file__).parent
PO = GRADER / "locale" / "ru" / "LC_MESSAGES" / "micrograde.po"
MO = PO.with_suffix(".mo")
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}


def gathered() -> Catalog:
    """Every string marked in `grader/`."""
    found = Catalog()
    for _file, _line, message, comments, _context in extract_from_dir(
        str(GRADER), [("**.py", "python")], keywords=KEYWORDS, comment_tags=["i18n:"]
    ):
        found.add(message, None, auto_comments=comments)
    return found


def written() -> Catalog:
    """The catalogue as it stands in the tree."""
    with PO.open("rb") as file:
        return read_po(file, locale="ru", domain="micrograde")


def compiled(catalogue: Catalog) -> bytes:
    """The bytes of the catalogue's `.mo`."""
    with BytesIO() as buffer:
        write_mo(buffer, catalogue)
        return buffer.getvalue()


def incomplete(catalogue: Catalog) -> list[str]:
    """The messages that have no translation, not in every plural form, or a guessed one."""
    return [str(m.id) for m in catalogue if m.id and (m.fuzzy or not _forms(m) or not all(_forms(m)))]


def update() -> list[str]:
    """Bring the catalogue up to date with the strings and compile it. Returns what is incomplete."""
    catalogue, template = written(), gathered()
    template.creation_date = catalogue.creation_date
    catalogue.update(template, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    with PO.open("wb") as file:
        write_po(file, catalogue, width=120, no_location=True, sort_output=True, ignore_obsolete=True)
    MO.write_bytes(compiled(written()))
    return incomplete(written())


def _forms(message: Message) -> tuple[str, ...]:
    text = message.string
    return tuple(text) if isinstance(text, tuple | list) else (text,) if text else ()


def _fields(text: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in Formatter().parse(text) if name is not None}


def test_the_catalogue_holds_every_string_of_the_program_and_no_other() -> None:
    """A string that was added, changed or removed makes this fail until `python tests/test_i18n.py` is run."""
    assert {m.id for m in gathered() if m.id} == {m.id for m in written() if m.id}
    assert not written().obsolete


def test_every_string_is_translated_into_russian() -> None:
    """No message lacks its Russian, in all three plural forms where it counts things, and none is guessed."""
    assert incomplete(written()) == []


def test_a_translation_names_the_same_things_as_its_message() -> None:
    """The `{names}` of a message are those of each of its translations."""
    for message in written():
        ids = message.id if isinstance(message.id, tuple | list) else (message.id,)
        for text in (*ids, *_forms(message)) if message.id else ():
            assert _fields(text) == _fields(str(ids[0])), ids


def test_the_compiled_catalogue_is_the_written_one() -> None:
    """The `.mo` that is shipped holds what the `.po` says; their headers may name another version of Babel."""
    shipped, fresh = read_mo(BytesIO(MO.read_bytes())), read_mo(BytesIO(compiled(written())))
    assert {str(m.id): m.string for m in shipped if m.id} == {str(m.id): m.string for m in fresh if m.id}
    assert shipped.plural_expr == fresh.plural_expr


@pytest.mark.parametrize(("n", "words"), [(1, "1 балл"), (3, "3 балла"), (5, "5 баллов"), (11, "11 баллов")])
@pytest.mark.usefixtures("russian")
def test_russian_counts_as_russians_do(n: int, words: str) -> None:
    """One, few and many have each their own form."""
    assert i18n.ngettext("{n} point", "{n} points", n).format(n=n) == words


def test_english_counts_one_and_many() -> None:
    """English has two forms."""
    assert [i18n.ngettext("{n} point", "{n} points", n).format(n=n) for n in (1, 2)] == ["1 point", "2 points"]


@pytest.fixture
def russian() -> Iterator[None]:
    """The program speaks Russian for one test."""
    i18n.language("ru")
    yield
    i18n.language("en")


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "ru_RU.UTF-8"}, "ru"),
        ({"LC_MESSAGES": "ru_UA.KOI8-U", "LANG": "en_US.UTF-8"}, "ru"),
        ({"LC_ALL": "en_GB.UTF-8", "LC_MESSAGES": "ru_RU", "LANG": "ru_RU"}, "en"),
        ({"LC_ALL": "", "LANG": "ru_RU.UTF-8"}, "ru"),
        ({"MICROGRADE_LANG": "en", "LC_ALL": "ru_RU.UTF-8"}, "en"),
        ({"MICROGRADE_LANG": "ru", "LANG": "en_US.UTF-8"}, "ru"),
    ],
)
def test_the_language_is_that_of_the_environment(environ: dict[str, str], expected: str) -> None:
    """MICROGRADE_LANG decides, then the first locale variable that is set; English is the rest."""
    assert i18n.default_language(environ, platform="linux") == expected


@pytest.mark.parametrize(
    ("locale", "expected"), [("Russian_Russia", "ru"), ("English_United States", "en"), (None, "en")]
)
def test_windows_is_asked_for_the_users_locale(
    locale: str | None, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Windows the locale variables are not set, so the user's own locale decides."""
    monkeypatch.setattr("locale.getlocale", lambda: (locale, "1251"))
    assert i18n.default_language({}, platform="win32") == expected


def test_a_language_that_is_not_spoken_is_refused() -> None:
    """A slip in a language's code is an error, not English in silence."""
    with pytest.raises(ValueError, match=r"'de'.*en, ru"):
        i18n.language("de")
    assert i18n.current() == "en"


def test_english_reads_no_catalogue() -> None:
    """To speak English costs no import of pathlib and no file."""
    code = "import sys; from grader.i18n import _, language; language('en'); _('x'); print('pathlib' in sys.modules)"
    printed = subprocess.run([sys.executable, "-S", "-c", code], cwd=GRADER.parent, capture_output=True, check=True)
    assert printed.stdout.split() == [b"False"]


if __name__ == "__main__":
    sys.stdout.write("".join(f"no Russian: {text}\n" for text in update()))
