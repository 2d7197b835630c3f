"""Finding and reading submissions: every layout, every encoding, every odd file."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from grader import notebook, submission
from grader.errors import EnvironmentFault, UsageError
from grader.submission import Problem, Submission, read, shown

ENGINE = "class Value:\n    pass\n"
HELPER = "def two():\n    return 2\n"

needs_posix = pytest.mark.skipif(os.name != "posix", reason="files of this kind exist on POSIX only")


def tree(root: Path, **files: str | bytes) -> Path:
    """A folder with these files; `__` in a name stands for `/`, the suffix is `.py` unless there is one."""
    for name, content in files.items():
        path = root / name.replace("__", "/")
        path = path if path.suffix else path.with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def names(found: Submission) -> list[str]:
    return [file.name for file in found.files]


def problem_of(path: Path) -> Problem:
    """The problem of a submission's first file, which must have one and no text."""
    first = read(path).files[0]
    assert first.problem is not None
    assert first.cells == ()
    return first.problem


def cells_of(path: Path) -> tuple[str, ...]:
    first = read(path).files[0]
    assert first.problem is None
    return first.cells


def cell(source: str | list[str], kind: str = "code") -> dict[str, object]:
    return {"cell_type": kind, "source": source, "metadata": {}, "outputs": [], "execution_count": None}


