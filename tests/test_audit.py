"""The audit proves a lesson's checks right, and says so of a lesson whose checks are not."""

from __future__ import annotations

import json
import re
import shutil

import msgspec
import pytest

from grader import diagnosis
from grader.audit import Audit, BugResult, Points, agreeing, audit, differing, encode, matrix
from grader.cli import main
from grader.cli.audited import kills, misses, summary
from grader.lesson import load
from grader.render.text import columns
from tests.support import ROOT

EXERCISE = """
[[exercise]]
id = "deep"
lesson = "gradients"
title = { en = "Deep graphs", ru = "Глубокие графы" }
hints = [{ en = "Does the walk ever stop early?", ru = "Не останавливается ли обход раньше времени?" }]

[[exercise.check]]
id = "deep.count_nodes.numbers"
points = 2
carried = true
needs = ["graph.count_nodes.numbers"]
title = { en = "a chain of forty nodes", ru = "цепочка из сорока узлов" }
why = { en = "Every node counts, however deep.", ru = "Считается каждый узел, как бы глубоко он ни был." }
"""

CHECK = '''\
"""deep: `count_nodes` on a long chain."""

import pytest

from grader import strategies as draw
from grader.session import agrees, asks

LINKS = (f"n{i} = Value({i}.5, (n{i - 1},), '+')\\n" for i in range(1, 40))
CHAIN = "n0 = Value(0.5)\\n" + "".join(LINKS) + "c = count_nodes(n39)"


@pytest.mark.check("deep.count_nodes.numbers")
@asks(draw.only(CHAIN), examples=1)
def test_deep(engine, program):
    """All forty are counted."""
    agrees(engine, program, about="numbers")
'''

BUG = """
[[bug]]
id = "count-up-to-thirty"
fails = "deep"
title = { en = "`count_nodes` stops after thirty nodes", ru = "`count_nodes` останавливается после тридцати узлов" }
hint = "walk"
edits = [{ file = "micrograd/graph.py", find = "while waiting:", replace = "while waiting and len(seen) < 30:" }]

[hints.walk]
en = "When does the walk end, and what is left then?"
ru = "Когда заканчивается обход и что тогда остаётся?"
"""

HARMLESS = """
[[bug]]
id = "harmless"
fails = "value"
title = { en = "Nothing that anybody would notice", ru = "Ничего заметного" }
hint = "fields"
edits = [{ file = "micrograd/engine.py", find = "return f\\"Value(data=", replace = "return f\\"Value(number=" }]
"""

SMALL = ("value", "add-mul")
"""The exercises of the small lesson: a few seconds an audit."""


@pytest.fixture(scope="module", autouse=True)
def _cache(tmp_path_factory):
    """What is recorded goes into a cache of the test's own."""
    patch = pytest.MonkeyPatch()
    patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    yield
    patch.undo()


@pytest.fixture
def lesson(tmp_path):
    """A whole copy of the lesson, to be changed."""
    for name in ("checks", "reference", "student_template"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "corpus"))
    return tmp_path


@pytest.fixture
def small(lesson):
    """The lesson cut down to its first two exercises, with their bug models and two right engines."""
    toml = (lesson / "checks" / "lesson.toml").read_text(encoding="utf-8")
    head, *exercises = toml.split("[[exercise]]\n")
    kept = [e for e in exercises if e.startswith(tuple(f'id = "{name}"' for name in SMALL))]
    write(lesson / "checks" / "lesson.toml", "[[exercise]]\n".join([head, *kept]))
    for path in (lesson / "checks").glob("test_*.py"):
        if path.stem.removeprefix("test_").replace("_", "-") not in SMALL:
            path.unlink()
    for path in sorted((lesson / "checks" / "alternatives").iterdir())[4:]:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    head, *bugs = (lesson / "reference" / "bugs.toml").read_text(encoding="utf-8").split("[[bug]]\n")
    own = [b for b in bugs if re.search(rf'^fails = "({"|".join(SMALL)})"$', b, re.MULTILINE) and "\nalso" not in b]
    write(lesson / "reference" / "bugs.toml", "[[bug]]\n".join([head, *own]))
    return lesson


def write(path, text):
    path.write_text(text, encoding="utf-8", newline="\n")


def append(path, text):
    write(path, path.read_text(encoding="utf-8") + text)


def run(*words):
    """`grade audit WORDS…`: its exit code."""
    with pytest.raises(SystemExit) as ended:
        main(["audit", *map(str, words)], "grade")
    return ended.value.code


# ---------------------------------------------------------------- whole lessons


def test_a_lesson_with_one_exercise_added(lesson):
    """An exercise, its check and a bug model are three pieces of text; with them the whole lesson audits green."""
    append(lesson / "checks" / "lesson.toml", EXERCISE)
    write(lesson / "checks" / "test_deep.py", CHECK)
    append(lesson / "reference" / "bugs.toml", BUG)
    changed = load(lesson)
    result = audit(changed, 0)
    assert result.misses == ()
    assert (result.reference, result.template.score) == (Points(82, 82), 0)
    assert {a.score for a in result.alternatives} == {82}
    assert len(result.alternatives) >= 25
    found = {m.id: m for m in result.bug_models}
    assert found["count-up-to-thirty"].caught_by == ("deep.count_nodes.numbers",)
    assert all(m.program or m.id == "class-in-its-own-body" for m in found.values() if "missing" not in m.id)
    known = diagnosis.read(changed, 0)
    assert known is not None
    assert len(known.models) == len(result.bug_models)
    assert max(map(columns, summary(changed, [result]).splitlines())) < 80
    assert max(map(columns, kills(changed, result).splitlines())) < 80


