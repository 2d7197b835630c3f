"""value: the constructor and its fields."""

import pytest

from grader import strategies as draw
from grader.session import agrees, asks

LEAF, PARENT, TWO = (
    "a = Value(3.0)",
    "a = Value(2.0)\nb = Value(6.0, (a,), '+')",
    "a = Value(2.0)\nb = Value(3.0)\nc = Value(6.0, (a, b), '*')",
)
ODD = (
    "a = Value(0.125)",
    "a = Value(0.1)",
    "a = Value(-12.0625)",
    "a = Value(1000000)",
    "a = Value(0.001)",
    "a = Value(0)",
)


@pytest.mark.check("value.leaf.numbers")
@asks(draw.leaves(), LEAF, *ODD)
def test_numbers(engine, program):
    """A new Value keeps its number, and its gradient is 0."""
    agrees(engine, program, about="birth")


@pytest.mark.check("value.parents.structure")
@asks(draw.constructions(), PARENT, TWO, LEAF)
def test_parents(engine, program):
    """`_prev` holds exactly the objects passed as parents."""
    agrees(engine, program, about="structure")


@pytest.mark.check("value.all.labels")
@asks(draw.constructions(), LEAF, PARENT, TWO)
def test_labels(engine, program):
    """`_op` is the operation passed, '' for a leaf."""
    agrees(engine, program, about="labels")


@pytest.mark.check("value.all.container")
@asks(draw.constructions(), LEAF, PARENT, TWO)
def test_container(engine, program):
    """`_prev` is a set."""
    agrees(engine, program, about="container")


@pytest.mark.check("value.all.repr")
@asks(draw.constructions(), "a = Value(2.0)\nb = repr(a)", examples=1)
def test_repr(engine, program):
    """`repr` gives a text."""
    agrees(engine, program, about="text")