def write_notebook(path: Path, *cells: dict[str, object]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    book = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": list(cells)}
    path.write_text(json.dumps(book), encoding="utf-8")
    return path


# ---------------------------------------------------------------- layouts


def test_the_lesson_layout_is_a_package_in_the_lesson_order(tmp_path: Path) -> None:
    """All four files in `micrograd/`, whatever order the disk gives."""
    tree(tmp_path / "hw", micrograd__nn="", micrograd__graph="", micrograd__engine=ENGINE, micrograd__functions="")
    found = read(tmp_path / "hw")
    assert found.layout == "package"
    assert names(found) == [f"micrograd/{stem}.py" for stem in ("engine", "functions", "graph", "nn")]
    assert (found.name, found.root) == ("hw", "")
    assert found.files[0].cells == (ENGINE,)
    assert not found.files[0].notebook


def test_files_directly_in_the_folder_are_flat(tmp_path: Path) -> None:
    """Any of the four will do."""
    found = read(tree(tmp_path, graph="", engine=ENGINE))
    assert (found.layout, names(found)) == ("flat", ["engine.py", "graph.py"])


def test_the_micrograd_folder_itself_is_flat(tmp_path: Path) -> None:
    """`grade check hw/micrograd` means what lies in it."""
    tree(tmp_path, micrograd__engine=ENGINE)
    found = read(tmp_path / "micrograd")
    assert (found.layout, names(found), found.name) == ("flat", ["engine.py"], "micrograd")


def test_files_in_both_places_are_one_submission(tmp_path: Path) -> None:
    """`functions.py` beside the package belongs to it."""
    found = read(tree(tmp_path, micrograd__engine=ENGINE, functions=""))
    assert (found.layout, names(found)) == ("package", ["micrograd/engine.py", "functions.py"])


@pytest.mark.parametrize("name", ["value.py", "hw 1.PY", "engine.py"])
def test_one_file_is_single_under_its_own_name(tmp_path: Path, name: str) -> None:
    """A file that is named is taken whatever it holds, and nothing beside it."""
    tree(tmp_path, helper=HELPER)
    (tmp_path / name).write_text("")
    found = read(tmp_path / name)
    assert (found.layout, found.name, names(found)) == ("single", name, [name])


def test_one_notebook_is_single(tmp_path: Path) -> None:
    """Its code cells are kept apart, as they are written; the text between them is out."""
    path = write_notebook(
        tmp_path / "hw.ipynb",
        cell("# Title", "markdown"),
        cell(["%matplotlib inline\n", "x = 1"]),
        cell("raw", "raw"),
        cell("!pip install x\r\ny = 2\rz = 3"),
    )
    found = read(path)
    assert (found.layout, names(found), found.files[0].notebook) == ("single", ["hw.ipynb"], True)
    assert found.files[0].cells == ("%matplotlib inline\nx = 1", "!pip install x\ny = 2\nz = 3")


def test_a_notebook_of_format_3_is_read_from_its_worksheets(tmp_path: Path) -> None:
    """Old Jupyter kept code under `input`."""
    book = {"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "input": ["a = 1\n", "b = 2"]}]}]}
    path = tmp_path / "old.ipynb"
    path.write_text(json.dumps(book))
    assert cells_of(path) == ("a = 1\nb = 2",)


@pytest.mark.parametrize(
    "text", [ENGINE, "if True:\n    class Value(object): pass\n", "def my_tanh(x):\n    ...", "class  MLP(Module): ..."]
)
def test_a_renamed_file_is_found_by_what_it_defines(tmp_path: Path, text: str) -> None:
    """A class or function of the lesson makes the file, and what lies beside it comes along."""
    found = read(tree(tmp_path, my_work=text, ops=HELPER))
    assert (found.layout, names(found)) == ("single", ["my_work.py", "ops.py"])


def test_a_notebook_in_a_folder_is_found_by_what_it_defines(tmp_path: Path) -> None:
    """Any cell will do."""
    write_notebook(tmp_path / "lesson.ipynb", cell("import math"), cell("class Value:\n  pass"))
    write_notebook(tmp_path / "other.ipynb", cell("x = 1"))
    found = read(tree(tmp_path, ops=HELPER))
    assert (found.layout, names(found)) == ("single", ["lesson.ipynb", "ops.py"])


def test_a_notebook_beside_the_lesson_files_is_left_out(tmp_path: Path) -> None:
    """The lesson's own names go first."""
    write_notebook(tmp_path / "play.ipynb", cell("class Value: pass"))
    assert names(read(tree(tmp_path, engine=ENGINE))) == ["engine.py"]


@pytest.mark.parametrize("above", ["hw", "a/b"])
def test_a_nested_folder_is_found_and_its_place_is_told(tmp_path: Path, above: str) -> None:
    """File names are below the root, and the root is below what was named."""
    tree(tmp_path / "top" / above, micrograd__engine=ENGINE, tools=HELPER)
    found = read(tmp_path / "top")
    assert (found.layout, found.name, found.root) == ("package", "top", above)
    assert names(found) == ["micrograd/engine.py", "tools.py"]


def test_a_nested_renamed_file_is_found(tmp_path: Path) -> None:
    """Content counts at every depth."""
    found = read(tree(tmp_path, hw__value=ENGINE, hw__ops=HELPER, elsewhere="x = 1"))
    assert (found.layout, found.root, names(found)) == ("single", "hw", ["value.py", "ops.py"])


def test_deeper_than_four_parts_is_not_looked_at(tmp_path: Path) -> None:
    """A fourth part is the last."""
    tree(tmp_path, a__b__c__engine=ENGINE)
    assert read(tmp_path).root == "a/b/c"
    tree(tmp_path / "deep", a__b__c__d__engine=ENGINE)
    with pytest.raises(UsageError):
        read(tmp_path / "deep")


def test_helpers_come_along_where_an_import_can_name_them(tmp_path: Path) -> None:
    """Beside the work and below it; not tests, not setup files, not what is no module name."""
    tree(
        tmp_path,
        micrograd__engine=ENGINE,
        micrograd__ops=HELPER,
        micrograd__sub__deep=HELPER,
        tools=HELPER,
    )
    (tmp_path / "micrograd" / "__init__.py").touch()
    for name in ("test_engine.py", "conftest.py", "setup.py", "my-script.py", "._engine.py", ".hidden.py", "notes.txt"):
        (tmp_path / name).write_text("x = 1")
    assert set(names(read(tmp_path))) == {
        "micrograd/engine.py",
        "micrograd/__init__.py",
        "micrograd/ops.py",
        "micrograd/sub/deep.py",
        "tools.py",
    }


@pytest.mark.parametrize(
    "folder",
    ["__MACOSX", ".git", ".venv", "venv", "env", "__pycache__", ".ipynb_checkpoints", "node_modules", "site-packages"],
)
def test_other_peoples_folders_are_ignored(tmp_path: Path, folder: str) -> None:
    """Neither found nor taken along."""
    tree(tmp_path, engine=ENGINE)
    (tmp_path / folder / "micrograd").mkdir(parents=True)
    for name in ("engine.py", "micrograd/engine.py", "ops.py"):
        (tmp_path / folder / name).write_text(ENGINE)
    assert names(read(tmp_path)) == ["engine.py"]
    (tmp_path / "engine.py").unlink()
    with pytest.raises(UsageError):
        read(tmp_path)


def test_a_virtual_environment_of_any_name_is_ignored(tmp_path: Path) -> None:
    """It is known by its `pyvenv.cfg`."""
    tree(tmp_path, engine=ENGINE, py311__lib__engine=ENGINE, py311__ops=HELPER)
    (tmp_path / "py311" / "pyvenv.cfg").touch()
    assert names(read(tmp_path)) == ["engine.py"]


@pytest.mark.parametrize("spelled", ["Engine.py", "ENGINE.PY", "Micrograd/Engine.py", "MICROGRAD/engine.py"])
def test_letters_of_any_case_are_accepted_and_named_as_the_lesson_does(tmp_path: Path, spelled: str) -> None:
    """On the student's own disk they may well be the same name."""
    path = tmp_path / spelled
    path.parent.mkdir(exist_ok=True)
    path.write_text(ENGINE)
    (path.parent / "ops.py").write_text(HELPER)
    assert names(read(tmp_path)) == [spelled.lower(), str(Path(spelled.lower()).with_name("ops.py"))]


# ---------------------------------------------------------------- nothing, or too much


def test_two_folders_of_work_are_listed_with_how_to_name_one(tmp_path: Path) -> None:
    """The grader does not choose."""
    tree(tmp_path, v1__micrograd__engine=ENGINE, v2__engine=ENGINE)
    with pytest.raises(UsageError) as refused:
        read(tmp_path)
    assert str(tmp_path / "v1") in str(refused.value)
    assert str(tmp_path / "v2") in str(refused.value)
    assert str(refused.value).endswith(f"grade check {tmp_path / 'v1'}")


def test_a_copy_inside_the_work_is_no_second_candidate(tmp_path: Path) -> None:
    """The outer one is meant."""
    found = read(tree(tmp_path, hw__engine=ENGINE, hw__old__engine="old = 1"))
    assert (found.root, found.files[0].cells) == ("hw", (ENGINE,))


def test_one_file_in_two_places_is_refused(tmp_path: Path) -> None:
    """`engine.py` and `micrograd/engine.py` would be one module."""
    tree(tmp_path, engine=ENGINE, micrograd__engine=ENGINE)
    with pytest.raises(UsageError, match="More than one thing") as refused:
        read(tmp_path)
    assert str(refused.value).endswith(f"grade check {tmp_path / 'micrograd'}")


@needs_posix
def test_names_that_differ_in_case_only_are_refused(tmp_path: Path) -> None:
    """Which of them Python would import depends on the machine."""
    tree(tmp_path, engine=ENGINE, Engine=ENGINE)
    if len(list(tmp_path.iterdir())) == 1:
        pytest.skip("this disk does not tell the two names apart")
    with pytest.raises(UsageError, match="More than one thing") as refused:
        read(tmp_path)
    assert "grade check" in str(refused.value)


def test_two_renamed_files_are_listed_with_what_they_define(tmp_path: Path) -> None:
    """The lesson's file names are told, and how to name one."""
    tree(tmp_path, value=ENGINE, funcs="def my_tanh(x): ...\ndef slope(f): ...\n")
    with pytest.raises(UsageError) as refused:
        read(tmp_path)
    said = str(refused.value)
    assert "value.py (Value)" in said
    assert "funcs.py (my_tanh, slope)" in said
    assert said.endswith(f"grade check {tmp_path / 'funcs.py'}")


def test_nothing_gradable_says_what_was_found_and_looked_for(tmp_path: Path) -> None:
    """A student sees at once that this is the wrong folder."""
    tree(tmp_path, main="print(1)")
    (tmp_path / "notes.txt").touch()
    (tmp_path / "pictures").mkdir()
    with pytest.raises(UsageError) as refused:
        read(tmp_path)
    said = str(refused.value)
    assert "Found: main.py, notes.txt, pictures." in said
    assert "engine.py, functions.py, graph.py or nn.py" in said
    assert "grade init" in said
    assert said.endswith("grade check PATH")


def test_an_empty_folder_is_nothing_gradable(tmp_path: Path) -> None:
    """The list of what was found is a dash."""
    with pytest.raises(UsageError, match="Found: —"):
        read(tmp_path)


def test_a_long_list_is_cut(tmp_path: Path) -> None:
    """A folder of pictures does not fill the screen."""
    for i in range(50):
        (tmp_path / f"{i:02}.png").touch()
    with pytest.raises(UsageError, match=r"07\.png, …\."):
        read(tmp_path)


@pytest.mark.parametrize("name", ["nowhere", "nowhere/hw.py", "nul\0byte", "x" * 5000])
def test_a_missing_path_names_the_next_command(tmp_path: Path, name: str) -> None:
    """Whatever keeps it from being there."""
    with pytest.raises(UsageError, match=r"(?s)There is no .*grade init.*grade check PATH$"):
        read(tmp_path / name)


@pytest.mark.parametrize("name", ["hw.zip", "hw.py.txt", "engine"])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, name: str) -> None:
    """An archive has to be unpacked, a text file renamed."""
    (tmp_path / name).touch()
    with pytest.raises(UsageError, match=r"neither a \.py file nor a \.ipynb notebook.*grade check PATH$"):
        read(tmp_path / name)


def test_a_path_with_spaces_is_quoted_in_the_command(tmp_path: Path) -> None:
    """It can be pasted."""
    with pytest.raises(UsageError, match=r'"[^"]*my work"'):
        read(tmp_path / "my work")


@needs_posix
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may open everything")
def test_what_the_machine_refuses_is_the_machines_fault(tmp_path: Path) -> None:
    """A folder without permission is no fault of the student's, nor is a file."""
    tree(tmp_path / "hw", engine=ENGINE)
    (tmp_path / "hw" / "engine.py").chmod(0)
    problem = problem_of(tmp_path / "hw")
    assert (problem.blame, problem.kind) == ("environment", "unreadable")
    (tmp_path / "hw").chmod(0)
    try:
        with pytest.raises(EnvironmentFault, match="grade check"):
            read(tmp_path / "hw")
    finally:
        (tmp_path / "hw").chmod(0o700)


def test_a_closed_folder_is_the_machines_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same by a fake, since root may open everything; a closed folder further down is passed over."""
    scandir = os.scandir
    tree(tmp_path, engine=ENGINE, closed__x=HELPER)

    def guarded(path: Path) -> object:
        if Path(path).name in forbidden:
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    forbidden = {"closed"}
    assert names(read(tmp_path)) == ["engine.py"]
    forbidden = {tmp_path.name}
    with pytest.raises(EnvironmentFault, match=r"Permission denied.*grade check"):
        read(tmp_path)


def test_a_file_that_cannot_be_opened_is_the_machines_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is part of the submission, with the reason."""
    tree(tmp_path, engine=ENGINE)

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    problem = problem_of(tmp_path)
    assert (problem.blame, problem.kind, problem.file) == ("environment", "unreadable", "engine.py")
    assert "Permission denied" in problem.message


# ---------------------------------------------------------------- odd files


@needs_posix
@pytest.mark.parametrize("kind", ["fifo", "socket", "folder", "link", "broken link", "link to a device"])
def test_what_is_no_ordinary_file_is_neither_followed_nor_waited_for(tmp_path: Path, kind: str) -> None:
    """It stands in the submission as a problem; the rest is read."""
    odd = tree(tmp_path / "hw", functions="") / "engine.py"
    (tmp_path / "secret.py").write_text("secret = 1")
    match kind:
        case "fifo":
            os.mkfifo(odd)
        case "socket":
            with socket.socket(socket.AF_UNIX) as server:
                here = Path.cwd()
                os.chdir(odd.parent)  # the path of a socket may have 100 bytes only
                server.bind(odd.name)
                os.chdir(here)
        case "folder":
            odd.mkdir()
        case "link":
            odd.symlink_to(tmp_path / "secret.py")
        case "broken link":
            odd.symlink_to("nowhere")
        case _:
            odd.symlink_to("/dev/zero")
    found = read(tmp_path / "hw")
    assert names(found) == ["engine.py", "functions.py"]
    problem = found.files[0].problem
    assert problem is not None
    assert (problem.blame, problem.kind, problem.file) == ("student", "unreadable", "engine.py")
    assert found.files[1].problem is None


@needs_posix
def test_a_file_swapped_for_a_link_after_it_was_looked_at_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The open itself refuses links."""
    (tmp_path / "secret.py").write_text("secret = 1")
    path = tmp_path / "hw" / "engine.py"
    tree(tmp_path / "hw", engine=ENGINE)
    as_it_was = path.lstat()
    path.unlink()
    path.symlink_to(tmp_path / "secret.py")
    monkeypatch.setattr(Path, "lstat", lambda _self: as_it_was)
    content = notebook.contents(path)
    assert content.cells == ()
    assert content.fault is not None


@needs_posix
def test_links_inside_a_folder_are_left_out(tmp_path: Path) -> None:
    """Neither a linked helper nor a linked folder, not even one that leads round in a circle."""
    tree(tmp_path / "other", ops=HELPER)
    hw = tree(tmp_path / "hw", engine=ENGINE)
    (hw / "ops.py").symlink_to(tmp_path / "other" / "ops.py")
    (hw / "lib").symlink_to(tmp_path / "other")
    (hw / "loop").symlink_to(hw)
    assert names(read(hw)) == ["engine.py"]


@needs_posix
def test_a_link_to_a_folder_may_be_named_and_one_to_a_file_not(tmp_path: Path) -> None:
    """The folder's own name is the submission's, so that the link and the folder give one report."""
    tree(tmp_path / "hw", engine=ENGINE)
    (tmp_path / "current").symlink_to("hw")
    (tmp_path / "link.py").symlink_to("hw/engine.py")
    assert read(tmp_path / "current") == read(tmp_path / "hw")
    with pytest.raises(UsageError, match=r"is a link.*grade check PATH$"):
        read(tmp_path / "link.py")


@needs_posix
def test_a_fifo_or_device_may_not_be_named(tmp_path: Path) -> None:
    """And it is not opened."""
    os.mkfifo(tmp_path / "value.py")
    for path in (tmp_path / "value.py", Path("/dev/zero")):
        with pytest.raises(UsageError, match="neither a file nor a folder"):
            read(path)


def test_a_junction_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows it says that it is a folder; its reparse tag tells the truth (a fake, for want of one here)."""

    class Entry:
        """An `os.DirEntry` of a junction, or of an ordinary folder of Windows."""

        name = "lib"

        def __init__(self, tag: int) -> None:
            self.tag = tag

        def is_dir(self, *, follow_symlinks: bool) -> bool:
            return not follow_symlinks

        def stat(self, *, follow_symlinks: bool) -> Entry:
            assert not follow_symlinks
            return self

        @property
        def st_reparse_tag(self) -> int:
            return self.tag

    assert not submission._is_folder(Entry(0xA0000003))  # type: ignore[arg-type]
    assert submission._is_folder(Entry(0))  # type: ignore[arg-type]
    assert submission._is_folder(Entry(0x9000001A))  # type: ignore[arg-type]  # a folder that OneDrive keeps


def test_each_file_is_opened_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was searched, what is hashed and what will run are the same bytes."""
    opened: list[str] = []
    original = os.open

    def counting(path: Path, flags: int, *rest: int) -> int:
        opened.append(Path(path).name)
        return original(path, flags, *rest)

    monkeypatch.setattr(os, "open", counting)
    for work in (tree(tmp_path / "a", engine=ENGINE, ops=HELPER), tree(tmp_path / "b", value=ENGINE, ops=HELPER)):
        opened.clear()
        read(work)
        assert sorted(opened) == sorted(path.name for path in work.iterdir())


def test_caps_are_kept_to_the_byte(tmp_path: Path) -> None:
    """256 KiB of a `.py` are read, one byte more is not."""
    tree(tmp_path, engine=b"#" * notebook.CODE_CAP)
    assert len(cells_of(tmp_path)[0]) == notebook.CODE_CAP
    tree(tmp_path, engine=b"#" * (notebook.CODE_CAP + 1))
    problem = problem_of(tmp_path)
    assert (problem.blame, problem.kind, problem.file) == ("student", "too-large", "engine.py")
    assert "256 KiB" in problem.message


def test_a_sparse_file_of_a_terabyte_costs_nothing(tmp_path: Path) -> None:
    """Reading stops at the cap."""
    with (tmp_path / "engine.py").open("wb") as file:
        try:
            file.truncate(1 << 40)
        except OSError:
            pytest.skip("this disk has no sparse files of that size")
    assert problem_of(tmp_path).kind == "too-large"


def test_a_notebook_may_be_large_but_its_code_not(tmp_path: Path) -> None:
    """Pictures in outputs do not count as code."""
    picture = {**cell("x = 1"), "outputs": [{"data": {"image/png": "A" * (1 << 20)}}]}
    assert cells_of(write_notebook(tmp_path / "a.ipynb", picture)) == ("x = 1",)
    too_much = write_notebook(tmp_path / "b.ipynb", cell("#" * 200_000), cell("#" * 200_000))
    assert problem_of(too_much).kind == "too-large"
    huge = {**picture, "outputs": [{"data": {"image/png": "A" * (8 << 20)}}]}
    assert problem_of(write_notebook(tmp_path / "c.ipynb", huge)).kind == "too-large"


def test_no_more_than_200_files_are_read(tmp_path: Path) -> None:
    """The work first, then the nearest."""
    for i in range(300):
        (tmp_path / f"m{i:03}.py").write_text("x = 1")
    tree(tmp_path, engine=ENGINE)
    found = names(read(tmp_path))
    assert len(found) == 200
    assert found[:2] == ["engine.py", "m000.py"]


def test_a_folder_of_any_size_is_looked_through_in_bounded_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After so many entries the search is over."""
    monkeypatch.setattr(submission, "MAX_ENTRIES", 20)
    for i in range(30):
        (tmp_path / f"{i}.txt").touch()
    tree(tmp_path / "later", engine=ENGINE)
    with pytest.raises(UsageError, match="nothing to grade"):
        read(tmp_path)


# ---------------------------------------------------------------- names


@needs_posix
def test_a_name_that_cannot_be_printed_is_escaped(tmp_path: Path) -> None:
    """Bytes that are no text, line ends, escapes of a terminal and reversed writing stay readable and harmless."""
    folder = os.fsencode(tmp_path) + b"/a\nb\x1b[2J\xff\xe2\x80\xae"
    os.mkdir(folder)  # noqa: PTH102 bytes
    with open(folder + b"/my\xffwork.py", "wb") as file:  # noqa: PTH123
        file.write(ENGINE.encode())
    found = read(Path(os.fsdecode(folder)))
    assert found.name == r"a\nb\x1b[2J\udcff\u202e"
    assert names(found) == [r"my\udcffwork.py"]
    (found.name + found.files[0].name).encode("utf-8")
    with pytest.raises(UsageError) as refused:
        read(Path(os.fsdecode(folder + b"/none")))
    assert "\n" not in str(refused.value)
    assert "\x1b" not in str(refused.value)


def test_names_of_people_stay_as_they_are() -> None:
    """Only what cannot be printed is touched."""
    assert shown("Пётр, О'Нил (2).py") == "Пётр, О'Нил (2).py"


def test_a_name_of_255_bytes_is_read(tmp_path: Path) -> None:
    """The longest that a disk takes."""
    name = "v" * 252 + ".py"
    (tmp_path / name).write_text(ENGINE)
    assert names(read(tmp_path)) == [name]


def test_a_dot_is_named_after_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From wherever the grader is called, the submission's name is the same."""
    tree(tmp_path / "hw", micrograd__engine=ENGINE)
    monkeypatch.chdir(tmp_path / "hw")
    assert read(Path()) == read(tmp_path / "hw")
    monkeypatch.chdir(tmp_path / "hw" / "micrograd")
    assert read(Path("..")).name == "hw"


# ---------------------------------------------------------------- digest


def test_the_digest_is_of_names_and_bytes_alone(tmp_path: Path) -> None:
    """Not of place, time, or what is not part of the submission."""
    first = tree(tmp_path / "a" / "hw", micrograd__engine=ENGINE, tools=HELPER)
    second = tree(tmp_path / "b" / "other", tools=HELPER, micrograd__engine=ENGINE)
    os.utime(second / "tools.py", (0, 0))
    (second / "notes.txt").touch()
    (second / "test_it.py").touch()
    assert read(first).digest == read(second).digest
    assert read(first).digest.startswith("sha256:")
    assert len(read(first).digest) == len("sha256:") + 64


@pytest.mark.parametrize(
    "change",
    [{"tools": HELPER + " "}, {"tool": HELPER}, {"toolz": HELPER}, {"tools": b"\xff"}, {"tools": "x", "to": "ols.py"}],
)
def test_every_byte_and_every_name_counts(tmp_path: Path, change: dict[str, str | bytes]) -> None:
    """So does a file that cannot be read as text."""
    one = tree(tmp_path / "one", engine=ENGINE, tools=HELPER)
    other = tree(tmp_path / "other", engine=ENGINE, **change)
    assert read(one).digest != read(other).digest


def test_bytes_that_mean_the_same_text_have_different_digests(tmp_path: Path) -> None:
    """What was handed in is hashed, not what was made of it."""
    one = read(tree(tmp_path / "one", engine=b"x = 1\n"))
    other = read(tree(tmp_path / "other", engine=b"x = 1\r\n"))
    assert one.files == other.files
    assert one.digest != other.digest


# ---------------------------------------------------------------- encodings

CYRILLIC = "# Лист\nx = 'ё'\n"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"", ""),
        (b"x = 1", "x = 1"),
        (CYRILLIC.encode(), CYRILLIC),
        (b"\xef\xbb\xbf" + CYRILLIC.encode(), CYRILLIC),
        (b"\xef\xbb\xbf# coding: cp1251\n" + CYRILLIC.encode(), "# coding: cp1251\n" + CYRILLIC),
        (b"a = 1\r\nb = 2\r\n", "a = 1\nb = 2\n"),
        (b"a = 1\rb = 2\r", "a = 1\nb = 2\n"),
        (b"a = 1\n\r\nb = 2\r\r\n", "a = 1\n\nb = 2\n\n"),
    ],
    ids=["empty", "plain", "utf-8", "bom", "bom and declared", "crlf", "cr", "mixed"],
)
def test_utf_8_is_read_with_or_without_mark_and_with_any_line_ends(tmp_path: Path, raw: bytes, text: str) -> None:
    r"""Lines end in `\n`, the mark is gone."""
    assert cells_of(tree(tmp_path, engine=raw)) == (text,)


