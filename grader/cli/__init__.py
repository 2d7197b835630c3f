"""The command line: the only place that prints or exits, and the only one that knows click.

Exit codes: 0 all points, or as many as `--min-score` asks; 1 points lost; 2 the command was
used wrongly; 3 the machine or the grader failed; 130 stopped from the keyboard. 3 beats 2 beats 1.
No traceback is shown, unless `MICROGRADE_DEBUG` is set.

In order of reading: `words`, what the words on the command line mean; `localized`, click in
the reader's language; `commands`, the commands and their options; `actions`, what they do,
imported only when one of them runs, so that `grade --help` loads click alone.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from typing import TYPE_CHECKING, NoReturn

import click

from grader.cli.commands import grade
from grader.cli.localized import said
from grader.cli.words import asked_language, see
from grader.errors import GraderError, UsageError
from grader.i18n import _, default_language, language

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

USAGE, FAULT, INTERRUPTED = 2, 3, 130


def main(args: Sequence[str] | None = None, prog_name: str | None = None) -> NoReturn:
    """Run `grade` with these words (default: the process's own) and exit with its code."""
    _write_anything()
    language(asked_language(sys.argv[1:] if args is None else args) or default_language(os.environ))
    sys.exit(_run(args, prog_name))


def _write_anything() -> None:
    """Let no console's code page stop a report: what it cannot write is written otherwise."""
    codecs.register_error("micrograde", _otherwise)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="micrograde")


def _otherwise(error: UnicodeError) -> tuple[str, int]:
    from grader.render.text import ascii_marks

    return ascii_marks(error)


def _run(args: Sequence[str] | None, prog_name: str | None) -> int:
    try:
        return grade().main(args, prog_name, standalone_mode=False) or 0
    except click.Abort:
        return _fail(INTERRUPTED, _("Stopped."))
    except click.ClickException as error:
        return _fail(USAGE, _error(said(error)), _help_on(error))
    except GraderError as error:
        return _fail(USAGE if isinstance(error, UsageError) else FAULT, _error(str(error)))
    except OSError as error:
        return _fault(_error(_("the machine refused: {what}").format(what=error)))
    except Exception as error:  # noqa: BLE001 a traceback helps no student: whatever it is, it is our fault
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        return _fault(_("Grader fault, not a fault of the submission: {what}").format(what=what))


def _fail(code: int, *lines: str) -> int:
    from grader.render.text import WIDTH, wrap

    wrapped = (piece for text in lines for line in text.splitlines() for piece in wrap(line, WIDTH))
    click.echo("\n".join(wrapped), file=sys.stderr)
    return code


def _fault(line: str) -> int:
    if os.environ.get("MICROGRADE_DEBUG"):
        from traceback import print_exc

        print_exc()
    return _fail(FAULT, line, _("To report it, run that again with MICROGRADE_DEBUG=1 set, and send what it prints."))


def _error(text: str) -> str:
    return _("Error: {text}").format(text=text)


def _help_on(error: click.ClickException) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    return see(f"{context.command_path if context else 'grade'} --help")
