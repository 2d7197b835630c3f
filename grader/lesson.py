"""The lesson as values: exercises, checks, points, words, and what each operation stands on.

Read from `checks/lesson.toml`. Parsing TOML costs 17 ms, so the lesson is also kept
compiled beside the public corpus; the copy is used only while its digest is that of
the files it was made from.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from pathlib import Path

import msgspec

from grader.errors import LessonError

PACKAGE = Path(__file__).parent

MAKERS = (
    "programs.py",
    "arithmetic.py",
    "tape.py",
    "sweep.py",
    "oracle.py",
    "draft.py",
    "decode.py",
    "handmade.py",
    "strategies.py",
    "parse.py",
)
"""The grader's modules that decide which programs a seed gives: part of the lesson's digest."""


class Words(msgspec.Struct, frozen=True):
    """One text in every language of the product."""

    en: str
    ru: str

    def say(self, lang: str) -> str:
        """The text in `lang` ('en' or 'ru')."""
        return self.ru if lang == "ru" else self.en


class Check(msgspec.Struct, frozen=True):
    """One thing that is asked of a submission, worth whole points."""

    id: str
    """EXERCISE.OPERATION.ASPECT."""
    points: int
    title: Words
    why: Words
    """One sentence of what is right."""
    needs: tuple[str, ...] = ()
    """Checks without which this one cannot be judged, beyond what its programs need."""
    follows: str = ""
    """A check whose outcome this one takes unless that one passed."""
    carried: bool = False
    """Asked again on the reference's `Value` when it fails."""

    @property
    def exercise(self) -> str:
        """The exercise that it belongs to."""
        return self.id.split(".")[0]

    @property
    def aspect(self) -> str:
        """What it looks at, the last part of its id."""
        return self.id.rsplit(".", 1)[1]


class Exercise(msgspec.Struct, frozen=True):
    """What a student sets out to do, and what it is worth."""

    id: str
    lesson: str
    title: Words
    hints: tuple[Words, ...]
    """A ladder: direction, idea, rule."""
    checks: tuple[Check, ...] = msgspec.field(name="check")

    @property
    def points(self) -> int:
        """What it is worth in all."""
        return sum(check.points for check in self.checks)


class Operation(msgspec.Struct, frozen=True):
    """The checks that an operation of a program stands on."""

    numbers: str
    structure: str = ""
    gradient: str = ""
    uses: tuple[str, ...] = ()
    """The operations that it is made of."""


class Limits(msgspec.Struct, frozen=True):
    """How much a submission may use; seconds and bytes."""

    program_cpu: float
    program_wall: float
    import_cpu: float
    submission_wall: float
    memory: int
    restarts: int


class Lesson(msgspec.Struct, frozen=True, dict=True):
    """Everything that `lesson.toml` says, and the digest of all that decides what is asked."""

    name: str
    limits: Limits
    operations: dict[str, Operation]
    exercises: tuple[Exercise, ...] = msgspec.field(name="exercise")
    allowed: tuple[str, ...] = ()
    digest: str = ""
    root: str = ""

    @cached_property
    def checks(self) -> tuple[Check, ...]:
        """All checks, in the order of the lesson: what a check needs comes before it."""
        return tuple(check for exercise in self.exercises for check in exercise.checks)

    @cached_property
    def _checks_by_id(self) -> dict[str, Check]:
        return {check.id: check for check in self.checks}

    @property
    def lessons(self) -> tuple[str, ...]:
        """The names of the lessons, in order."""
        return tuple(dict.fromkeys(exercise.lesson for exercise in self.exercises))

    def check(self, check_id: str) -> Check:
        """The check of that id; LessonError if there is none."""
        try:
            return self._checks_by_id[check_id]
        except KeyError:
            message = f"no check is called {check_id!r}: add it to checks/lesson.toml, or correct the id"
            raise LessonError(message) from None

    def exercise(self, exercise_id: str) -> Exercise:
        """The exercise of that id; LessonError if there is none."""
        for exercise in self.exercises:
            if exercise.id == exercise_id:
                return exercise
        message = f"no exercise is called {exercise_id!r}: see `grade list`"
        raise LessonError(message)


def root() -> Path:
    """The folder that holds `checks`, `reference` and `student_template`: in the wheel, or the checkout."""
    bundled = PACKAGE / "bundled"
    return bundled if bundled.is_dir() else PACKAGE.parent


def digest(folder: Path) -> str:
    """What decides the programs that a seed gives: the lesson's own files and the grader's makers of programs."""
    total = hashlib.sha256()
    makers = [PACKAGE / name for name in MAKERS]
    for path in [folder / "checks" / "lesson.toml", *sorted((folder / "checks").glob("test_*.py")), *makers]:
        total.update(path.name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return total.hexdigest()[:32]


def load(folder: Path | None = None) -> Lesson:
    """The lesson in `folder` (default: the bundled one); LessonError if it is not well formed."""
    folder = root() if folder is None else folder
    try:
        now = digest(folder)
    except OSError as error:
        message = f"no lesson in {folder}: {error.filename} cannot be read; give a folder with `checks/lesson.toml`"
        raise LessonError(message) from None
    lesson = _compiled(folder, now) or parse(folder)
    return msgspec.structs.replace(lesson, digest=now, root=str(folder))


def compiled_path(folder: Path) -> Path:
    """Where the compiled lesson is kept."""
    return folder / "checks" / "corpus" / "lesson.msgpack"


def _compiled(folder: Path, now: str) -> Lesson | None:
    try:
        lesson = msgspec.msgpack.decode(compiled_path(folder).read_bytes(), type=Lesson)
    except (OSError, msgspec.MsgspecError):
        return None
    return lesson if lesson.digest == now else None


def parse(folder: Path) -> Lesson:
    """The lesson as `lesson.toml` says it; LessonError names what is wrong and where."""
    import tomllib

    path = folder / "checks" / "lesson.toml"
    try:
        lesson = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Lesson)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        message = f"{path.name} is not a lesson: {error}; correct it and run `grade list`"
        raise LessonError(message) from None
    _verify(lesson)
    return lesson


def _verify(lesson: Lesson) -> None:
    seen: set[str] = set()
    for exercise in lesson.exercises:
        for check in exercise.checks:
            if check.exercise != exercise.id or check.id in seen:
                message = (
                    f"check {check.id!r} stands twice, or under the wrong exercise {exercise.id!r}: correct its id"
                )
                raise LessonError(message)
            missing = [need for need in (*check.needs, check.follows) if need and need not in seen]
            if missing:
                message = f"check {check.id!r} needs {missing[0]!r}, which does not come before it: move or correct it"
                raise LessonError(message)
            seen.add(check.id)
