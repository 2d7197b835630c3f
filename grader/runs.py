"""Runs of pytest in processes of their own: to record a seed, or to ask a submission live.

They take nothing from the folder that they are started in: no module, no ini file, no
conftest, no plugin.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from grader import corpus as corpora
from grader.corpus import Corpus
from grader.errors import EnvironmentFault
from grader.i18n import _
from grader.lesson import Lesson, compiled_path, load
from grader.lesson import root as lesson_root
from grader.report import Report, decode

Progress = Callable[[int, int], None]
"""Told (how many checks are done, how many there are) as a run goes on."""


def record(lesson: Lesson, seed: int, progress: Progress | None = None) -> Corpus:
    """Record the corpus of a seed: the lesson's checks, run by pytest in a process of its own."""
    with _scratch() as folder:
        file = folder / "corpus"
        output = _run_pytest(lesson, seed, ["--record", str(file), "-qq", "-s"], progress)
        found = corpora.decode(file.read_bytes()) if file.exists() else None
    if found is None:
        raise EnvironmentFault(
            _("the checks could not be recorded; run `grade audit` to see why:\n{output}").format(output=output[-2000:])
        )
    return found


def explore(
    path: Path, lesson: Lesson, seed: int, lang: str, selected: Sequence[str], progress: Progress | None = None
) -> Report:
    """Ask a submission live: new programs of a seed, shrunk by Hypothesis, in a pytest process of its own."""
    with _scratch() as folder:
        file = folder / "report.json"
        select = [
            "--submission",
            str(path.absolute()),
            "--lesson-lang",
            lang,
            "--report-json",
            str(file),
            "--checks",
            ",".join(selected),
            "-qq",
            "-s",
        ]
        output = _run_pytest(lesson, seed, select, progress)
        if not file.exists():
            raise EnvironmentFault(
                _("pytest did not finish; run it by hand to see why:\n{output}").format(output=output[-2000:])
            )
        return decode(file.read_bytes())


def _run_pytest(lesson: Lesson, seed: int, options: list[str], progress: Progress | None) -> str:
    """Run the lesson's checks in a fresh Python; returns what it printed.

    `-P` keeps the working directory off its path; the lesson's own ini file is named, so that
    none is looked for; no plugin but ours, Hypothesis's and the timeout is loaded.
    """
    import subprocess

    checks = Path(lesson.root) / "checks"
    plugins = [
        f"-p{name}" for name in ("grader.plugin", "_hypothesis_pytestplugin", "pytest_timeout", "no:cacheprovider")
    ]
    command = [sys.executable, "-P", "-m", "pytest", str(checks), "-c", str(checks / "pytest.ini"), "--noconftest"]
    command += ["--disable-plugin-autoload", *plugins, f"--hypothesis-seed={seed}", *options]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    lines: list[str] = []
    with subprocess.Popen(  # noqa: S603 our own checks
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            if progress and line.endswith("+\n"):  # pytest's own dots may stand before it
                progress(sum(said.endswith("+\n") for said in lines), len(lesson.checks))
    return "".join(lines)


@contextmanager
def _scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="micrograde-") as folder:
        yield Path(folder)


def ship(root: Path) -> Path:
    """Record the public seed of the lesson in `root` and keep it there, with the lesson compiled beside it.

    What the bug models answer is kept there too, for diagnosis. Run by `python -m grader.runs [DIR]` after any change
    of the checks, of lesson.toml, of what makes programs, of judging, of the reference or of the bug models.
    """
    from grader import audit, diagnosis

    compiled_path(root).parent.mkdir(exist_ok=True)
    compiled_path(root).unlink(missing_ok=True)
    lesson = load(root)
    compiled_path(root).write_bytes(msgspec.msgpack.encode(msgspec.structs.replace(lesson, root="")))
    path = corpora.shipped_path(root)
    corpus = record(lesson, corpora.PUBLIC_SEED)
    path.write_bytes(corpora.encode(corpus))
    diagnosis.shipped_path(root).write_bytes(diagnosis.encode(audit.learn(lesson, corpus)))
    return path


if __name__ == "__main__":
    ship(Path(sys.argv[1]) if len(sys.argv) > 1 else lesson_root())
