"""The student's template is the reference with the solutions taken out, and nothing of them left in."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import pytest

from grader.template import MARK, template_files, template_of, write_template
from tests.support import ROOT

if TYPE_CHECKING:
    from pathlib import Path

TEMPLATE = ROOT / "student_template"
FILES = ("engine.py", "functions.py", "graph.py")
EXERCISES = {
    "value", "add-mul", "pow-relu", "derived", "exp", "my-tanh", "graph", "slope", "backward", "tanh", "draw",
}  # fmt: skip
GIVEN = {"__repr__"}
"""What is no exercise and stands in the template as it is."""

FUNCTION = '''\
def double(x):
    """Return twice `x`."""
    # solution exp: write 2 * x
    y = x

    return y + x
'''


def functions(text: str) -> dict[str, ast.FunctionDef]:
    """Every function and method of a file outside of other functions, by name."""
    module = ast.parse(text)
    classes = [node for node in module.body if isinstance(node, ast.ClassDef)]
    nodes = [*module.body, *(node for found in classes for node in found.body)]
    return {node.name: node for node in nodes if isinstance(node, ast.FunctionDef)}


def read(folder: str, name: str) -> str:
    """A file of the reference or of the template."""
    return (ROOT / folder / "micrograd" / name).read_text(encoding="utf-8")


def test_the_committed_template_is_the_generated_one() -> None:
    """Regenerating changes nothing, and no generated-looking file is left over."""
    generated = template_files(ROOT)
    paths = TEMPLATE.glob("micrograd/*.py")
    committed = {path.relative_to(TEMPLATE).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    assert committed == generated


@pytest.mark.parametrize("name", FILES)
def test_the_template_has_every_signature_and_docstring(name: str) -> None:
    """What can be called in the reference can be called in the template, and is described there in the same words."""
    theirs, ours = functions(read("student_template", name)), functions(read("reference", name))
    assert list(theirs) == list(ours)
    for function, node in ours.items():
        assert ast.dump(theirs[function].args) == ast.dump(node.args)
        assert ast.get_docstring(node)
        assert ast.get_docstring(theirs[function]) == ast.get_docstring(node)


@pytest.mark.parametrize("name", FILES)
def test_every_solution_is_gone(name: str) -> None:
    """A function of the template is its docstring and one raise that names its exercise."""
    for function, node in functions(read("student_template", name)).items():
        if function in GIVEN:
            continue
        (raised,) = node.body[1:]
        assert isinstance(raised, ast.Raise)
        assert isinstance(raised.exc, ast.Call)
        assert ast.unparse(raised.exc.func) == "NotImplementedError"
        message = ast.literal_eval(raised.exc.args[0])
        exercise, task = message.split(": ", 1)
        assert exercise in EXERCISES
        assert task


def test_every_exercise_but_the_gradients_has_its_place() -> None:
    """Each exercise is named by some function; `local-gradients` is written inside the operations."""
    lines = [line for name in FILES for line in read("reference", name).splitlines()]
    assert {mark["exercise"] for line in lines if (mark := MARK.fullmatch(line))} == EXERCISES


@pytest.mark.parametrize("name", FILES)
def test_the_template_is_tidy(name: str) -> None:
    """No line is too long, no mark is left, blank lines are as in the reference, and the file ends with one newline."""
    text = read("student_template", name)
    assert max(map(len, text.splitlines())) <= 120
    assert "# solution" not in text
    assert not re.search(r"\n{4}", text)
    assert text.endswith(")\n")
    assert not text.endswith("\n\n")


def test_a_solution_gives_way_to_its_task() -> None:
    """The mark's words become the message, and the rest of the function goes, blank lines included."""
    assert template_of(FUNCTION) == (
        'def double(x):\n    """Return twice `x`."""\n    raise NotImplementedError("exp: write 2 * x")\n'
    )


def test_what_follows_a_solution_stays() -> None:
    """A shallower line ends the solution: the next function, at any depth, keeps its distance."""
    follower = "def next_one():\n    return 1\n"
    assert template_of(f"{FUNCTION}\n\n{follower}") == f"{template_of(FUNCTION)}\n\n{follower}"
    inside = "class A:\n" + "".join(f"    {line}\n" if line else "\n" for line in FUNCTION.splitlines())
    stub = '        raise NotImplementedError("exp: write 2 * x")\n'
    assert template_of(f"{inside}\n    # more\n").endswith(f"{stub}\n    # more\n")


def test_a_task_may_hold_quotes_and_any_letter() -> None:
    """The message is written as a Python string, whatever is in it."""
    text = template_of('def f():\n    # solution value: write "ё" and \\\n    pass\n')
    (node,) = functions(text).values()
    assert 'value: write "ё" and \\' in ast.unparse(node).replace("\\\\", "\\")


def test_text_without_marks_stays_as_it_is() -> None:
    """A file with nothing to solve is the same for the student; an empty one stays empty."""
    assert template_of("import math\n\nX = 1\n") == "import math\n\nX = 1\n"
    assert template_of("") == ""


def test_writing_makes_the_files_and_leaves_others_alone(tmp_path: Path) -> None:
    """Files are written with plain newlines; what else is in the folder stays."""
    reference = tmp_path / "reference" / "micrograd"
    reference.mkdir(parents=True)
    (reference / "engine.py").write_bytes(FUNCTION.replace("\n", "\r\n").encode())
    other = tmp_path / "student_template" / "README.md"
    other.parent.mkdir()
    other.write_text("read me", encoding="utf-8")
    write_template(tmp_path)
    assert (tmp_path / "student_template" / "micrograd" / "engine.py").read_bytes() == template_of(FUNCTION).encode()
    assert other.read_text(encoding="utf-8") == "read me"


def test_the_readme_speaks_both_languages() -> None:
    """A student finds how to run the check in English and in Russian, and every exercise in both."""
    english, russian = (TEMPLATE / "README.md").read_text(encoding="utf-8").split("\n---\n")
    assert "Проверка" in russian
    for text in (english, russian):
        assert "grade check" in text
        assert "standard library" in text or "стандартной библиотеки" in text
        assert [name for name in (*EXERCISES, "local-gradients") if f"`{name}`" not in text] == []