@pytest.mark.parametrize(
    ("declared", "codec"),
    [
        ("utf-8", "utf-8"),
        ("UTF8", "utf-8"),
        ("utf-8-sig", "utf-8"),
        ("utf_8-unix", "utf-8"),
        ("cp1251", "cp1251"),
        ("windows-1251", "cp1251"),
        ("Windows_1251-dos", "cp1251"),
        ("koi8-r", "koi8-r"),
        ("KOI8_R", "koi8-r"),
    ],
)
@pytest.mark.parametrize(
    "line", ["# -*- coding: {} -*-", "# vim: set fileencoding={} :", "#!/usr/bin/python\n# coding={}"]
)
def test_a_declared_encoding_is_read(tmp_path: Path, declared: str, codec: str, line: str) -> None:
    """In the first two lines, in any of the usual forms; the line stays and does `compile` no harm."""
    text = line.format(declared) + "\r\n" + CYRILLIC
    (read_text,) = cells_of(tree(tmp_path, engine=text.encode(codec)))
    assert read_text == text.replace("\r\n", "\n")
    namespace: dict[str, object] = {}
    exec(compile(read_text, "engine.py", "exec"), namespace)
    assert namespace["x"] == "ё"


@pytest.mark.parametrize(
    ("declared", "byte", "letter"),
    [("latin-1", b"\xe9", "é"), ("iso-8859-1", b"\xe9", "é"), ("cp1252", b"\x80", "€"), ("ascii", b"e", "e")],
)
def test_western_encodings_are_read(tmp_path: Path, declared: str, byte: bytes, letter: str) -> None:
    """By either name."""
    (text,) = cells_of(tree(tmp_path, engine=b"# coding: " + declared.encode() + b"\nx = '" + byte + b"'\n"))
    assert f"x = '{letter}'" in text


