"""graph: `count_nodes` and `print_graph`, on nodes made by the constructor."""

import pytest

from grader import strategies as draw
from grader.session import agrees, asks

TREE = "a = Value(2.0)\nb = Value(-3.0)\nc = Value(-6.0, (a, b), '*')\n"
SHARED = "a = Value(2.0)\nb = Value(4.0, (a,), '+')\nc = Value(8.0, (a, b), '*')\n"
DIAMOND = """\
a = Value(2.0)
b = Value(3.0, (a,), '+')
c = Value(4.0, (b,), '**2')
d = Value(5.0, (b,), 'ReLU')
e = Value(20.0, (c, d), '*')
"""
EQUAL = "a = Value(2.0)\nb = Value(2.0)\nc = Value(4.0, (a, b), '+')\n"
LEAF = "a = Value(111.0)\n"
TWINS = """\
a = Value(2.0)
b = Value(3.0)
c = Value(6.0, (a, b), '*')
d = Value(6.0, (b, a), '*')
e = Value(12.0, (c, d), '+')
"""
MANY = "a0 = Value(0.5)\n" + "".join(f"a{i} = Value({i}.5, (a{i - 1},), '+')\n" for i in range(1, 30))


@pytest.mark.check("graph.count_nodes.numbers")
@asks(
    draw.graphs("count_nodes"),
    LEAF + "b = count_nodes(a)",
    TREE + "d = count_nodes(c)",
    SHARED + "d = count_nodes(c)",
    EQUAL + "d = count_nodes(c)",
    DIAMOND + "f = count_nodes(e)",
    TWINS + "f = count_nodes(e)",
    TREE + "d = count_nodes(c)\ne = count_nodes(c)",
    MANY + "b = count_nodes(a29)",
)
def test_count(engine, program):
    """Each reachable node once."""
    agrees(engine, program, about="numbers")


@pytest.mark.check("graph.print_graph.lines")
@asks(
    draw.trees("print_graph"),
    LEAF + "print_graph(a)",
    TREE + "print_graph(c)",
    TREE + "print_graph(c)\nprint_graph(c)",
    TREE + "d = Value(0.0, (c,), 'ReLU')\nprint_graph(d)",
)
def test_lines(engine, program):
    """One line a node, two spaces deeper for each level."""
    agrees(engine, program, about="lines")


@pytest.mark.check("graph.print_graph.repeats")
@asks(
    draw.graphs("print_graph"),
    SHARED + "print_graph(c)",
    DIAMOND + "print_graph(e)",
    TWINS + "print_graph(e)",
    EQUAL + "print_graph(c)",
)
def test_repeats(engine, program):
    """A node met again is printed, but not opened again."""
    agrees(engine, program, about="lines")