def test_a_small_lesson_is_green(small, capsys):
    """`grade audit --lesson DIR` says that all is well, and exits with 0."""
    assert run("--lesson", small) == 0
    assert "12/12" in capsys.readouterr().out


def test_json_has_what_it_should(small, capsys):
    """One seed gives an object with these keys in this order; the same audit gives the same bytes."""
    assert run("--lesson", small, "--format", "json") == 0
    first = capsys.readouterr().out
    found = json.loads(first)
    assert list(found) == ["seed", "reference", "template", "bug_models", "alternatives", "misses"]
    assert list(found["bug_models"][0]) == ["id", "expected", "lost", "caught_by", "program"]
    assert list(found["alternatives"][0]) == ["id", "score"]
    assert (found["seed"], found["template"]["score"], found["reference"]) == (0, 0, {"score": 12, "max_score": 12})
    assert run("--lesson", small, "--format", "json") == 0
    assert capsys.readouterr().out == first


def test_a_check_that_asks_nothing_is_a_miss(small, capsys):
    """A check whose body is empty exits with 1, and is named."""
    path = small / "checks" / "test_add_mul.py"
    text, count = re.subn(r"(?s)(def test_labels.*?)    agrees\(.*?\)\n", r"\1", path.read_text(encoding="utf-8"))
    assert count == 1
    write(path, text)
    assert run("--lesson", small) == 1
    assert "add-mul.all.labels asks nothing" in " ".join(capsys.readouterr().out.split())


def test_a_check_that_catches_nothing_is_a_miss(small, capsys):
    """So does a check whose programs no bug model gets wrong: nothing shows that it would notice."""
    path = small / "reference" / "bugs.toml"
    head, *bugs = path.read_text(encoding="utf-8").split("[[bug]]\n")
    write(path, "[[bug]]\n".join([head, *(b for b in bugs if "prev-list" not in b and "prev-tuple" not in b)]))
    assert run("--lesson", small) == 1
    assert "value.all.container catches no bug model" in " ".join(capsys.readouterr().out.split())


def test_a_model_that_nothing_catches_is_a_miss(small, capsys):
    """A mistake that costs nothing exits with 1, and is named."""
    append(small / "reference" / "bugs.toml", HARMLESS)
    assert run("--lesson", small) == 1
    assert "harmless should lose value, but keeps it" in " ".join(capsys.readouterr().out.split())


def test_a_wrong_right_engine_and_a_helpful_template_are_misses(small):
    """An alternative that loses a point is told with the check; so is a template that earns one."""
    alternative = small / "checks" / "alternatives" / "wrong.py"
    engine = (small / "reference" / "micrograd" / "engine.py").read_text(encoding="utf-8")
    write(alternative, engine.replace('(self, other), "+")', '(self, other), "plus")'))
    write(small / "student_template" / "micrograd" / "engine.py", engine)
    result = audit(load(small), 0)
    assert any("wrong.py keeps 11 of 12" in miss and "add-mul.all.labels" in miss for miss in result.misses)
    assert any(miss.startswith("the template passes ") for miss in result.misses)


def test_a_lesson_that_is_not_well_formed_exits_with_3(small, capsys):
    """An edit that does not fit the reference, or a folder that holds no lesson, is an error of the lesson."""
    write(small / "reference" / "micrograd" / "engine.py", "class Value:\n    pass\n")
    assert run("--lesson", small) == 3
    assert "occurs 0 times" in " ".join(capsys.readouterr().err.split())
    assert run("--lesson", small / "checks") == 3


# ---------------------------------------------------------------- reading an audit


def result(seed, **caught):
    """An audit of four models, made by hand."""
    own = ("value",)
    models = tuple(BugResult(i, own, own if by else (), tuple(by), "a = Value(2.0)") for i, by in caught.items())
    return Audit(seed, Points(80, 80), Points(0, 80), models, (), ())


LEAF, PARENTS, LABELS = "value.leaf.numbers", "value.parents.structure", "value.all.labels"


def test_the_kill_matrix_says_which_check_catches_which_mistake():
    """By columns; checks that always agree are paired, those that catch nothing are not."""
    found = result(0, one=[LEAF, LABELS], two=[PARENTS], three=[LEAF, LABELS])
    columns_ = matrix(load(), found)
    assert (columns_[LEAF], columns_[PARENTS], columns_["value.all.repr"]) == (("one", "three"), ("two",), ())
    assert agreeing(load(), found) == [(LEAF, LABELS)]


def test_seeds_must_agree():
    """A model that loses one thing with one seed and another with the next is a miss, in words and in JSON."""
    audits = [result(0, one=[LEAF]), result(4, one=[])]
    assert differing(audits) == ["the bug model one loses value with seed 0, but nothing with seed 4"]
    assert misses(audits) == differing(audits)
    assert [a["misses"] for a in json.loads(encode(audits))] == [[], differing(audits)]
    assert msgspec.json.decode(encode(audits[:1]), type=Audit) == audits[0]


@pytest.mark.parametrize("word", ["x", "-1", "3-1", "1-", "1-2-3"])
def test_seeds_are_numbers_or_ranges(word, capsys):
    """Anything else is refused before any work is done."""
    assert run(f"--seed={word}") == 2
    assert "0-19" in capsys.readouterr().err
