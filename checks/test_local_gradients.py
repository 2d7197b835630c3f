"""local-gradients: one operation's `_backward`, pushed by hand onto preset gradients."""

import pytest
from hypothesis.strategies import one_of

from grader import strategies as draw
from grader.session import agrees, asks

ONE = "a = Value(2.0)\na.grad = 0.5\n"
TWO = "a = Value(2.0)\nb = Value(-3.0)\na.grad = 0.5\nb.grad = -1.5\n"
PUSH = "\nc.grad = 2.0\nc._backward()"
NOTHING = "\nc.grad = 0.0\nc._backward()"
ZERO = "a = Value(0.0)\nb = Value(-3.0)\na.grad = 0.5\nb.grad = -1.5\n"
SAME = ONE + "b = a {} a\nb.grad = 3.0\nb._backward()"
UNARY = "\nb.grad = 3.0\nb._backward()"


def unary(*operations):
    """Canonical programs of one operand."""
    return tuple(f"a = Value({x})\na.grad = 0.5\nb = {operation}{UNARY}" for x, operation in operations)


@pytest.mark.check("local-gradients.add.numbers")
@asks(draw.local("+"), TWO + "c = a + b" + PUSH, SAME.format("+"), TWO + "c = a + b" + NOTHING)
def test_add(engine, program):
    """`+` hands out.grad to both."""
    agrees(engine, program, about="numbers")


@pytest.mark.check("local-gradients.mul.numbers")
@asks(
    draw.local("*"), TWO + "c = a * b" + PUSH, SAME.format("*"), TWO + "c = a * b" + NOTHING, ZERO + "c = a * b" + PUSH
)
def test_mul(engine, program):
    """`*` hands each the other's data times out.grad."""
    agrees(engine, program, about="numbers")


@pytest.mark.check("local-gradients.pow.numbers")
@asks(
    draw.local("**"),
    *unary(
        (2.0, "a ** 2"),
        (3.0, "a ** 3"),
        (4.0, "a ** 0.5"),
        (2.0, "a ** -1"),
        *((-2.0, f"a ** {k}") for k in (0, 1, 5, -3)),
    ),
)
def test_pow(engine, program):
    """`**` hands on k * data ** (k - 1) times out.grad."""
    agrees(engine, program, about="numbers")


@pytest.mark.check("local-gradients.relu.numbers")
@asks(
    draw.local("relu"),
    *unary((1.5, "a.relu()"), (0.5, "a.relu()"), (12.5, "a.relu()"), (-1.5, "a.relu()"), (0.0, "a.relu()")),
)
def test_relu(engine, program):
    """`relu` hands out.grad on where its output is above 0."""
    agrees(engine, program, about="numbers")


@pytest.mark.check("local-gradients.exp.numbers")
@asks(draw.local("exp"), *unary((1.0, "a.exp()"), (-0.5, "a.exp()")))
def test_exp(engine, program):
    """`exp` hands on its output times out.grad."""
    agrees(engine, program, about="numbers")


@pytest.mark.check("local-gradients.all.own")
@asks(
    one_of(*(draw.own(kind) for kind in ("neg", "sub", "div", "radd", "rmul", "rsub", "rdiv"))),
    *unary((2.0, "2 + a"), (2.0, "3 * a"), (2.0, "5 - a"), (2.0, "6 / a")),
    *unary((2.0, "-a")),
    TWO + "c = a - b" + PUSH,
    TWO + "c = a / b" + PUSH,
)
def test_own(engine, program):
    """Gradients flow through derived operators, own nodes or not."""
    agrees(engine, program, about="own")


@pytest.mark.check("local-gradients.all.structure")
@asks(
    one_of(*(draw.local(o) for o in ("+", "*", "**", "relu", "exp"))),
    TWO + "c = a + b" + PUSH,
    TWO + "c = a * b" + PUSH,
    *unary((2.0, "a ** 2"), (1.5, "a.relu()"), (1.0, "a.exp()")),
)
def test_callable(engine, program):
    """Each result carries a `_backward` that can be called without arguments."""
    agrees(engine, program, about="callable")
