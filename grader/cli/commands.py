"""The commands and their options, built anew for each run so that their help speaks the language chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import click

from grader import __version__
from grader.cli.localized import Command, Group, parsed
from grader.cli.screen import say
from grader.cli.words import read_format, read_language, read_least, read_seed, read_seeds
from grader.i18n import LANGUAGES, _
from grader.render import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["grade"]


def grade() -> click.Group:
    """The command `grade`."""
    commands = (_init(), _check(), _list(), _hint(), _audit())
    return Group(
        "grade",
        commands={str(command.name): command for command in commands},
        help=_("Grades a hand-written Value: what is right, what is not, and the smallest program that shows it."),
        epilog="grade init my-lesson\ngrade check my-lesson\ngrade hint add-mul",
        params=[_version(), *_common()],
        callback=_help_alone,
        invoke_without_command=True,
        subcommand_metavar=_("COMMAND [WORDS]..."),
    )


def _init() -> click.Command:
    return Command(
        "init",
        callback=_action("init"),
        help=_("Writes the template of the lesson into DIR (default: here). Never overwrites anything."),
        short_help=_("Write the template of the lesson."),
        epilog="grade init\ngrade init my-lesson",
        params=[click.Argument(["folder"], metavar="[DIR]", default="."), *_common()],
    )


def _check() -> click.Command:
    return Command(
        "check",
        callback=_action("check"),
        help=_(
            "Grades the submission at PATH (a folder, a .py file or a notebook; default: here) and reports on it. "
            "NAME is an exercise or a lesson; without one, everything is graded. `grade list` lists them."
        ),
        short_help=_("Grade a submission and report on it."),
        epilog="grade check\ngrade check my-lesson forward\ngrade check . add-mul derived\n"
        "grade check my-lesson --format json=report.json --min-score 80%",
        params=[click.Argument(["words"], nargs=-1, metavar="[PATH] [NAME]..."), *_check_options(), *_common()],
    )


def _check_options() -> list[click.Parameter]:
    formats = _("Report as F: on the screen, or into the file PATH. Repeatable. F: {names}.")
    return [
        _option("--seed", "N", read_seed, _("Draws other programs. Same seed, same report (default: 0)."), default="0"),
        click.Option(["--hints/--no-hints"], default=True, help=_("Say where to look for a fault (default), or not.")),
        _option(
            "--min-score",
            "N|N%",
            read_least,
            _("Exit with 0 from this score on: points, or percent (default: 100%)."),
            to="least",
            default="100%",
        ),
        click.Option(["--explore"], is_flag=True, help=_("Draws new programs until one fails. Takes longer.")),
        _option(
            "--format", "F[=PATH]", read_format, formats.format(names=", ".join(FORMATS)), to="outputs", multiple=True
        ),
    ]


def _list() -> click.Command:
    return Command(
        "list",
        callback=_action("list_exercises"),
        help=_("Lists the exercises: the lesson each belongs to, and what it is worth."),
        short_help=_("List the exercises."),
        epilog="grade list",
        params=_common(),
    )


def _hint() -> click.Command:
    return Command(
        "hint",
        callback=_action("hint"),
        help=_("Says how to go about an exercise, but never the solution."),
        short_help=_("Say how to go about an exercise."),
        epilog="grade hint add-mul",
        params=[click.Argument(["exercise"], metavar="EXERCISE"), *_common()],
    )


def _audit() -> click.Command:
    return Command(
        "audit",
        callback=_action("audit"),
        help=_(
            "For authors: are the checks right? The template must have no point, the reference and every right engine "
            "all points, and every bug model must lose what it declares and no more."
        ),
        short_help=_("Prove the checks right, for authors."),
        epilog="grade audit\ngrade audit --lesson my-lesson --format matrix\ngrade audit --seed 0-19",
        params=[
            click.Option(
                ["--format"],
                type=click.Choice(["terminal", "matrix", "json"]),
                default="terminal",
                help=_("A summary (default), the kill matrix with each mistake's smallest program, or JSON."),
            ),
            _option(
                "--seed",
                "N|N-M",
                read_seeds,
                _("Audits under these seeds. Repeatable (default: 0)."),
                to="seeds",
                multiple=True,
            ),
            click.Option(
                ["--lesson"],
                metavar="DIR",
                help=_("Audits the lesson in DIR (default: the one that came with this program)."),
            ),
            *_common(),
        ],
    )


def _action(name: str) -> Callable[..., int]:
    def run(**asked: object) -> int:
        from grader.cli import actions

        return cast("int", getattr(actions, name)(**asked))

    return run


# ---------------------------------------------------------------- options


def _option(
    name: str,
    metavar: str,
    read: Callable[[str], object],
    text: str,
    **more: Any,  # noqa: ANN401 click's own
) -> click.Option:
    names = [name, more.pop("to")] if "to" in more else [name]
    return click.Option(names, type=parsed(read), metavar=metavar, help=text, **more)


def _common() -> list[click.Parameter]:
    """What every command takes. `--lang` has done its work before parsing; here it is only verified."""
    return [
        _option("--lang", "|".join(LANGUAGES), read_language, _("Speak English or Russian."), expose_value=False),
        _flag(["-h", "--help"], _("Show this help."), lambda context: context.get_help() + "\n"),
    ]


def _version() -> click.Option:
    return _flag(["--version"], _("Show the version."), lambda _context: f"micrograde {__version__}\n")


def _flag(names: list[str], text: str, answer: Callable[[click.Context], str]) -> click.Option:
    """An option that says something and ends the command."""

    def run(context: click.Context, _option: click.Parameter, given: bool) -> None:
        if given and not context.resilient_parsing:
            say(answer(context))
            context.exit()

    return click.Option(names, is_flag=True, is_eager=True, expose_value=False, callback=run, help=text)


@click.pass_context
def _help_alone(context: click.Context) -> None:
    if context.invoked_subcommand is None:
        say(context.get_help() + "\n")
