"""derived: minus, division, numbers on the left, `sum()`, and how the derived operators are built."""

import pytest
from hypothesis.strategies import one_of

from grader import strategies as draw
from grader.session import agrees, asks

A, AB = "a = Value(4.0)\n", "a = Value(6.0)\nb = Value(4.0)\n"
RADD = (
    A + "b = 2 + a",
    A + "b = 2.5 + a",
    A + "b = 0 + a",
    A + "b = sum([a])",
    AB + "c = Value(-1.0)\nd = sum([a, b, c])",
    AB + "c = sum([a, 2, b, 1.5])",
)
LABELS = "\nt = a + b\nu = a * b\nv = b ** -1\nw = b ** -1.0"  # the student's own labels, for comparison


@pytest.mark.check("derived.neg.numbers")
@asks(draw.derived("neg"), A + "b = -a")
def test_neg(engine, program):
    """`-a`."""
    agrees(engine, program, about="linked")


@pytest.mark.check("derived.sub.numbers")
@asks(draw.derived("sub"), AB + "c = a - b", A + "b = a - 3", A + "b = a - 2.5", A + "b = a - a")
def test_sub(engine, program):
    """`a - b`."""
    agrees(engine, program, about="linked")


@pytest.mark.check("derived.div.numbers")
@asks(draw.derived("div"), AB + "c = a / b", A + "b = a / 2", A + "b = a / 2.5")
def test_div(engine, program):
    """`a / b`."""
    agrees(engine, program, about="linked")


@pytest.mark.check("derived.radd.numbers")
@asks(one_of(draw.derived("radd"), draw.derived("sum")), *RADD, examples=20)
def test_radd_and_sum(engine, program):
    """`2 + a`, and `sum`, which begins with `0 + a`."""
    agrees(engine, program, about="linked")


@pytest.mark.check("derived.rmul.numbers")
@asks(draw.derived("rmul"), A + "b = 2 * a", A + "b = 2.5 * a", A + "b = 0 * a", A + "b = 1 * a")
def test_rmul(engine, program):
    """`2 * a`."""
    agrees(engine, program, about="linked")


@pytest.mark.check("derived.rsub.numbers")
@asks(draw.derived("rsub"), "a = Value(2.0)\nb = 5 - a", A + "b = 2.5 - a")
def test_rsub(engine, program):
    """`2 - a` subtracts a."""
    agrees(engine, program, about="linked")


@pytest.mark.check("derived.rdiv.numbers")
@asks(draw.derived("rdiv"), A + "b = 6 / a", A + "b = 2.5 / a")
def test_rdiv(engine, program):
    """`2 / a` divides by a."""
    agrees(engine, program, about="linked")


@pytest.mark.check("derived.all.built")
@asks(
    one_of(draw.built("neg"), draw.built("sub"), draw.built("div")),
    *(AB + f"c = {derived}" + LABELS for derived in ("-b", "a - b", "a / b", "a - 3", "a / 4")),
)
def test_built(engine, program):
    """The derived operators are built from `+ * **`."""
    agrees(engine, program, about="built")
