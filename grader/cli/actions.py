"""What each command does. Each returns its exit code, or raises an error that ends with the command to run next."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from grader.cli.screen import colored, progress, say
from grader.cli.words import nearest, path_and_names, see
from grader.errors import EnvironmentFault, UsageError
from grader.i18n import _, current, ngettext
from grader.lesson import load, root
from grader.render import renderer
from grader.render.text import WIDTH, padded, shortened, wrap

if TYPE_CHECKING:
    from grader.cli.words import Least, Output
    from grader.report import Report

__all__ = ["audit", "check", "exit_code", "hint", "init", "list_exercises"]

DONE, LOST, FAULT = 0, 1, 3


# ---------------------------------------------------------------- check


def check(
    *, words: tuple[str, ...], seed: int, least: Least, outputs: tuple[Output, ...], hints: bool, explore: bool
) -> int:
    """Grade a submission and deliver the report."""
    from grader.grading import grade
    from grader.submission import read

    if sum(not output.path for output in outputs) > 1:
        message = _("only one --format can go to the screen; give the others a file: F=PATH")
        raise UsageError(f"{message}\n{see('grade check --help')}")
    lesson = load()
    path, names = path_and_names(words, lesson)
    with progress() as told:
        report = grade(
            read(path),
            lesson,
            seed=seed,
            names=names,
            lang=current(),
            explore=path if explore else None,
            progress=told,
        )
    _deliver(report if hints else report.without_hints(), outputs, _check_command(str(path)))
    return exit_code(report, least)


def exit_code(report: Report, least: Least) -> int:
    """What a report means to whoever ran the command: 3 beats 1 beats 0."""
    if report.faulted:
        return FAULT
    return DONE if least.met(report) else LOST


def _deliver(report: Report, outputs: tuple[Output, ...], again: str) -> None:
    """Files first, then the screen: the terminal's report, unless another format was asked for there."""
    shown = next((output.format for output in outputs if not output.path), "terminal")
    try:
        for output in outputs:
            if output.path:
                _write(output.path, renderer(output.format)(report, color=False, again=again))
    finally:
        say(renderer(shown)(report, color=colored(), again=again))


def _write(name: str, text: str) -> None:
    """Write a file whole or not at all; its folders are made."""
    path = Path(name)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8", newline="\n")  # a device or a pipe: nothing may take its place
            return
        draft.write_text(text, encoding="utf-8", newline="\n")
        draft.replace(path)
    except OSError as error:
        message = _("cannot write {path}: {why}").format(path=name, why=error.strerror)
        raise EnvironmentFault(f"{message}\n{see('grade check --help')}") from None
    finally:
        with suppress(OSError):
            draft.unlink()


# ---------------------------------------------------------------- init


def init(*, folder: str) -> int:
    """Copy the template into `folder`; refuses, and writes nothing, where something is in its way."""
    template, target = root() / "student_template", Path(folder)
    files = [p.relative_to(template) for p in sorted(template.rglob("*")) if p.is_file() and p.suffix != ".pyc"]
    if taken := [file.as_posix() for file in files if _in_the_way(target, file)]:
        message = _("nothing was written, since these are there already: {files}").format(files=", ".join(taken))
        raise UsageError(f"{message}\n{see('grade init my-lesson')}")
    for file in files:
        (target / file).parent.mkdir(parents=True, exist_ok=True)
        with (target / file).open("xb") as copy:
            copy.write((template / file).read_bytes())
    written = ngettext("{n} file written.", "{n} files written.", len(files)).format(n=len(files))
    say(f"{written}\n{see(_check_command(folder))}\n")
    return DONE


def _in_the_way(target: Path, file: Path) -> bool:
    goal = target / file
    folders = (target / parent for parent in file.parents)
    return goal.exists() or goal.is_symlink() or any(f.exists() and not f.is_dir() for f in folders)


def _check_command(folder: str) -> str:
    if Path(folder) == Path():
        return "grade check"
    return f'grade check "{folder}"' if " " in folder else f"grade check {folder}"


# ---------------------------------------------------------------- list, hint


def list_exercises() -> int:
    """Say which exercises there are, and what each is worth."""
    lesson = load()
    room = max(len(e.id) for e in lesson.exercises)
    for name in lesson.lessons:
        own = [e for e in lesson.exercises if e.lesson == name]
        say(f"{name} · {_points(sum(e.points for e in own))}\n")
        for exercise in own:
            title = shortened(exercise.title.say(current()), WIDTH - room - 9)
            say(f"  {padded(exercise.id, room)}  {exercise.points:>3}  {title}\n")
        say("\n")
    say(see(f"grade hint {lesson.exercises[0].id}") + "\n")
    return DONE


def hint(*, exercise: str) -> int:
    """Say an exercise's hints, from the direction to the rule."""
    lesson = load()
    known = {e.id: e for e in lesson.exercises}
    if exercise not in known:
        message = _("no exercise is called {name}").format(name=exercise) + nearest(exercise, known)
        raise UsageError(f"{message}\n{see('grade list')}")
    asked = known[exercise]
    heading = f"{asked.id} · {asked.title.say(current())} · {_points(asked.points)}"
    say("\n".join(wrap(heading, WIDTH)) + "\n\n")
    for number, words in enumerate(asked.hints, 1):
        say(f"  {number}. " + "\n     ".join(wrap(words.say(current()), WIDTH - 5)) + "\n")
    say(f"\n{see(f'grade check . {asked.id}')}\n")
    return DONE


# ---------------------------------------------------------------- audit


def audit(*, format: str, seeds: tuple[tuple[int, ...], ...], lesson: str | None) -> int:  # noqa: A002 the option's name
    """Audit a lesson under some seeds, and say what is amiss."""
    from grader import audit as auditing
    from grader.cli.audited import kills, misses, summary

    audited = load(Path(lesson) if lesson is not None else None)
    wanted = tuple(dict.fromkeys(seed for several in seeds for seed in several)) or (0,)
    audits = []
    for number, seed in enumerate(wanted):
        with progress(_("Auditing, seed {n}").format(n=seed)) as told:
            audits.append(auditing.audit(audited, seed, told))
        if format == "matrix":
            say(("\n" if number else "") + kills(audited, audits[-1]))
    if format == "json":
        say(auditing.encode(audits))
    elif format == "terminal":
        say(summary(audited, audits))
    return LOST if misses(audits) else DONE


def _points(n: int) -> str:
    return ngettext("{n} point", "{n} points", n).format(n=n)
