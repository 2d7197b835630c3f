"""draw: labels, `trace`, and `draw_dot` on a recording stand-in for graphviz."""

import pytest

from grader import strategies as draw
from grader.session import agrees, asks

TREE = """\
a = Value(2.0, label='a')
b = Value(-3.0, label='b')
c = Value(-6.0, (a, b), '*', label='c')
b.grad = 2.0
c.grad = 1.0
"""
SHARED = """\
a = Value(2.0, label='a')
b = Value(4.0, (a,), '+', label='b')
c = Value(8.0, (a, b), '*', label='c')
a.grad = 0.5
"""
EQUAL = "a = Value(2.0, label='a')\nb = Value(2.0, label='b')\nc = Value(4.0, (a, b), '*', label='c')\n"
SUMS = """\
a = Value(2.0, label='a')
b = Value(4.0, (a,), '+', label='b')
c = Value(6.0, (b, a), '+', label='c')
"""
LEAF = "a = Value(2.0, label='a')\n"
TWICE = "a = Value(2.0)\nb = Value(4.0, (a,), '+')\nc = Value(6.0, (a, b), '+')\nd = draw_dot(c)"


def drawn(*ends):
    """Canonical programs: each graph, each ending."""
    return tuple(
        graph + f"d = draw_dot({root}{end})"
        for end in ends
        for graph, root in ((LEAF, "a"), (TREE, "c"), (SHARED, "c"), (EQUAL, "c"), (SUMS, "c"))
    )


@pytest.mark.check("draw.label.numbers")
@asks(draw.labels(), "a = Value(2.0, label='a')\nb = a.label", "a = Value(2.0)\nb = a.label", TREE + "d = c.label")
def test_label(engine, program):
    """`label=` is kept, and '' without it."""
    agrees(engine, program, about="numbers")


@pytest.mark.check("draw.trace.nodes")
@asks(draw.graphs("trace"), TREE + "trace(c)", SHARED + "trace(c)", LEAF + "trace(a)")
def test_trace_nodes(engine, program):
    """The first set holds every reachable node."""
    agrees(engine, program, about="traced-nodes")


@pytest.mark.check("draw.trace.edges")
@asks(draw.graphs("trace"), TREE + "trace(c)", SHARED + "trace(c)", LEAF + "trace(a)")
def test_trace_edges(engine, program):
    """The second set holds (operand, result) for each edge."""
    agrees(engine, program, about="traced-edges")


@pytest.mark.check("draw.draw_dot.values")
@asks(draw.graphs("draw_dot"), *drawn(""))
def test_values(engine, program):
    """A record for each value."""
    agrees(engine, program, about="values")


@pytest.mark.check("draw.draw_dot.operations")
@asks(draw.graphs("draw_dot"), *drawn(""), TWICE)
def test_operations(engine, program):
    """A node for each operation."""
    agrees(engine, program, about="operations")


@pytest.mark.check("draw.draw_dot.edges")
@asks(draw.graphs("draw_dot"), *drawn(""), TWICE)
def test_edges(engine, program):
    """Edges operand → operation → value."""
    agrees(engine, program, about="edges")


@pytest.mark.check("draw.draw_dot.rankdir")
@asks(
    draw.graphs("draw_dot", directed=True),
    *drawn("", ", rankdir='TB'", ", rankdir='LR'")[1::5],
    TREE + "d = draw_dot(c, rankdir='XX')",
)
def test_rankdir(engine, program):
    """Left to right, or as asked; anything but LR and TB is refused."""
    agrees(engine, program, about="rankdir")
