"""exp: `exp()` as a number and a node; no gradient is asked here."""

import pytest

from grader import strategies as draw
from grader.session import agrees, asks

EXP = (
    "a = Value(1.0)\nb = a.exp()",
    "a = Value(-0.5)\nb = a.exp()",
    "a = Value(0)\nb = a.exp()",
    "a = Value(1.5)\nb = Value(2.0, (a,), '+')\nc = b.exp()",
)


@pytest.mark.check("exp.exp.numbers")
@asks(draw.operation("exp"), *EXP)
def test_numbers(engine, program):
    """`exp()` is e to the power of data."""
    agrees(engine, program, about="numbers")


@pytest.mark.check("exp.exp.structure")
@asks(draw.operation("exp"), *EXP)
def test_structure(engine, program):
    """`exp()` has one parent."""
    agrees(engine, program, about="structure")


@pytest.mark.check("exp.all.labels")
@asks(draw.operation("exp"), *EXP)
def test_labels(engine, program):
    """`_op` is 'exp'."""
    agrees(engine, program, about="labels")
