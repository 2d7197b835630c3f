"""Programs as Python text: printed by `to_python`, read back by `parse`."""

from __future__ import annotations

import pytest

from grader.errors import LessonError
from grader.parse import parse
from grader.programs import (
    RECORDER,
    Program,
    Step,
    functions,
    makes_node,
    names,
    references,
    rpn_to_python,
    to_python,
)
from tests.test_oracle import drawn

EVERY_STEP = """\
calls = []; call = lambda n, s: lambda: calls.append((s, n.grad))
a = Value(2.0)
b = Value(-3, (a,), '+'); b._backward = call(b, 'b')
c = Value(0.5, (a, b), '*', label='x1*w1')
d = Value(1.0, label='o')
e = a + b
f = a - 2.5
g = 3 * a
h = b / -4.0
i = a ** -1
j = -a
k = sum([a, 2.0, b])
l = a.relu()
m = a.exp()
n = a.tanh()
o = my_tanh(a)
p = count_nodes(e)
q = trace(e)
print_graph(e)
r = draw_dot(d)
s = draw_dot(d, rankdir='TB')
t = slope(lambda x, y: (x * y) - 2.0, args := [2.0, -3.0], 1)
u = repr(a)
a.grad = -0.5
a.data = 3
d.label = 'n'
e._backward()
e.backward()
v = a.grad
w = d.label"""


def test_every_kind_of_step_prints_and_reads_back():
    """The text of a program with every step of the table is what printing it again gives."""
    program = parse(EVERY_STEP)
    assert to_python(program) == EVERY_STEP
    assert {step.op for step in program.steps} == {
        "number", "leaf", "node", "labelled", "binary", "negate", "sum", "method", "backward", "get", "set", "push",
        "record", "call", "print", "draw", "slope", "repr",
    }  # fmt: skip


def test_drawn_programs_survive_the_round_trip():
    """What is printed of any drawn program reads back as the same steps; recorders move to their nodes."""
    for program in drawn(21, 400):
        again = parse(to_python(program))
        assert to_python(again) == to_python(program)
        assert sorted(s.op for s in again.steps) == sorted(s.op for s in program.steps)
        if not any(step.op == "record" for step in program.steps):
            assert again == program, to_python(program)


def test_a_number_stands_just_before_the_step_that_uses_it():
    """Plain numbers become slots of their own, after operands that are computed, and keep their type."""
    assert parse("a = Value(2.0)\nb = 3 * a.exp()").steps == (
        Step("leaf", (2.0,)), Step("method", ("exp", 0)), Step("number", (3,)), Step("binary", ("*", 2, 1)),
    )  # fmt: skip
    steps = parse("a = Value(2)\nb = sum([1.0, a * a, -2])").steps
    assert steps[1:] == (
        Step("binary", ("*", 0, 0)),
        Step("number", (1.0,)),
        Step("number", (-2,)),
        Step("sum", ((2, 1, 3),)),
    )
    assert isinstance(steps[0].args[0], int)


def test_nested_expressions_become_steps_in_pythons_order():
    """`a * b + c` is two steps; precedence is Python's."""
    assert to_python(parse("a = Value(2.0)\nb = Value(3.0)\nc = -a ** 2 + a * b / (a - b)")).splitlines()[2:] == [
        "c = a ** 2", "d = -c", "e = a * b", "f = a - b", "g = e / f", "h = d + g",
    ]  # fmt: skip


def test_a_name_may_be_used_again():
    """`c += a` makes a new node for the same name; the old one keeps its slot."""
    program = parse("a = Value(2.0)\nc = a * a\nc += 1 + c + (-a)\nc.backward()")
    assert to_python(program).splitlines()[1:] == [
        "b = a * a",
        "c = 1 + b",
        "d = -a",
        "e = c + d",
        "f = b + e",
        "f.backward()",
    ]
    assert program.steps[-1] == Step("backward", (6,))


