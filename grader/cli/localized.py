"""click in the reader's language: what it would say by itself is said here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from grader.cli.words import nearest
from grader.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Command", "Group", "parsed", "said"]


def parsed(read: Callable[[str], object]) -> Callable[[str], object]:
    """The click type of a word that `read` understands, or refuses with a ValueError that says why."""

    def convert(word: str) -> object:
        try:
            return read(word)
        except ValueError as error:
            raise click.BadParameter(str(error)) from None

    return convert


class _Formatter(click.HelpFormatter):
    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, prefix or _("Usage:") + " ")

    def write_heading(self, heading: str) -> None:
        super().write_heading({"Options": _("Options"), "Commands": _("Commands")}.get(heading, heading))


class _Context(click.Context):
    formatter_class = _Formatter


class Command(click.Command):
    """A command whose epilog is its examples, a line each; it brings its own `--help`."""

    context_class = _Context

    def __init__(self, *args: Any, **keywords: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **keywords)
        self.add_help_option = False
        self.options_metavar = _("[OPTIONS]")
        # To ask the terminal for its width click imports shutil: a tenth of the time that `grade --help` takes.
        self.context_settings["terminal_width"] = 78

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words; `click.UsageError` if some are left over."""
        ctx.allow_extra_args = True
        try:
            rest = super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # an option without its value does not say whose it is
            raise
        if rest:
            raise click.UsageError(_("too many words: {words}").format(words=" ".join(rest)), ctx)
        return rest

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 click's form
        """Write the examples as they are."""
        with formatter.section(_("Examples")):
            for line in (self.epilog or "").splitlines():
                formatter.write(f"  {line}\n")


class Group(Command, click.Group):
    """The command that holds the others."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 click's form
        """The commands in the order a student meets them."""
        return list(self.commands)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the group's own options; the rest is the command."""
        return click.Group.parse_args(self, ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; `click.UsageError` with the nearest one if there is none of that name."""
        if args[0] not in self.commands and not args[0].startswith("-"):
            message = _("there is no command {name}").format(name=args[0]) + nearest(args[0], self.commands)
            raise click.UsageError(message, ctx)
        return super().resolve_command(ctx, args)


def said(error: click.ClickException) -> str:
    """What was wrong with the words on the command line."""
    if isinstance(error, click.NoSuchOption):
        message = _("there is no option {name}").format(name=error.option_name)
        return message + nearest(error.option_name, error.possibilities or ())
    if isinstance(error, click.MissingParameter) and error.param:
        return _("{name} is missing").format(name=error.param.metavar)
    if isinstance(error, click.BadOptionUsage):
        return _("{name}: its value is missing, or it takes none").format(name=error.option_name)
    return error.message