def test_a_declaration_counts_in_the_second_line_after_a_comment_only(tmp_path: Path) -> None:
    """As Python has it: not after code, not in the third line, not inside code."""
    cyrillic = CYRILLIC.encode("cp1251")
    for head in (b"x = 1\n# coding: cp1251\n", b"#\n#\n# coding: cp1251\n", b"s = '# coding: cp1251'\n"):
        problem = problem_of(tree(tmp_path, engine=head + cyrillic))
        assert "not valid UTF-8" in problem.message
    assert cells_of(tree(tmp_path, engine=b"\n# coding: cp1251\n" + cyrillic))[0].endswith(CYRILLIC)


@pytest.mark.parametrize("codec", ["utf-7", "utf-16", "rot13", "idna", "cp866", "mac-cyrillic", "hex", "nonsense"])
def test_other_declared_encodings_are_refused_with_the_list_of_those_allowed(tmp_path: Path, codec: str) -> None:
    """No codec of the machine's is ever looked up by a name that a student wrote."""
    problem = problem_of(tree(tmp_path, engine=f"# coding: {codec}\nx = 1\n"))
    assert (problem.blame, problem.kind, problem.file, problem.line) == ("student", "encoding", "engine.py", 1)
    assert codec in problem.message
    assert "utf-8, ascii, latin-1, cp1251, cp1252, koi8-r" in problem.message


