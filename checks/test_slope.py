"""slope: the derivative as a difference quotient of plain functions."""

import pytest

from grader import strategies as draw
from grader.session import agrees, asks

SQUARE, PRODUCT = "a = slope(lambda x: x * x, [3.0], 0)", "a = slope(lambda x, y: x * y, [2.0, -3.0], 1)"
WIDE = "a = slope(lambda x: x * x * x, [2.0], 0, 0.5)"
TENTHS = "a = slope(lambda x, y: x * y, [0.3, 0.1], 0)"
NUDGE = "a = slope(lambda x, y, z: x * y + z, [3.0, -2.0, 12.0], 2)"


@pytest.mark.check("slope.slope.numbers")
@asks(draw.slopes(), SQUARE, PRODUCT, NUDGE, WIDE)
def test_numbers(engine, program):
    """The difference quotient, forward or central."""
    agrees(engine, program, about="numbers")


@pytest.mark.check("slope.slope.arguments")
@asks(draw.slopes(), SQUARE, PRODUCT, TENTHS)
def test_arguments(engine, program):
    """The list of arguments stays as it was."""
    agrees(engine, program, about="arguments")


@pytest.mark.check("slope.slope.nudge")
@asks(draw.only(NUDGE), examples=1)
def test_nudge(engine, program):
    """The lesson's nudge of `c` gives 0.99999…."""
    agrees(engine, program, about="numbers")