def test_record_has_a_short_form():
    """`record(a)` is the recording `_backward` that a student would paste."""
    long = RECORDER + "\na = Value(2.0)\nb = Value(4.0, (a,), '+'); b._backward = call(b, 'b')"
    assert parse("a = Value(2.0)\nb = Value(4.0, (a,), '+')\nrecord(b)") == parse(long)
    assert to_python(parse(long)) == long


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("b = a +", "invalid syntax"),
        ("b = c + a", "c is not defined"),
        ("b = a % 2", "`a % 2` is not an expression"),
        ("b = a.sin()", r"`a.sin\(\)` is not an expression"),
        ("b = Value('2')", "`'2'` should be a number"),
        ("b = Value(True)", "`True` should be a number"),
        ("b = Value(2.0, a)", "a tuple of parents"),
        ("b = Value(2.0, (a,), '+', color='red')", "no keyword but label"),
        ("b = sin(a)", r"sin\(...\) is not called like that"),
        ("b = slope(lambda x: x ** 2, [1.0], 0)", r"`x \*\* 2`: a function for slope"),
        ("b = draw_dot(a, format='png')", r"draw_dot\(...\) is not called like that"),
        ("a._prev = 1", "this statement"),
        ("for i in a: pass", "this statement"),
        ("a.grad = b.grad", "should be a number"),
        ("import os", "this statement"),
        ("b = a.__class__", "is not an expression"),
    ],
)
def test_anything_else_is_refused_with_its_line(line, said):
    """The message shows the line, says what is wrong with it, and what programs may say."""
    with pytest.raises(LessonError, match=said) as caught:
        parse("a = Value(2.0)\n" + line)
    message = str(caught.value)
    assert message.startswith(f"line 2 of a program, `{line}`")
    assert "write assignments" in message


def test_nothing_in_a_text_is_run():
    """A text that would do something is refused, not done."""
    with pytest.raises(LessonError):
        parse("__import__('os').abort()")


def test_names_go_on_after_z():
    """26 letters, then v26, v27, …; steps that give nothing and plain numbers have no name."""
    leaves = [Step("leaf", (float(n),)) for n in range(28)]
    program = Program((*leaves, Step("number", (1,)), Step("push", (0,))))
    assert names(program)[24:] == ("y", "z", "v26", "v27", "", "")
    assert parse(to_python(Program(tuple(leaves)))).steps == tuple(leaves)


def test_a_negative_base_is_put_in_brackets():
    """Python binds ** closer than a minus sign."""
    program = Program((Step("leaf", (2.0,)), Step("number", (-2.0,)), Step("binary", ("**", 1, 0))))
    assert to_python(program) == "a = Value(2.0)\nb = (-2.0) ** a"
    assert parse(to_python(program)) == program


def test_references_and_makers_are_told_for_every_step():
    """Each step names the slots that it reads, and whether its result is a Value."""
    program = parse(EVERY_STEP)
    made = [step.op if step.op != "call" else step.args[0] for step in program.steps if makes_node(step)]
    assert set(made) == {"leaf", "node", "labelled", "binary", "negate", "sum", "method", "my_tanh"}
    assert [references(step) for step in program.steps[:6]] == [(), (0,), (1,), (0, 1), (), (0, 1)]
    assert list(functions(program)) == [
        "my_tanh",
        "count_nodes",
        "trace",
        "print_graph",
        "draw_dot",
        "draw_dot",
        "slope",
    ]


@pytest.mark.parametrize("step", [Step("dance", (0, 1)), Step("binary", ("+", "a", "b"))])
def test_a_step_out_of_the_table_is_an_error(step):
    """What programs do not know is told, not guessed."""
    program = Program((Step("leaf", (1.0,)), step))
    with pytest.raises((ValueError, AssertionError)):
        to_python(program)


@pytest.mark.parametrize(
    ("rpn", "text"),
    [((0,), "x"), ((2.5,), "2.5"), ((0, 1, "*"), "x * y"), ((0, 1, "+", 0, -2.0, "-", "*"), "(x + y) * (x - -2.0)")],
)
def test_float_functions_print_as_python(rpn, text):
    """Reverse Polish order becomes brackets, the outer pair left out."""
    assert rpn_to_python(rpn) == text
    program = Program((Step("slope", (rpn, (1.0, 2.0), 0)),))
    assert parse(to_python(program)) == program