@pytest.mark.parametrize("ends", [b"\n", b"\r\n", b"\r"])
def test_undeclared_bytes_that_are_not_utf_8_are_refused_with_their_line(tmp_path: Path, ends: bytes) -> None:
    """Python of one version took them in a comment; nothing is guessed here."""
    raw = ends.join([b"x = 1", b"", "# Лист".encode("cp1251"), b"y = 2"])
    problem = problem_of(tree(tmp_path, engine=raw))
    assert (problem.kind, problem.line, problem.file) == ("encoding", 3, "engine.py")
    assert "UTF-8" in problem.message
    assert "`grade check`" in problem.message


@pytest.mark.parametrize(("declared", "byte"), [("ascii", b"\xc3"), ("utf-8", b"\xff"), ("cp1251", b"\x98")])
def test_bytes_that_the_declared_encoding_lacks_are_refused_with_their_line(
    tmp_path: Path, declared: str, byte: bytes
) -> None:
    """The declaration was wrong."""
    problem = problem_of(tree(tmp_path, engine=b"# coding: " + declared.encode() + b"\nx = '" + byte + b"'\n"))
    assert (problem.kind, problem.line) == ("encoding", 2)


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
def test_utf_16_is_named(tmp_path: Path, codec: str) -> None:
    """With or without its mark: some Windows editors write it."""
    problem = problem_of(tree(tmp_path, engine=ENGINE.encode(codec)))
    assert problem.kind == "encoding"
    assert "UTF-16" in problem.message


