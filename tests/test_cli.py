"""The command line: what its words mean, what it prints, writes and exits with."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import grader
from grader import errors, i18n, lesson
from grader.cli import main
from grader.cli.words import path_and_names
from grader.lesson import Exercise, Lesson, Limits, Words
from grader.render.text import columns
from grader.report import Report, decode, encode

ROOT = Path(grader.__file__).parent.parent
GOLDEN = Path(__file__).parent / "golden"
STUDENT = "class Value:\n    pass\n"

FAKE = """
import sys
from grader import grading
from grader.report import decode
with open(sys.argv[1], "rb") as file:
    report = decode(file.read())
def grade(*_words, progress=None, **_options):
    if progress:
        progress(1, 2)
        progress(2, 2)
    return report
grading.grade = grade
from grader.cli import main
main(sys.argv[2:], "grade")
"""
"""A process in which grading gives a stored report: for what only a real process shows."""


class Ran(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every test begins with no language, colour or debugging asked for."""
    for name in ("MICROGRADE_LANG", "MICROGRADE_DEBUG", "LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    yield
    i18n.language("en")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """`grade WORDS…` in this process."""

    def command(*words: str) -> Ran:
        with pytest.raises(SystemExit) as ended:
            main(list(words), "grade")
        assert isinstance(ended.value.code, int)
        return Ran(ended.value.code, *capsys.readouterr())

    return command


@pytest.fixture(autouse=True)
def student(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a submission, which is the working directory of every test."""
    folder = tmp_path / "anna"
    folder.mkdir()
    (folder / "engine.py").write_text(STUDENT)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Grading gives the golden report "usual"; here are the options it was asked with, call by call."""
    return gives(monkeypatch, golden("usual"))


def golden(case: str, lang: str = "en") -> Report:
    """A stored report."""
    return decode((GOLDEN / case / f"report.{lang}.json").read_bytes())


def gives(monkeypatch: pytest.MonkeyPatch, report: Report) -> list[dict[str, Any]]:
    """Make grading give this report."""
    calls: list[dict[str, Any]] = []

    def fake(submission: object, _lesson: Lesson, **options: Any) -> Report:
        calls.append(options | {"submission": submission})
        return report

    monkeypatch.setattr("grader.grading.grade", fake)
    return calls


def raises(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Make grading raise this."""

    def fake(*_words: object, **_options: object) -> None:
        raise error

    monkeypatch.setattr("grader.grading.grade", fake)


def process(*words: str, env: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    """`grade WORDS…` in a process of its own, where grading gives the golden report "usual"."""
    return subprocess.run(fake_command(*words), capture_output=True, check=False, timeout=60, env=env)


def fake_command(*words: str) -> list[str]:
    """The command line of such a process."""
    return [sys.executable, "-c", FAKE, str(GOLDEN / "usual" / "report.en.json"), *words]


def environment(**more: str) -> dict[str, str]:
    """The environment of a process that finds the package, with these variables."""
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


# ---------------------------------------------------------------- exit codes


@pytest.mark.parametrize(
    ("case", "words", "code"),
    [
        ("full", "", 0),
        ("usual", "", 1),
        ("template", "", 1),
        ("syntax-error", "", 1),
        ("worked-fact", "", 0),
        ("waiting", "", 1),
        ("environment", "", 3),
        ("endless", "", 3),
        ("usual", "--min-score 44", 0),
        ("usual", "--min-score 45", 1),
        ("usual", "--min-score 55%", 0),
        ("usual", "--min-score 56%", 1),
        ("template", "--min-score 0", 0),
        ("full", "--min-score 100%", 0),
        ("environment", "--min-score 0", 3),
    ],
)
def test_the_exit_code_says_whether_the_score_is_enough(
    case: str, words: str, code: int, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """0 is all points or as many as asked, 1 fewer, 3 a fault that is not the student's, whatever the score."""
    gives(monkeypatch, golden(case))
    assert run("check", *words.split()).code == code


@pytest.mark.parametrize(
    ("error", "code", "text"),
    [
        (errors.UsageError("Nothing here. Next: grade init"), 2, "Error: Nothing here. Next: grade init\n"),
        (errors.EnvironmentFault("No pipe. Try: grade check"), 3, "Error: No pipe. Try: grade check\n"),
        (errors.LessonError("No lesson. See: grade list"), 3, "Error: No lesson. See: grade list\n"),
        (KeyError("x"), 3, "Grader fault, not a fault of the submission: KeyError: 'x'\n"),
        (RuntimeError("one\ntwo"), 3, "Grader fault, not a fault of the submission: RuntimeError: one\n"),
        (RecursionError("deep"), 3, "Grader fault, not a fault of the submission: RecursionError: deep\n"),
        (OSError(28, "No space left on device"), 3, "Error: the machine refused: [Errno 28] No space left on device\n"),
    ],
)
def test_an_error_is_one_clear_message_and_never_a_traceback(
    error: Exception, code: int, text: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is printed on standard output, and the message says whose fault it is and what to do."""
    raises(monkeypatch, error)
    ran = run("check")
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith(text)
    assert "Traceback" not in ran.err
    assert "grade" in ran.err or "MICROGRADE_DEBUG=1" in ran.err


def test_the_traceback_is_there_for_those_who_ask(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """With MICROGRADE_DEBUG set a fault of ours shows where it happened."""
    monkeypatch.setenv("MICROGRADE_DEBUG", "1")
    raises(monkeypatch, KeyError("x"))
    ran = run("check")
    assert ran.code == 3
    assert "Traceback" in ran.err
    assert "Grader fault" in ran.err


def test_the_keyboard_stops_it_with_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C exits with 130 and says so, and nothing else."""
    raises(monkeypatch, KeyboardInterrupt())
    assert run("check") == Ran(130, "", "\nStopped.\n")


@pytest.mark.parametrize(
    ("words", "said", "following"),
    [
        ("chek", "there is no command chek; did you mean check?", "grade --help"),
        ("check --fromat json", "there is no option --fromat; did you mean --format?", "grade check --help"),
        ("check -q", "there is no option -q", "grade check --help"),
        ("check --seed", "--seed: its value is missing", "grade check --help"),
        ("check --seed x", "--seed takes a whole number, not x", "grade check --help"),
        ("check --seed -1", "--seed takes a whole number, not -1", "grade check --help"),
        ("check --seed 1.5", "--seed takes a whole number, not 1.5", "grade check --help"),
        ("check --min-score most", "--min-score takes points or percent", "grade check --help"),
        ("check --min-score %", "--min-score takes points or percent", "grade check --help"),
        ("check --lang de", "--lang takes one of en, ru, not de", "grade check --help"),
        ("check --format xml", "there is no format xml; there are: terminal, json", "grade check --help"),
        ("check --format json=", "--format json= needs the name of a file", "grade check --help"),
        ("check --format json --format terminal", "only one --format can go to the screen", "grade check --help"),
        ("check . add-mull", "no exercise, lesson or file is called add-mull; did you mean add-mul?", "grade list"),
        ("check grdients", "no exercise, lesson or file is called grdients; did you mean gradients?", "grade list"),
        ("check zzz", "no exercise, lesson or file is called zzz", "grade list"),
        ("hint", "EXERCISE is missing", "grade hint --help"),
        ("hint ad-mul", "no exercise is called ad-mul; did you mean add-mul?", "grade list"),
        ("hint add-mul exp", "too many words: exp", "grade hint --help"),
        ("list all", "too many words: all", "grade list --help"),
        ("init a b", "too many words: b", "grade init --help"),
    ],
)
def test_a_wrong_word_is_named_with_the_nearest_right_one(
    words: str, said: str, following: str, run: Run, asked: list[dict[str, Any]]
) -> None:
    """A slip on the command line exits with 2, grades nothing, and ends with the command to run next."""
    ran = run(*words.split())
    assert (ran.code, ran.out, asked) == (2, "", [])
    assert ran.err.replace("\n", " ").startswith(f"Error: {said}")
    assert ran.err.endswith(f"Next: {following}\n")


def test_errors_of_parsing_speak_the_language_that_was_asked_for(run: Run) -> None:
    """`--lang` counts even where the rest of the line cannot be read."""
    assert run("check", "--fromat", "--lang", "ru").err.startswith("Ошибка: параметра --fromat нет")
    assert run("check", "--fromat", "--lang=en").err.startswith("Error: there is no option --fromat")


# ---------------------------------------------------------------- what is graded


def toy(*names: str) -> Lesson:
    """A lesson with these exercises, LESSON/EXERCISE each."""
    words = Words("title", "название")
    exercises = (name.partition("/") for name in names)
    return Lesson(
        "toy", Limits(1, 1, 1, 1, 1, 1), {}, tuple(Exercise(e, lesson, words, (), ()) for lesson, _, e in exercises)
    )


@pytest.mark.parametrize(
    ("words", "path", "names"),
    [
        ("", ".", ""),
        (".", ".", ""),
        ("add", ".", "add"),
        ("exp add", ".", "add exp"),
        ("forward", ".", "add exp"),
        ("backward forward exp", ".", "add exp order"),
        ("exp exp", ".", "exp"),
        ("./exp", "./exp", ""),
        ("work.py", "work.py", ""),
        ("nowhere/x add", "nowhere/x", "add"),
        ("no\\where add", "no\\where", "add"),
        ("there", "there", ""),
        ("there add", "there", "add"),
        ("order", "order", ""),
        (". order", ".", "order"),
    ],
)
def test_the_first_word_is_a_path_if_it_exists_or_looks_like_one(
    words: str, path: str, names: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All other words are exercises or lessons; they come in the lesson's order, each once."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").mkdir()
    (tmp_path / "order").mkdir()
    found = path_and_names(tuple(words.split()), toy("forward/add", "forward/exp", "backward/order"))
    assert found == (Path(path), tuple(names.split()))


def test_grading_is_asked_what_the_command_line_says(run: Run, asked: list[dict[str, Any]]) -> None:
    """Seed, names and language reach the grader; exploring is told the submission's path."""
    run("check", ".", "exp", "forward", "--seed", "7", "--lang", "ru", "--explore")
    run("check")
    first, second = asked
    assert (first["seed"], first["lang"], first["explore"]) == (7, "ru", Path())
    assert first["names"][:2] == ("value", "add-mul")
    assert "exp" in first["names"]
    assert "backward" not in first["names"]
    assert first["submission"].name == "anna"
    assert (second["seed"], second["lang"], second["explore"], second["names"]) == (0, "en", None, ())


def test_a_path_that_is_not_there_is_a_usage_error(run: Run) -> None:
    """Nothing is graded, and the message names the path."""
    ran = run("check", "./nowhere")
    assert ran.code == 2
    assert "nowhere" in ran.err
    assert "grade" in ran.err


# ---------------------------------------------------------------- reports delivered


@pytest.mark.usefixtures("asked")
def test_the_report_for_the_terminal_is_the_default(run: Run) -> None:
    """Without `--format` the terminal's report is printed, plain where nobody sees colours."""
    assert run("check").out == (GOLDEN / "usual" / "terminal.en.txt").read_text(encoding="utf-8")


@pytest.mark.usefixtures("asked")
def test_json_on_the_screen_is_alone_there(run: Run) -> None:
    """With `--format json` standard output holds the report and nothing else."""
    assert run("check", "--format", "json").out == encode(golden("usual"))


@pytest.mark.parametrize(("case", "code"), [("full", 0), ("usual", 1), ("endless", 3)])
def test_files_are_written_whatever_the_exit_code(
    case: str, code: int, run: Run, student: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`F=PATH` makes the folders and the file, also on exits 1 and 3, and the terminal's report is printed too."""
    gives(monkeypatch, golden(case))
    ran = run("check", "--format", "json=out/deep/r.json", "--format", "terminal=out/r.txt")
    text = (GOLDEN / case / "terminal.en.txt").read_text(encoding="utf-8")
    assert ran == Ran(code, text, "")
    assert (student / "out/deep/r.json").read_bytes() == encode(golden(case)).encode()
    assert (student / "out/r.txt").read_text(encoding="utf-8") == text
    assert sorted(p.name for p in student.rglob("*")) == ["deep", "engine.py", "out", "r.json", "r.txt"]


@pytest.mark.usefixtures("asked")
def test_a_file_beside_a_format_on_the_screen(run: Run, student: Path) -> None:
    """One format may go to the screen while others go to files."""
    ran = run("check", "--format", "json", "--format", "terminal=r.txt")
    assert ran.out == encode(golden("usual"))
    assert (student / "r.txt").read_text(encoding="utf-8").startswith("anna · micrograd")


@pytest.mark.usefixtures("asked")
def test_a_file_that_cannot_be_written_costs_no_report(run: Run, student: Path) -> None:
    """The report is printed all the same; then the file is named, and the exit code is 3."""
    (student / "plain").write_text("")
    (student / "folder").mkdir()
    for path in ("plain/r.json", "folder"):
        ran = run("check", "--format", f"json={path}")
        assert ran.code == 3
        assert ran.out.startswith("anna · micrograd")
        assert ran.err.startswith(f"Error: cannot write {path}: ")
        assert ran.err.endswith("Next: grade check --help\n")
    assert sorted(p.name for p in student.iterdir()) == ["engine.py", "folder", "plain"]


@pytest.mark.usefixtures("asked")
def test_a_file_is_replaced_whole(run: Run, student: Path) -> None:
    """A report that was there gives way to the new one."""
    (student / "r.json").write_text("old" * 100_000)
    run("check", "--format", "json=r.json")
    assert (student / "r.json").read_text(encoding="utf-8") == encode(golden("usual"))


@pytest.mark.usefixtures("asked")
def test_hints_are_left_out_of_every_format(run: Run, student: Path) -> None:
    """`--no-hints` holds for files and screen alike; hints are there by default."""
    assert "Hint:" not in run("check", "--no-hints", "--format", "json=r.json").out
    assert '"hint": "' not in (student / "r.json").read_text(encoding="utf-8")
    assert "Hint:" in run("check", "--hints").out
    assert "Hint:" in run("check").out


# ---------------------------------------------------------------- init, list, hint


@pytest.fixture
def template(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A lesson's folder with a small template; the working directory is an empty folder."""
    folder = tmp_path / "lesson" / "student_template"
    (folder / "micrograd" / "__pycache__").mkdir(parents=True)
    (folder / "micrograd" / "engine.py").write_bytes("# Значение\r\n".encode())
    (folder / "micrograd" / "__pycache__" / "engine.cpython-311.pyc").write_bytes(b"\0")
    (folder / "README.md").write_text("read me")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr("grader.cli.actions.root", lambda: tmp_path / "lesson")
    return folder


def held(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, with its bytes."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


COPIED = {"micrograd/engine.py": "# Значение\r\n".encode(), "README.md": b"read me"}


@pytest.mark.usefixtures("template")
@pytest.mark.parametrize(
    ("words", "folder", "following"),
    [
        ("init", ".", "grade check"),
        ("init|.", ".", "grade check"),
        ("init|mine", "mine", "grade check mine"),
        ("init|a/b c", "a/b c", 'grade check "a/b c"'),
    ],
)
def test_init_copies_the_template_byte_for_byte(words: str, folder: str, following: str, run: Run) -> None:
    """The folder is made, compiled files are left out, and the next command is named."""
    ran = run(*words.split("|"))
    assert ran == Ran(0, f"2 files written.\nNext: {following}\n", "")
    assert held(Path(folder)) == COPIED


@pytest.mark.usefixtures("template")
@pytest.mark.parametrize(
    ("taken", "named"),
    [
        ("README.md", "README.md"),
        ("micrograd/engine.py", "micrograd/engine.py"),
        ("micrograd", "micrograd/engine.py"),
    ],
)
def test_init_never_overwrites_and_then_writes_nothing(taken: str, named: str, run: Run) -> None:
    """Whatever is in the way is named; what was there stays as it was, and nothing is added."""
    Path(taken).parent.mkdir(exist_ok=True)
    Path(taken).write_text("mine")
    ran = run("init")
    assert (ran.code, ran.out) == (2, "")
    assert named in ran.err
    assert ran.err.endswith("Next: grade init my-lesson\n")
    assert held(Path()) == {taken: b"mine"}


@pytest.mark.usefixtures("template")
def test_init_into_a_file_writes_nothing(run: Run) -> None:
    """A file is no folder to write into."""
    Path("mine").write_text("mine")
    assert run("init", "mine").code == 2
    assert held(Path()) == {"mine": b"mine"}


@pytest.mark.usefixtures("template")
def test_init_beside_other_files_leaves_them(run: Run) -> None:
    """Other files of the folder are no hindrance."""
    Path("notes.txt").write_text("mine")
    assert run("init").code == 0
    assert held(Path()) == COPIED | {"notes.txt": b"mine"}


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_list_names_every_exercise_with_its_points(lang: str, run: Run) -> None:
    """Each exercise has a line with its id, its points and its title, below its lesson; all fits 80 columns."""
    ran = run("list", "--lang", lang)
    loaded = lesson.load()
    assert ran.code == 0
    for exercise in loaded.exercises:
        assert re.search(
            rf"^  {exercise.id} +{exercise.points}  {exercise.title.say(lang)[:20]}", ran.out, re.MULTILINE
        )
    assert re.findall(r"^(\w+) · ", ran.out, re.MULTILINE) == list(loaded.lessons)
    assert all(columns(line) <= 80 for line in ran.out.splitlines())
    assert ran.out.endswith("grade hint value\n")


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_hint_says_every_hint_of_an_exercise(lang: str, run: Run) -> None:
    """The hints are numbered, whole and within 80 columns, and the next command checks that exercise."""
    for exercise in lesson.load().exercises:
        ran = run("hint", exercise.id, "--lang", lang)
        flat = " ".join(ran.out.split())
        assert all(f"{n}. {words.say(lang)}" in flat for n, words in enumerate(exercise.hints, 1))
        assert all(columns(line) <= 80 for line in ran.out.splitlines())
        assert ran.out.endswith(f"grade check . {exercise.id}\n")


# ---------------------------------------------------------------- help


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
@pytest.mark.parametrize("command", ["", "init", "check", "list", "hint"])
def test_help_is_short_and_in_the_readers_language(command: str, lang: str, run: Run) -> None:
    """Every command has help within 80 columns, with examples, and none of it in the other language."""
    ran = run(*command.split(), "--help", "--lang", lang) if command else run("--lang", lang, "--help")
    assert ran.code == 0
    assert all(columns(line) <= 80 for line in ran.out.splitlines())
    assert f"  grade {command}".rstrip() in ran.out
    english = {"Usage:", "Options:", "Examples:"}
    assert {w for w in english if w in ran.out} == (english if lang == "en" else set())


@pytest.mark.parametrize("words", ["", "-h", "--help"])
def test_grade_alone_is_its_help(words: str, run: Run) -> None:
    """The commands come in the order a student meets them."""
    ran = run(*words.split())
    assert ran.code == 0
    assert re.findall(r"^  (\w+)  ", ran.out, re.MULTILINE) == ["init", "check", "list", "hint", "audit"]


def test_what_help_does_not_list_is_not_there(run: Run) -> None:
    """Options of later versions are refused rather than ignored."""
    for option in ("--watch", "--sandbox", "--no-history"):
        assert option not in run("check", "--help").out
        assert run("check", option).code == 2


# ---------------------------------------------------------------- real processes


def test_the_module_runs_as_the_command_does() -> None:
    """`python -m grader --version` says the package's version."""
    ran = subprocess.run(
        [sys.executable, "-m", "grader", "--version"], capture_output=True, check=True, env=environment(), timeout=60
    )
    assert ran.stdout.decode().split() == ["micrograde", grader.__version__]


def test_help_loads_click_and_nothing_heavy() -> None:
    """`grade --help` imports no library but click, and none of the grader's rooms behind the command line."""
    script = (
        "import sys\nfrom grader.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    print(*sorted(sys.modules), file=sys.stderr)\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, env=environment(), timeout=60)
    loaded = set(ran.stderr.decode().split())
    heavy = "pytest hypothesis msgspec rich platformdirs pathlib tomllib dataclasses json subprocess shutil "
    heavy += "importlib.metadata"
    assert not loaded & set(heavy.split())
    ours = {name for name in loaded if name.startswith("grader")}
    assert ours <= {
        *("grader", "grader.cli", "grader.cli.commands", "grader.cli.localized", "grader.cli.screen"),
        *("grader.cli.words", "grader.errors", "grader.i18n", "grader.render"),
    }


@pytest.mark.parametrize("encoding", ["ascii", "cp1251", "cp1252", "cp866", "utf-8"])
@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_no_code_page_stops_a_report(encoding: str, lang: str) -> None:
    """On a console of any code page the report comes out whole, with plain marks where it lacks ours."""
    env = environment(PYTHONUTF8="0", PYTHONIOENCODING=encoding)
    ran = process("check", "--lang", lang, env=env)
    text = ran.stdout.decode(encoding)
    assert (ran.returncode, ran.stderr) == (1, b"")
    assert text.splitlines()[-1].endswith("grade hint add-mul")
    mark = "✗" if encoding == "utf-8" else "x"
    assert f"\n  {mark}  6/8  add-mul" in text.replace(os.linesep, "\n")


def test_an_error_can_be_written_on_any_console() -> None:
    """A message in Russian does not fail on a console without Cyrillic."""
    ran = process("check", "--lang", "ru", "нет-такого", env=environment(PYTHONUTF8="0", PYTHONIOENCODING="cp1252"))
    assert ran.returncode == 2
    assert ran.stderr.decode("cp1252").rstrip().endswith("grade list")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes are closed otherwise there")
def test_a_reader_who_goes_away_changes_nothing(student: Path) -> None:
    """With its output closed the command is quiet, writes its files, and exits with the report's code."""
    reading, writing = os.pipe()
    os.close(reading)
    command = fake_command("check", "--format", "json", "--format", "terminal=r.txt")
    with subprocess.Popen(command, stdout=writing, stderr=subprocess.PIPE, env=environment()) as child:
        os.close(writing)
        _out, err = child.communicate(timeout=60)
    assert (child.returncode, err) == (1, b"")
    assert (student / "r.txt").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_the_machines_fault() -> None:
    """Output that cannot be written is one message and exit code 3."""
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            fake_command("check"), stdout=full, stderr=subprocess.PIPE, env=environment(), check=False, timeout=60
        )
    assert ran.returncode == 3
    assert ran.stderr.decode().startswith("Error: the machine refused: ")
    assert b"Traceback" not in ran.stderr


# ---------------------------------------------------------------- a terminal


def on_terminal(*words: str, **variables: str) -> str:
    """What a command shows on a terminal, its output and its errors."""
    pty = pytest.importorskip("pty", reason="no pseudo-terminals on this system")
    ours, theirs = pty.openpty()
    env = environment(**{"TERM": "xterm", **variables})
    with subprocess.Popen(fake_command(*words), stdin=theirs, stdout=theirs, stderr=theirs, env=env) as child:
        os.close(theirs)
        shown = b"".join(iter(lambda: _read(ours), b""))
        child.wait(timeout=60)
    os.close(ours)
    return shown.decode()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4096)
    except OSError:  # how Linux says that the other side is closed
        return b""


def test_a_terminal_is_shown_colours_and_progress() -> None:
    """Colours are on, and recording a seed shows a bar."""
    shown = on_terminal("check")
    assert "\x1b[31m✗\x1b[0m  6/8  add-mul" in shown
    assert "Preparing the programs" in shown
    assert "100%" in shown


@pytest.mark.parametrize("variables", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_can_be_asked_for_no_colours(variables: dict[str, str]) -> None:
    """NO_COLOR and a dumb terminal get a plain report."""
    assert "  ✗  6/8  add-mul" in on_terminal("check", **variables)


def test_progress_is_not_shown_where_nobody_looks() -> None:
    """Piped, the command writes nothing on standard error."""
    assert process("check", env=environment()).stderr == b""
