"""backward: by the calls it makes on recorded nodes, then by the gradients of `+ *` programs."""

import pytest

from grader import strategies as draw
from grader.session import agrees, asks

ONE = "a = Value(2.0)\nb = Value(4.0, (a,), '+')\nrecord(b)\nb.backward()"
# b*a above b: the smallest graph that tells the order faults of real engines apart.
TWICE = """\
a = Value(1.5)
b = Value(2.25, (a,), '*')
c = Value(3.375, (b, a), '*')
d = Value(5.625, (b, c), '+')
record(b)
record(c)
record(d)
d.backward()"""
CHAIN = """\
x = Value(1.0)
a = Value(2.0, (x,), '*')
b = Value(6.0, (a,), '*')
c = Value(24.0, (b,), '*')
d = Value(26.0, ({}), '+')
record(a)
record(b)
record(c)
record(d)
d.backward()"""
EQUAL = """\
a = Value(2.0)
b = Value(2.0)
c = Value(4.0, (a, b), '+')
d = Value(8.0, (c, a), '*')
record(c)
record(d)
d.backward()"""
SECOND = """\
a = Value(2.0)
b = Value(4.0, (a,), '+')
c = Value(8.0, (b, a), '*')
d = Value(6.0, (b, a), '+')
record(b)
record(c)
record(d)
d.grad = 5.0
c.backward()"""
ABOVE = """\
a = Value(2.0)
b = Value(4.0, (a,), '+')
c = Value(8.0, (b,), '*')
record(b)
record(c)
c.grad = 3.0
b.backward()"""
ON_A_CHAIN = "x = Value(1.0)\nt = Value(2.0)\na = x * t\nb = a * a\nc = b * t\nd = {}\nd.backward()"
WHOLE = (
    "a = Value(1.5)\nb = a * a\nc = b * a\nd = b + c\nd.backward()",
    "a = Value(2.0)\nb = a + a\nb.backward()",
    "a = Value(2.0)\nb = a * a\nb.backward()\nc = Value(3.0)\nd = c * c\nd.backward()",
    ON_A_CHAIN.format("c + a"),
    ON_A_CHAIN.format("a + c"),
    "a = Value(2.0)\nb = Value(2.0)\nc = a * b\nd = c + a\nd.backward()",
)
ORDERS = (ONE, TWICE, CHAIN.format("c, a"), CHAIN.format("a, c"), EQUAL, draw.chains(6)[0], draw.chains(200)[0])


@pytest.mark.check("backward.calls.seed")
@asks(draw.recorded(), *ORDERS[:5], examples=20)
def test_seed(engine, program):
    """The output's gradient is 1 before the first call, every other node's is 0."""
    agrees(engine, program, about="seed")


@pytest.mark.check("backward.calls.once")
@asks(draw.recorded(), *ORDERS, examples=20)
def test_once(engine, program):
    """Every node that leads to the output is called once."""
    agrees(engine, program, about="once")


@pytest.mark.check("backward.calls.order")
@asks(draw.recorded(), *ORDERS, examples=20)
def test_order(engine, program):
    """A node is called after everything computed from it."""
    agrees(engine, program, about="order")


@pytest.mark.check("backward.calls.others")
@asks(draw.recorded(), SECOND, ABOVE, examples=20)
def test_others(engine, program):
    """Nodes that the output was not computed from are left alone."""
    agrees(engine, program, about="others")


@pytest.mark.check("backward.all.gradients")
@asks(draw.gradients(), *WHOLE, examples=20)
def test_gradients(engine, program):
    """After one `backward()` every gradient is the derivative of the output."""
    agrees(engine, program, about="numbers")


LONG = """\
a = Value(-4.0)
b = Value(2.0)
c = a + b
d = b * c
c += 1 + c + (-a)
d += d * 2 + (b + a).tanh()
g = c - d
g.backward()"""
FACTS = (
    LONG,
    "a = Value(3.0)\nb = Value(-2.0)\nc = Value(12.0)\nd = a * b + c\nd.backward()",
)


@pytest.mark.check("backward.all.facts")
@asks(draw.only(*FACTS), *FACTS, examples=1)
def test_facts(engine, program):
    """The lesson's long expression and its small one."""
    agrees(engine, program, about="numbers")
