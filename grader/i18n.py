"""The program's words in the reader's language.

Strings are written in English where they are used, `_("…")`, and the English is the
key; `locale/ru/LC_MESSAGES/micrograde.po` holds the Russian. Names go in with
`.format`, after translating: `_("there is no {name}").format(name=…)`. A string that
is needed before the language is known is marked with `N_` and translated where shown.

After adding or changing a string run `python tests/test_i18n.py`: it gathers the
strings, keeps the translations there are, says which are missing, and compiles.

The lesson's own words stand in `checks/lesson.toml`, not here.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from gettext import NullTranslations

__all__ = ["LANGUAGES", "N_", "_", "current", "default_language", "language", "ngettext"]

Language = Literal["en", "ru"]

LANGUAGES: tuple[Language, ...] = ("en", "ru")


class _Catalogue:
    """The language that this process speaks. English needs no file, so none is read for it."""

    def __init__(self) -> None:
        self.code: Language = "en"
        self._translations: NullTranslations | None = None

    def choose(self, code: str) -> None:
        """Speak `code` from now on: 'en' or 'ru'. Raises ValueError for another."""
        if code not in LANGUAGES:
            message = f"a language that micrograde does not speak: {code!r}; choose one of {', '.join(LANGUAGES)}"
            raise ValueError(message)
        self.code = code
        self._translations = None if code == "en" else _load(code)

    def gettext(self, message: str) -> str:
        """`message` in the chosen language."""
        return message if self._translations is None else self._translations.gettext(message)

    def ngettext(self, one: str, many: str, n: int) -> str:
        """The form of the message that goes with `n` things; put `n` in with `.format(n=n)`."""
        if self._translations is None:
            return one if n == 1 else many
        return self._translations.ngettext(one, many, n)


def _load(code: str) -> NullTranslations:
    from gettext import translation
    from pathlib import Path

    return translation("micrograde", Path(__file__).parent / "locale", languages=[code], fallback=True)


_catalogue = _Catalogue()

language = _catalogue.choose
_ = _catalogue.gettext
ngettext = _catalogue.ngettext


def N_(message: str) -> str:  # noqa: N802 gettext's own name for it
    """Mark a message for translation and leave it as it is."""
    return message


def current() -> Language:
    """The language chosen last."""
    return _catalogue.code


def default_language(environ: Mapping[str, str], platform: str = sys.platform) -> Language:
    """The language to speak when none was asked for.

    `MICROGRADE_LANG` decides; else the locale of messages, as POSIX has it (the first
    of LC_ALL, LC_MESSAGES and LANG that is set); on Windows, where none is, the user's.
    """
    names = ("MICROGRADE_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
    said = next((environ[name] for name in names if environ.get(name)), "")
    if not said and platform == "win32":
        from locale import getlocale

        said = getlocale()[0] or ""
    return "ru" if said.lower().startswith("ru") else "en"
