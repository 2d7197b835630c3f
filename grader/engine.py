"""A submission that answers: the trusted side of the conversation with a worker.

`Engine.ask` takes programs and returns one observation each, in order, whatever the
student's code does: a hang, a crash or a broken protocol costs the program that was
running, then a fresh worker goes on with the next. Nothing that a worker says is
believed beyond its shape.
"""

from __future__ import annotations

import marshal
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Self

import msgspec

from grader.errors import EnvironmentFault
from grader.i18n import _
from grader.lesson import Limits
from grader.observation import Crashed, Observation, Observed, Stalled, Text, Unasked
from grader.programs import FUNCTION_FILES, Program
from grader.sandbox.launcher import EndOfStream, Process, ProtocolFault, start
from grader.submission import Problem, SourceFile, Submission

WORKER = Path(__file__).parent / "sandbox" / "worker.py"
HOMES = (("Value", "engine"), *FUNCTION_FILES.items())
LESSON_FILES = ("__init__", "engine", "functions", "graph", "nn")
METHODS = (
    *("__add__", "__mul__", "__pow__", "__neg__", "__sub__", "__truediv__"),
    *("__radd__", "__rmul__", "__rsub__", "__rtruediv__", "relu", "exp", "tanh", "backward", "label"),
)
MANY, NAP = 20, 0.002  # with many answers to come, waking for each one costs more than a nap (seconds)
SLICE = 0.1  # seconds between looks at the CPU clock of a worker that does not answer

Name = Annotated[str, msgspec.Meta(max_length=600)]
Count = Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]


