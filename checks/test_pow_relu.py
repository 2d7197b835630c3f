"""pow-relu: `**` with a plain exponent, and `relu()`."""

import pytest
from hypothesis.strategies import one_of

from grader import strategies as draw
from grader.session import agrees, asks

ON_A_NODE = "a = Value(1.5)\nb = Value(4.0, (a,), '+')\nc = b"
POW = (
    "a = Value(3.0)\nb = a ** 2",
    "a = Value(2.0)\nb = a ** -1",
    "a = Value(4.0)\nb = a ** 0.5",
    "a = Value(-2.0)\nb = a ** 3",
    ON_A_NODE + " ** 2.0",
    *(f"a = Value(-2.0)\nb = a ** {k}" for k in (0, 1, 5, -3)),
)
RELU = (*(f"a = Value({x})\nb = a.relu()" for x in (1.5, -1.5, 0.5, 0.0, 12.5, -40, 250.0)), ON_A_NODE + ".relu()")
REFUSED = ("a = Value(3.0)\nb = Value(2.0)\nc = a ** b",)
DELIVERY = """\
base = Value(50)
weight = Value(3)
kilo = Value(15)
distance = Value(12)
road = Value(2)
discount = Value(-8)
cost = (base + weight * kilo + distance * road + discount).relu()"""


@pytest.mark.check("pow-relu.pow.numbers")
@asks(draw.operation("**"), *POW)
def test_pow_numbers(engine, program):
    """`a ** k` is data to the power of k."""
    agrees(engine, program, about="numbers")


@pytest.mark.check("pow-relu.relu.numbers")
@asks(draw.operation("relu"), *RELU)
def test_relu_numbers(engine, program):
    """`relu()` is 0 below 0 and the number itself above."""
    agrees(engine, program, about="numbers")


@pytest.mark.check("pow-relu.pow.structure")
@asks(draw.operation("**"), *POW)
def test_pow_structure(engine, program):
    """`a ** k` has one parent."""
    agrees(engine, program, about="structure")


@pytest.mark.check("pow-relu.relu.structure")
@asks(draw.operation("relu"), *RELU)
def test_relu_structure(engine, program):
    """`relu()` has one parent."""
    agrees(engine, program, about="structure")


@pytest.mark.check("pow-relu.all.labels")
@asks(one_of(draw.operation("**"), draw.operation("relu")), POW[0], POW[1], POW[2], RELU[0])
def test_labels(engine, program):
    """`_op` is '**' with the exponent, or 'ReLU'."""
    agrees(engine, program, about="labels")


@pytest.mark.check("pow-relu.all.refusal")
@asks(draw.refused_powers(), *REFUSED, examples=4)
def test_refusal(engine, program):
    """An exponent that is a Value is refused."""
    agrees(engine, program, about="refusal")


@pytest.mark.check("pow-relu.all.delivery")
@asks(draw.only(DELIVERY), examples=1)
def test_delivery(engine, program):
    """The lesson's delivery cost is 111."""
    agrees(engine, program, about="numbers")
