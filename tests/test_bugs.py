"""The bug models fit the reference, say what they are in both languages, and cover what real students do."""

from __future__ import annotations

import ast
import re
import shutil
from typing import TYPE_CHECKING

import pytest

from grader.bugs import BugModel, Edit, apply, load
from grader.errors import LessonError
from tests.support import ROOT, reference_files

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Writer = Callable[..., Path]


MODELS = load(ROOT)
BY_ID = {model.id: model for model in MODELS}
CYRILLIC = re.compile(r"[\u0400-\u04ff]")
EXERCISES = (
    "value", "add-mul", "pow-relu", "derived", "exp", "my-tanh", "graph",
    "slope", "local-gradients", "backward", "tanh", "draw",
)  # fmt: skip

OPERATIONS = {
    "add": ("assigned", "assigned-left", "assigned-right", "upstream", "upstream-left", "upstream-right", "formula",
            "no-parents", "left-parent-only", "right-parent-only", "no-return", "label"),
    "mul": ("assigned", "assigned-left", "assigned-right", "upstream", "upstream-left", "upstream-right", "swapped",
            "formula", "no-parents", "left-parent-only", "right-parent-only", "no-return", "label"),
    "pow": ("assigned", "upstream", "swapped", "formula", "exponent-kept", "no-factor", "no-parent", "no-return",
            "label-bare"),
    "relu": ("assigned", "upstream", "formula", "no-parent", "no-return", "label"),
    "exp": ("assigned", "upstream", "swapped", "by-input", "formula", "no-parent", "no-return", "label"),
    "tanh": ("assigned", "upstream", "not-squared", "plus", "formula", "no-parent", "no-return", "label"),
}  # fmt: skip
"""Every operation with every kind of mistake that it can have."""

SEEN: dict[str, tuple[str, str]] = {
    "`=` for `+=`": (
        "local-gradients",
        "add-assigned add-assigned-left add-assigned-right mul-assigned pow-assigned relu-assigned exp-assigned",
    ),
    "`=` for `+=` in tanh": ("tanh", "tanh-assigned"),
    "appended outside the 'not visited' branch": ("backward", "order-appended-outside"),
    "breadth-first": ("backward", "order-breadth-first"),
    "plain recursion, no visited set": ("backward", "order-plain-recursion order-never-marked"),
    "iterative depth-first that emits twice": ("backward", "order-stack-twice"),
    "`__rsub__` computes self - other": ("derived", "rsub-swapped"),
    "`__rtruediv__` inverted": ("derived", "rdiv-inverted"),
    "missing `return out`": ("pow-relu", "relu-no-return"),
    "`__neg__(self, other)`": ("derived", "neg-with-operand"),
    "`math` never imported": ("exp", "math-not-imported"),
    "annotation evaluated inside the class": ("value", "class-in-its-own-body"),
    "node without parents (ReLU)": ("pow-relu", "relu-no-parent"),
    "node without parents, missing return (tanh)": ("tanh", "tanh-no-parent tanh-no-return"),
    "closure under another name": ("local-gradients", "relu-closure-renamed mul-closure-renamed"),
    "division through `.data`": ("derived", "div-number"),
    "`-a` or `/` has no gradient rule": ("local-gradients", "neg-no-rule div-no-rule"),
    "wrong formula": ("local-gradients", "pow-uses-grad exp-of-exp relu-gradient-threshold"),
    "tanh with ReLU's rule": ("tanh", "tanh-of-relu"),
    "hard-coded constant": ("exp", "exp-constant"),
    "ReLU gradient 1 at 0": ("local-gradients", "relu-at-zero"),
    "exponent wrapped, then used as a number": ("pow-relu", "pow-wraps-exponent"),
    "`Value ** Value` accepted": ("pow-relu", "pow-accepts-value"),
    "equal nodes merged": ("add-mul", "equal-by-value"),
    "plain numbers not wrapped": ("add-mul", "not-wrapped add-not-wrapped mul-not-wrapped only-int-wrapped"),
    "output never seeded": ("backward", "seed-missing"),
    "leaves do not record": ("local-gradients", "leaves-do-not-record"),
    "`self` for `(self,)` in `+ *`": ("add-mul", "add-parents-bare mul-parents-bare"),
    "labels that double": ("add-mul", "add-label-doubles"),
    "`self.prev`, `self._op = op`": ("value", "prev-other-name op-undefined"),
    "`_prev` a list or a tuple": ("value", "prev-list prev-tuple"),
    "other labels": ("pow-relu", "pow-label-bare pow-label-caret relu-label"),
    "own nodes for `-` and `/`": ("derived", "neg-own-node sub-own-node div-own-node"),
}  # fmt: skip
"""Faults seen in real engines → the exercise where each costs points, and the models of it."""