class LoadFailure(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What went wrong while a file, or a cell of it, was loaded."""

    file: Name
    type: Text
    message: Text
    line: Count
    column: Count


class Loading(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="loading"):
    """A worker begins to load a file."""

    file: Name


class Loaded(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="loaded"):
    """A file has been loaded, with or without failures."""

    file: Name
    failures: Annotated[tuple[LoadFailure, ...], msgspec.Meta(max_length=500)]


class Ready(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="ready"):
    """Everything has been loaded, and this was found."""

    names: Annotated[tuple[Name, ...], msgspec.Meta(max_length=20)]
    """The lesson's names."""
    methods: Annotated[tuple[Name, ...], msgspec.Meta(max_length=30)]
    """The methods that `Value` has, of METHODS."""
    files: Annotated[tuple[tuple[Name, Name], ...], msgspec.Meta(max_length=20)]
    """Which file each name is from."""


class Answered(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="answer"):
    """One program's answer."""

    place: Count
    """The program's place in the request."""
    observed: Observed


class Limit(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="limit"):
    """The worker ends itself at a limit that only it can see."""

    what: Name


Frame = Loading | Loaded | Ready | Answered | Limit


FRAMES: msgspec.json.Decoder[Frame] = msgspec.json.Decoder(Frame)


Keep = Callable[[int, list[Observation]], bool]


class _Stop(Exception):
    """The conversation ended before the answer came."""

    def __init__(self, observation: Stalled | Crashed) -> None:
        super().__init__(observation)
        self.observation = observation


class Engine:
    """One submission under test. Use as a context manager: no process outlives it."""

    def __init__(
        self, submission: Submission, limits: Limits, *, reference: str | None = None, values_in: str = ""
    ) -> None:
        """Nothing is started yet.

        `reference`: source of the reference's engine, if its `Value` is to stand in for the student's,
        which then is the one in file `values_in`.
        """
        self.submission, self.limits = submission, limits
        self.problems: list[Problem] = [file.problem for file in submission.files if file.problem]
        self.names: dict[str, str] = {}
        self.methods: frozenset[str] = frozenset()
        self._reference, self._values_in = reference, values_in
        self._process: Process | None = None
        self._broken: set[str] = {file.name for file in submission.files if file.problem}
        self._unavailable: set[str] = set()
        self._restarts, self._loaded, self._dead = 0, False, False
        self._until = time.monotonic() + limits.submission_wall

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill the worker and whatever it started."""
        process, self._process, self._loaded = self._process, None, False
        if process is not None:
            process.kill()

    def load(self) -> None:
        """Start a worker and load the submission; afterwards `names`, `methods` and `problems` say what was found.

        A file that hangs or kills the worker is left out of the next attempt.
        """
        while not self._loaded and not self._dead:
            file = ""
            try:
                self.launch()
                while not isinstance(frame := self._receive(self.limits.import_cpu), Ready):
                    if isinstance(frame, Loading):
                        file = frame.file
                    elif isinstance(frame, Loaded):
                        self._note(frame.failures)
                    else:
                        raise _Stop(Crashed("protocol"))
            except _Stop as stop:
                self._lost_file(file, stop.observation)
                continue
            self.names = dict(frame.files)
            self._say_what_was_found()
            self.methods = frozenset(frame.methods)
            self._loaded = True

    def launch(self) -> None:
        """Start a worker and hand it the submission, without waiting for it: `load` does."""
        if self._process is None:
            self._process = start(worker=WORKER)
            self._send(self._job())

    def ask(
        self, programs: Sequence[Program], keep: Keep | None = None, *, mirrored: bool = False
    ) -> list[Observation]:
        """One observation a program, in order; `mirrored`, with sets of nodes iterating the other way round.

        After a stall or a crash the rest is asked of a fresh worker; `keep(i, answers)` may then say
        that program `i` need not be asked any more (its check is lost already).
        """
        answers: list[Observation] = [Unasked()] * len(programs)
        waiting = list(range(len(programs)))
        while waiting:
            self.load()
            if self._process is None:
                break
            current = 0
            try:
                self._send((-1 if mirrored else 1, [[(s.op, s.args) for s in programs[i].steps] for i in waiting]))
                while current < len(waiting):
                    if len(waiting) - current > MANY and not self._process.has_line():
                        time.sleep(NAP)
                    answers[waiting[current]] = self._answer(current)
                    current += 1
                waiting = []
            except _Stop as stop:
                answers[waiting[current]] = stop.observation
                self._restart()
                waiting = [i for i in waiting[current + 1 :] if keep is None or keep(i, answers)]
        return answers

    # ------------------------------------------------------------ the conversation

    def _job(self) -> dict[str, object]:
        """What the worker must know of the submission."""
        values_in = self._values_in
        substitute = values_in if self._reference and values_in not in self._function_files() else ""
        files = []
        for file in self.submission.files:
            source = (self._reference,) if file.name == substitute else file.cells
            files.append((file.name, source, file.notebook and file.name != substitute))
        return {
            "name": self.submission.name,
            "files": files,
            "load": [f.name for f in self.submission.files if is_lesson_file(f) or self.submission.layout == "single"],
            "single": self.submission.files[0].name if self.submission.layout == "single" else "",
            "skip": sorted(self._broken - {substitute}),
            "substitute": substitute,
            "reference": self._reference if self._reference and not substitute else "",
            "numpy": numpy_home() if self._mentions("numpy") else "",
            "homes": HOMES,
            "methods": METHODS,
            "memory": self.limits.memory,
        }

    def _function_files(self) -> set[str]:
        """The files that hold functions of the lesson, as far as the layout or an earlier worker tells."""
        if self.submission.layout == "single":
            return {file.name for file in self.submission.files}
        return {file for name, file in self.names.items() if name != "Value"}

    def _mentions(self, word: str) -> bool:
        return any(word in cell for file in self.submission.files for cell in file.cells)

    def _send(self, message: Any) -> None:  # noqa: ANN401 whatever marshal takes
        assert self._process is not None
        try:
            self._process.send(marshal.dumps(message), self.limits.program_wall)
        except EndOfStream:
            raise _Stop(self._how_it_died()) from None
        except TimeoutError:
            raise _Stop(Stalled("wall")) from None
        except ProtocolFault:
            raise _Stop(Crashed("protocol")) from None

    def _receive(self, cpu_limit: float) -> Frame:
        """The next frame; raises _Stop on a limit, a death or nonsense. CPU time decides, the clock is the backstop."""
        process = self._process
        assert process is not None
        begun, used = time.monotonic(), None
        while (line := self._line(process, SLICE)) is None:
            cpu, now = process.cpu(), time.monotonic()
            used = cpu if used is None else used
            if cpu is not None and used is not None and cpu - used >= cpu_limit:
                raise _Stop(Stalled("cpu"))
            if now - begun >= max(self.limits.program_wall, 2 * cpu_limit) or now >= self._until:
                raise _Stop(Stalled("wall"))
            memory = process.memory()
            if memory is not None and memory > self.limits.memory:
                raise _Stop(Stalled("memory"))
        try:
            frame = FRAMES.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            raise _Stop(Crashed("protocol")) from None
        if isinstance(frame, Limit):
            raise _Stop(Stalled("output"))
        return frame

    def _line(self, process: Process, wait: float) -> bytes | None:
        try:
            return process.receive(wait)
        except EndOfStream:
            raise _Stop(self._how_it_died()) from None
        except ProtocolFault:
            raise _Stop(Crashed("protocol")) from None

    def _answer(self, place: int) -> Observed:
        frame = self._receive(self.limits.program_cpu)
        if not isinstance(frame, Answered) or frame.place != place:
            raise _Stop(Crashed("protocol"))
        return frame.observed

    def _how_it_died(self) -> Crashed:
        """What the worker's exit status says; it is given a moment to end by itself."""
        assert self._process is not None
        status = self._process.wait(0.5)
        if status is None:
            return Crashed("closed")
        return Crashed(f"signal {-status}" if status < 0 else f"exit {status}")

    def _restart(self) -> None:
        self.close()
        self._restarts += 1
        self._dead = self._restarts > self.limits.restarts or time.monotonic() >= self._until

    # ------------------------------------------------------------ problems

    def _note(self, failures: Sequence[LoadFailure]) -> None:
        for failure in failures:
            module = failure.message.split(".")[0] if failure.type == "NotAvailable" else ""
            if module and module in self._unavailable:
                continue  # once a module is enough
            self._unavailable.add(module)
            problem = explain(failure)
            if problem not in self.problems:
                self.problems.append(problem)
        numpy = any(f.type == "NotAvailable" and f.message.split(".")[0] == "numpy" for f in failures)
        if numpy and not numpy_home():
            text = _("the submission uses numpy, which is not installed beside the grader: run `pip install numpy`")
            self.problems.append(Problem(blame="environment", kind="import", message=text, file=None, line=None))

    def _say_what_was_found(self) -> None:
        """A submission without `Value`, all of which loads, may have it under another name."""
        if "Value" in self.names or self.problems:
            return
        text = "\n".join(cell for file in self.submission.files for cell in file.cells)
        classes = sorted(set(re.findall(r"^class\s+(\w+)", text, re.MULTILINE)))
        if classes:
            message = _("no class Value was found, only {names}; capitals and alphabets count")
            found = message.format(names=", ".join(classes[:8]))
            self.problems.append(Problem(blame="student", kind="name", message=found, file=None, line=None))

    def _lost_file(self, file: str, how: Stalled | Crashed) -> None:
        """A worker was lost while it loaded `file`: go on without that file."""
        self._restart()
        if not file:
            self._dead = True
            raise EnvironmentFault(
                _("the worker did not start ({how}); check the installation: python -m grader --version").format(
                    how=how
                )
            )
        self._broken.add(file)
        self.problems.append(
            Problem(blame="student", kind=load_kind(how), message=load_loss(file, how), file=file, line=None)
        )


def is_lesson_file(file: SourceFile) -> bool:
    """Whether a file is one of the lesson's, by its name or by what it defines; others run if they are imported."""
    path = PurePosixPath(file.name)
    nested = len(path.parts) > 2  # micrograd/engine.py, not micrograd/core/engine.py
    return (path.stem in LESSON_FILES and not nested) or any(
        line.startswith("class Value") for cell in file.cells for line in cell.split("\n")
    )


def numpy_home() -> str:
    """The folder that numpy is installed in beside the grader, or ''."""
    from importlib.util import find_spec

    spec = find_spec("numpy")
    return str(Path(spec.origin).parent.parent) if spec and spec.origin else ""


def explain(failure: LoadFailure) -> Problem:
    """A load failure in the student's words."""
    file, where = failure.file, failure.line or None
    if failure.type in ("SyntaxError", "IndentationError", "TabError"):
        text = _("{file}, line {line}, column {column}: {said}").format(
            file=file, line=failure.line, column=failure.column, said=failure.message
        )
        return Problem(blame="student", kind="syntax", message=text, file=file, line=where)
    if failure.type == "NotAvailable":
        text = _("{file}, line {line} uses {module}, which is not there while grading; that line was left out").format(
            file=file, line=failure.line, module=failure.message
        )
        return Problem(blame="student", kind="unavailable", message=text, file=file, line=where)
    if failure.type == "SystemExit":
        text = _("{file} calls exit() in line {line} while it is imported").format(file=file, line=failure.line)
        return Problem(blame="student", kind="exit", message=text, file=file, line=where)
    if failure.type == "MemoryError":
        text = _("{file} uses more memory than it may while it is imported").format(file=file)
        return Problem(blame="student", kind="memory", message=text, file=file, line=where)
    text = _("{file} stops in line {line} while it is imported: {type}: {said}").format(
        file=file, line=failure.line, type=failure.type, said=failure.message
    )
    kind = "import" if failure.type in ("ImportError", "ModuleNotFoundError") else "exception"
    return Problem(blame="student", kind=kind, message=text, file=file, line=where)


def load_kind(how: Stalled | Crashed) -> str:
    """The kind of problem that losing a worker during an import is."""
    if isinstance(how, Stalled):
        return {"cpu": "hang", "wall": "hang"}.get(how.limit, how.limit)
    return "exit" if how.how.startswith("exit") else "crash"


def load_loss(file: str, how: Stalled | Crashed) -> str:
    """One sentence on a file that took the worker with it."""
    match load_kind(how):
        case "hang":
            return _(
                "{file} does not come to an end while it is imported: is there a loop, or input(), at its top level?"
            ).format(file=file)
        case "memory":
            return _("{file} uses more memory than it may while it is imported").format(file=file)
        case "output":
            return _("{file} prints without end while it is imported").format(file=file)
        case "exit":
            return _("{file} ends Python while it is imported").format(file=file)
    return _("{file} crashes Python while it is imported").format(file=file)