def test_a_nul_byte_is_refused_with_its_line(tmp_path: Path) -> None:
    """Python would refuse it too, and less clearly."""
    problem = problem_of(tree(tmp_path, engine=b"x = 1\ny = 2 # and so on\n#\0\n"))
    assert (problem.kind, problem.line) == ("encoding", 3)
    assert "NUL" in problem.message


def test_one_unreadable_file_does_not_cost_the_others(tmp_path: Path) -> None:
    """The rest is graded."""
    found = read(tree(tmp_path, engine=ENGINE, graph=b"\xff"))
    assert [file.problem is None for file in found.files] == [True, False]


def test_the_only_file_of_a_folder_is_taken_though_it_cannot_be_read(tmp_path: Path) -> None:
    """It is what was handed in; where there are others, nobody knows."""
    tree(tmp_path, value=ENGINE.encode("utf-16"))
    assert problem_of(tmp_path).file == "value.py"
    tree(tmp_path, other="x = 1")
    with pytest.raises(UsageError, match="nothing to grade"):
        read(tmp_path)


# ---------------------------------------------------------------- notebooks that are none


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"class Value: pass",
        b"{",
        b"[]",
        b"{}",
        b'{"nbformat": 4, "cells": {}}',
        b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": 5}]}',
        b'{"nbformat": 2, "worksheets": []}',
        b'{"nbformat": 5, "cells": []}',
        b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": "\xff"}]}',
        rb'{"nbformat": 4, "cells": [{"cell_type": "code", "source": "\ud800"}]}',
        b'{"nbformat": 4, "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        '{"nbformat": 4, "cells": []}'.encode("utf-16"),
    ],
    ids=lambda raw: repr(raw[:30]),
)
def test_what_is_no_notebook_is_a_problem(tmp_path: Path, raw: bytes) -> None:
    """Whatever the bytes are, and however deep."""
    path = tmp_path / "hw.ipynb"
    path.write_bytes(raw)
    problem = problem_of(path)
    assert (problem.blame, problem.kind, problem.file) == ("student", "notebook", "hw.ipynb")
    assert "`grade check`" in problem.message


def test_a_notebook_with_a_mark_and_without_code_is_an_empty_one(tmp_path: Path) -> None:
    """Nothing is missing but the work."""
    path = tmp_path / "hw.ipynb"
    path.write_bytes(b'\xef\xbb\xbf{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": "x"}]}')
    assert cells_of(path) == ()


# ---------------------------------------------------------------- on the fast path


def test_reading_imports_nothing_slow() -> None:
    """Neither json nor tokenize nor tempfile nor subprocess is needed to read a submission."""
    slow = ("json", "tokenize", "tempfile", "subprocess", "gettext", "inspect", "dataclasses")
    code = "import sys, pathlib, msgspec; before = set(sys.modules); import grader.submission as s; "
    code += f"s.read(pathlib.Path(sys.argv[1])); print([m for m in {slow!r} if m in set(sys.modules) - before])"
    root = Path(submission.__file__).parents[1]
    command = [sys.executable, "-c", code, str(root / "grader" / "errors.py")]
    result = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
