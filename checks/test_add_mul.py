"""add-mul: `+` and `*`, their parents and labels, and plain numbers on the right."""

import pytest
from hypothesis.strategies import one_of

from grader import strategies as draw
from grader.session import agrees, asks

FORMS = (
    "a = Value(2.0)\nb = Value(-3.0)\nc = a {} b",
    "a = Value(3.0)\nb = a {} a",
    "a = Value(2.0)\nb = Value(2.0)\nc = a {} b",
    "a = Value(1.5)\nb = Value(4.0, (a,), '+')\nc = b {} a",
    "a = Value(-3.0)\nb = Value(-2.0)\nc = a {} b",
    "a = Value(0.0)\nb = Value(3.0)\nc = a {} b",
    "a = Value(0.1)\nb = Value(70)\nc = a {} b",
    "a = Value(0.2)\nb = Value(0.1)\nc = b {} a",
)
ADD = tuple(form.format("+") for form in FORMS)
MUL = tuple(form.format("*") for form in FORMS)
NUMBERS = tuple(f"a = Value(2.0)\nb = a {end}" for end in ("+ 1", "* 2.5", "+ 2.5", "* 3", "+ 0", "* 1", "* 0"))


@pytest.mark.check("add-mul.add.numbers")
@asks(draw.operation("+"), *ADD)
def test_add_numbers(engine, program):
    """`a + b` is the sum; the operands stay as they were."""
    agrees(engine, program, about="numbers")


@pytest.mark.check("add-mul.mul.numbers")
@asks(draw.operation("*"), *MUL)
def test_mul_numbers(engine, program):
    """`a * b` is the product; the operands stay as they were."""
    agrees(engine, program, about="numbers")


@pytest.mark.check("add-mul.add.structure")
@asks(draw.operation("+"), *ADD)
def test_add_structure(engine, program):
    """The parents of `a + b` are `a` and `b`, one if they are the same, two if they are only equal."""
    agrees(engine, program, about="structure")


@pytest.mark.check("add-mul.mul.structure")
@asks(draw.operation("*"), *MUL)
def test_mul_structure(engine, program):
    """The parents of `a * b` are `a` and `b`, one if they are the same, two if they are only equal."""
    agrees(engine, program, about="structure")


@pytest.mark.check("add-mul.all.labels")
@asks(one_of(draw.operation("+"), draw.operation("*")), ADD[0], MUL[0])
def test_labels(engine, program):
    """`_op` is '+' or '*'."""
    agrees(engine, program, about="labels")


@pytest.mark.check("add-mul.all.wrapping")
@asks(one_of(draw.with_number("+"), draw.with_number("*")), *NUMBERS)
def test_wrapping(engine, program):
    """A plain number becomes a new leaf."""
    agrees(engine, program, about="wrapping")