def test_every_operation_has_every_kind_of_mistake() -> None:
    """Assigned, upstream forgotten, swapped, wrong formula, no parent, no return, another label: all are there."""
    assert [f"{op}-{kind}" for op, kinds in OPERATIONS.items() for kind in kinds if f"{op}-{kind}" not in BY_ID] == []


@pytest.mark.parametrize("fault", SEEN)
def test_every_fault_seen_has_a_model(fault: str) -> None:
    """Each fault of real engines is modelled, and costs points where it should."""
    exercise, ids = SEEN[fault]
    assert {BY_ID[name].fails for name in ids.split()} == {exercise}


def test_there_are_models_for_every_exercise() -> None:
    """All twelve exercises can be lost, none by fewer than five mistakes, and no other is named."""
    lost = [model.fails for model in MODELS]
    assert {name: lost.count(name) for name in EXERCISES if lost.count(name) < 5} == {}
    assert {name for model in MODELS for name in (model.fails, *model.also)} == set(EXERCISES)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.id)
def test_a_model_makes_a_file_that_compiles(model: BugModel) -> None:
    """The edited files are Python, differ from the reference, and no other file changes."""
    files = reference_files()
    edited = apply(model, files)
    changed = {name for name, text in edited.items() if text != files[name]}
    assert changed == {edit.file for edit in model.edits}
    for name in changed:
        assert ast.dump(ast.parse(edited[name])) != ast.dump(ast.parse(files[name]))


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.id)
def test_a_model_speaks_both_languages(model: BugModel) -> None:
    """Title and hint stand in English and in Russian, end as a title and a sentence do, and differ."""
    for words in (model.title, model.hint):
        assert not CYRILLIC.search(words.en)
        assert CYRILLIC.search(words.ru)
        assert words.en == words.en.strip()
        assert words.ru == words.ru.strip()
        assert words.en.count("`") == words.ru.count("`")
    assert not model.title.en.endswith(".")
    assert not model.title.ru.endswith(".")
    assert model.hint.en[-1] in ".?"
    assert model.hint.ru[-1] in ".?"
    assert model.title.en[0] == "`" or model.title.en[0].isupper()


def test_no_two_models_are_the_same() -> None:
    """Ids, titles in each language and the edited files are all different."""
    files = reference_files()
    for seen in (
        [model.id for model in MODELS],
        [model.title.en for model in MODELS],
        [model.title.ru for model in MODELS],
        ["".join(ast.dump(ast.parse(text)) for _, text in sorted(apply(model, files).items())) for model in MODELS],
    ):
        assert len(set(seen)) == len(MODELS)


def test_hints_give_no_solution_away() -> None:
    """No hint holds a line of the reference's solutions, nor an assignment, a call of `set` or a `return`."""
    lines = {line.strip() for text in reference_files().values() for line in text.splitlines()}
    telling = {line for line in lines if len(line) > 8 and not line.startswith('"""')}
    for model in MODELS:
        for text in (model.hint.en, model.hint.ru):
            assert [line for line in telling if line in text] == []
            assert not re.search(r"\+=|out\.grad|set\(|return |\breversed\b|isinstance", text)


def test_a_second_exercise_has_a_reason() -> None:
    """Only a model that says why may cost points elsewhere, and never the same exercise twice."""
    for model in MODELS:
        assert bool(model.also) == bool(model.because)
        assert model.fails not in model.also
    assert sum(bool(model.also) for model in MODELS) <= 8


# ---------------------------------------------------------------- load and apply

