"""Standard output and error: what is printed, in colour or not, and what becomes of it when nobody reads."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from grader.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["colored", "progress", "say"]


def say(text: str) -> None:
    """Print `text` as it is. A reader who has gone away (`| head`) changes nothing, least of all the exit code."""
    try:
        # By itself click takes an ASCII stream for a mistake, and writes UTF-8 to it.
        click.echo(text, file=sys.stdout, nl=False, color=colored())
    except OSError as error:
        # What is still in the buffer must go nowhere when Python flushes it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        # Windows says EINVAL where POSIX says EPIPE.
        if error.errno not in {errno.EPIPE, errno.EINVAL}:
            raise


def colored() -> bool:
    """Whether standard output shows colours: a terminal does, unless told not to."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


@contextmanager
def progress(label: str = "") -> Iterator[Callable[[int, int], None] | None]:
    """A function to be told (done, total), which shows a bar from its first call on; None where nobody looks."""
    if not sys.stderr.isatty():
        yield None
        return
    bar = click.progressbar(length=1, label=label or _("Preparing the programs"), file=sys.stderr)

    def advance(done: int, total: int) -> None:
        bar.length = total
        bar.pos = done
        bar.render_progress()

    yield advance
    if bar.pos:
        bar.render_finish()
