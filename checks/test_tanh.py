"""tanh: one operation, with its local gradient by hand; and the lesson's neuron."""

import pytest

from grader import strategies as draw
from grader.session import agrees, asks

TANH = (
    "a = Value(0.5)\nb = a.tanh()",
    "a = Value(-2)\nb = a.tanh()",
    "a = Value(0.0)\nb = a.tanh()",
    "a = Value(1.5)\nb = Value(0.75, (a,), '+')\nc = b.tanh()",
)
PUSHED = (
    "a = Value(0.5)\na.grad = 0.5\nb = a.tanh()\nb.grad = 3.0\nb._backward()",
    "a = Value(-1.0)\na.grad = -2.0\nb = a.tanh()\nb.grad = 0.5\nb._backward()",
)
NEURON = """\
x1 = Value(2.0)
x2 = Value(0.0)
w1 = Value(-3.0)
w2 = Value(1.0)
b = Value(7.0)
o = (x1 * w1 + x2 * w2 + b).tanh()
o.backward()"""


@pytest.mark.check("tanh.tanh.numbers")
@asks(draw.operation("tanh"), *TANH)
def test_numbers(engine, program):
    """`tanh()` is the hyperbolic tangent of data."""
    agrees(engine, program, about="numbers")


@pytest.mark.check("tanh.tanh.structure")
@asks(draw.operation("tanh"), *TANH)
def test_structure(engine, program):
    """`tanh()` has one parent."""
    agrees(engine, program, about="structure")


@pytest.mark.check("tanh.all.labels")
@asks(draw.operation("tanh"), *TANH)
def test_labels(engine, program):
    """`_op` is 'tanh'."""
    agrees(engine, program, about="labels")


@pytest.mark.check("tanh.tanh.gradient")
@asks(draw.local("tanh"), *PUSHED)
def test_gradient(engine, program):
    """`tanh` hands on one minus its output squared, times out.grad."""
    agrees(engine, program, about="numbers")


@pytest.mark.check("tanh.all.neuron")
@asks(draw.only(NEURON), examples=1)
def test_neuron(engine, program):
    """The lesson's neuron, forward and backward."""
    agrees(engine, program, about="numbers")