ENTRY = """
[hints.think]
en = "Think."
ru = "Подумайте."

[[bug]]
id = "dropped"
fails = "exp"
title = {{ en = "`exp` is gone", ru = "`exp` пропал" }}
hint = "{hint}"
edits = [{{ file = "{file}", find = "{find}", replace = "{replace}", count = {count} }}]
{more}
"""
FITTING = {
    "hint": "think", "file": "micrograd/engine.py", "find": "def exp(", "replace": "def e(", "count": 1, "more": "",
}  # fmt: skip


@pytest.fixture
def lesson(tmp_path: Path) -> Writer:
    """Writes a bugs.toml of one model, changed as said, beside a copy of the reference, and gives the folder."""

    def write(**change: str | int) -> Path:
        shutil.copytree(ROOT / "reference", tmp_path / "reference", dirs_exist_ok=True)
        text = ENTRY.format_map(FITTING | change)
        (tmp_path / "reference" / "bugs.toml").write_text(text, encoding="utf-8")
        return tmp_path

    return write


def test_a_model_is_read_with_its_hint(lesson: Writer) -> None:
    """A bug of bugs.toml becomes a value that carries the words of its hint."""
    (model,) = load(lesson())
    assert (model.id, model.fails, model.also, model.because) == ("dropped", "exp", (), "")
    assert model.hint.ru == "Подумайте."
    edited = apply(model, reference_files())
    assert "def e(self)" in edited["micrograd/engine.py"]
    assert edited["micrograd/graph.py"] == reference_files()["micrograd/graph.py"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"find": "def nothing("}, "occurs 0 times, not 1"),
        ({"count": 2}, "occurs 1 times, not 2"),
        ({"find": ""}, "occurs 0 times"),
        ({"replace": "def exp("}, "change nothing"),
        ({"file": "micrograd/none.py"}, "no file 'micrograd/none.py'"),
        ({"file": "../reference/micrograd/engine.py"}, "no file"),
        ({"hint": "none"}, "no hint is called 'none'"),
        ({"more": 'also = ["tanh"]'}, "`also` and `because` go together"),
        ({"more": 'because = "so"'}, "`also` and `because` go together"),
    ],
)
def test_a_model_that_does_not_fit_is_refused(lesson: Writer, change: dict[str, str | int], said: str) -> None:
    """The error names the model, the file of models and what is wrong, and says what to run."""
    with pytest.raises(LessonError) as caught:
        load(lesson(**change))
    message = str(caught.value)
    assert "'dropped'" in message
    assert "bugs.toml" in message
    assert said in message
    assert message.endswith("run `grade audit`")


def test_a_stale_edit_names_its_file(lesson: Writer) -> None:
    """An edit that no longer fits says in which file it was looked for."""
    with pytest.raises(LessonError, match=r"in micrograd/engine\.py 'def nothing\(' occurs"):
        load(lesson(find="def nothing("))


def test_two_models_of_one_id_are_refused(lesson: Writer) -> None:
    """An id stands for one mistake."""
    folder = lesson()
    path = folder / "reference" / "bugs.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text + text[text.index("[[bug]]") :], encoding="utf-8")
    with pytest.raises(LessonError, match=r"'dropped' .* its id stands twice"):
        load(folder)


@pytest.mark.parametrize("more", ['colour = "red"', "id = 3", "= ="])
def test_what_is_not_a_catalogue_is_refused(lesson: Writer, more: str) -> None:
    """Unknown keys, wrong types and broken TOML are one kind of error, about the file."""
    with pytest.raises(LessonError, match=r"bugs\.toml holds no bug models"):
        load(lesson(more=more))


def test_a_missing_catalogue_is_refused(tmp_path: Path) -> None:
    """A lesson without bugs.toml is not well formed."""
    with pytest.raises(LessonError, match=r"bugs\.toml holds no bug models"):
        load(tmp_path)


def test_edits_are_made_in_order() -> None:
    """A later edit sees what an earlier one wrote."""
    files = {"a.py": "x = 1\n"}
    any_words = MODELS[0].title
    edits = tuple(Edit("a.py", find, replace) for find, replace in [("1", "2"), ("2", "3")])
    model = BugModel("steps", any_words, any_words, "value", edits)
    assert apply(model, files) == {"a.py": "x = 3\n"}
    assert files == {"a.py": "x = 1\n"}
