"""The lesson's numbers: points, ids, languages, and what blocks what."""

from __future__ import annotations

import pytest

from grader.lesson import Check, Exercise, Words, compiled_path, digest, load, parse, root
from grader.needs import needs
from grader.parse import parse as program

POINTS = {
    "value": 4, "add-mul": 8, "pow-relu": 7, "derived": 8, "exp": 4, "my-tanh": 4, "graph": 5,
    "slope": 4, "local-gradients": 12, "backward": 12, "tanh": 4, "draw": 8,
}  # fmt: skip


A = "a = Value(2.0)\n"


@pytest.fixture(scope="module")
def lesson():
    return load()


def test_points_are_those_of_the_contract(lesson):
    """Every exercise has the points of the lesson's table; each lesson has 40."""
    assert {e.id: e.points for e in lesson.exercises} == POINTS
    for name in ("forward", "gradients"):
        assert sum(e.points for e in lesson.exercises if e.lesson == name) == 40


def test_labels_and_containers_cost_at_most_a_tenth(lesson):
    """An engine that is right but for labels and containers keeps 90 %."""
    cosmetic = [c for c in lesson.checks if c.aspect in ("labels", "container")]
    assert sum(c.points for c in cosmetic) <= 8


def test_every_text_stands_in_both_languages(lesson):
    """No title, sentence or hint is missing, or left in English, in Russian."""
    for text in _words(lesson):
        assert text.en.strip()
        assert not text.ru.isascii() or (text.ru == text.en and set(text.en) & set("`()")), text  # code alone


def _words(lesson):
    for exercise in lesson.exercises:
        yield from (exercise.title, *exercise.hints)
        for check in exercise.checks:
            yield from (check.title, check.why)


def test_compiled_lesson_is_the_lesson():
    """The copy that is read at start-up says what lesson.toml says."""
    compiled = load()
    assert compiled_path(root()).exists()
    assert compiled.digest == digest(root())
    assert compiled.exercises == parse(root()).exercises


@pytest.mark.parametrize(
    ("check", "about", "text", "expected"),
    [
        ("add-mul.add.numbers", "numbers", "a = Value(2.0)\nb = a + a", set()),
        ("add-mul.all.wrapping", "wrapping", "a = Value(2.0)\nb = a + 1", {"add-mul.add.numbers"}),
        ("derived.neg.numbers", "numbers", "a = Value(2.0)\nb = -a", {"add-mul.mul.numbers", "add-mul.all.wrapping"}),
        ("derived.div.numbers", "numbers", A + "b = a / a", {"add-mul.mul.numbers", "pow-relu.pow.numbers"}),
        ("local-gradients.mul.numbers", "numbers", A + "b = a * a\nb._backward()", {"add-mul.mul.numbers"}),
        ("backward.all.gradients", "numbers", "a = Value(2.0)\nb = a + a\nb.backward()",
         {"add-mul.add.numbers", "add-mul.add.structure", "local-gradients.add.numbers"}),
        ("my-tanh.my_tanh.numbers", "numbers", "a = Value(2.0)\nb = my_tanh(a)", set()),
    ],
)  # fmt: skip
def test_programs_need_what_their_operations_stand_on(lesson, check, about, text, expected):
    """One fault is not punished twice: a program waits for the operations that it borrows."""
    assert needs(lesson, lesson.check(check), program(text), about) == expected


def test_a_check_knows_its_exercise():
    """Ids carry exercise and aspect."""
    words = Words("a", "б")
    check = Check("add-mul.add.numbers", 2, words, words)
    assert (check.exercise, check.aspect) == ("add-mul", "numbers")
    assert Exercise("add-mul", "forward", words, (), (check, check)).points == 4
