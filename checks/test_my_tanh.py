"""my-tanh: a function built from operators and `exp()`."""

import pytest

from grader import strategies as draw
from grader.session import agrees, asks

TWO = ("a = Value(0.5)\nb = Value(1.25)\nc = my_tanh(a)\nd = my_tanh(b)",)
TANH = tuple(f"a = Value({x})\nb = my_tanh(a)" for x in (0.5, 0.0, 20.0, -20.0, -1))


@pytest.mark.check("my-tanh.my_tanh.numbers")
@asks(draw.one_leaf("my_tanh"), *TANH)
def test_numbers(engine, program):
    """`my_tanh(x)` is the hyperbolic tangent, as a Value."""
    agrees(engine, program, about="numbers")


@pytest.mark.check("my-tanh.my_tanh.formula")
@asks(draw.one_leaf("my_tanh"), *TANH, *TWO)
def test_formula(engine, program):
    """Its graph leads to x, with an `exp` node and no `tanh` node."""
    agrees(engine, program, about="formula")
