"""Hypothesis strategies for programs: tuples and lists of small whole numbers, decoded by our own code.

Such numbers draw fast, shrink to simple programs, and keep clear of the constants that
Hypothesis mixes into wide draws. Only recording and live runs import this module.
"""

from __future__ import annotations

from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from grader import decode, handmade
from grader.draft import SMALL
from grader.parse import parse
from grader.programs import Program

Programs = SearchStrategy[Program]

_NUMBER = st.integers(0, SMALL - 1)


def _numbers(count: int) -> SearchStrategy[tuple[int, ...]]:
    return st.tuples(*[_NUMBER] * count)


def _rows(most: int) -> SearchStrategy[list[tuple[int, int, int]]]:
    return st.lists(st.tuples(_NUMBER, _NUMBER, _NUMBER), min_size=1, max_size=most)


def constructions() -> Programs:
    """``Value(x)`` and ``Value(x, (p, ...), op)`` with up to three parents, odd data among them."""
    return _numbers(4).map(lambda n: decode.construction(*n))


def leaves() -> Programs:
    """``Value(x)``, odd data among them."""
    return _NUMBER.map(lambda n: decode.construction(n, 0, 0, 0))


def operation(sign: str) -> Programs:
    """One of ``+ * ** relu exp tanh`` on leaves or on nodes made by hand, perhaps on one node twice."""
    return _numbers(2).map(lambda n: decode.operation(sign, *n))


def with_number(sign: str) -> Programs:
    """One ``+`` or ``*`` with a plain number, int or float, on the right."""
    return _numbers(2).map(lambda n: decode.with_number(sign, *n))


def local(sign: str) -> Programs:
    """One operation: gradients set on the operands and the result, then the result's `_backward`."""
    return _numbers(4).map(lambda n: decode.local(sign, *n))


def derived(kind: str) -> Programs:
    """One derived operator: neg, sub, div, radd, rmul, rsub, rdiv or sum."""
    if kind == "sum":
        items = st.lists(_NUMBER, min_size=1, max_size=5)
        return st.tuples(_NUMBER, items).map(lambda n: decode.summed(*n))
    return _numbers(2).map(lambda n: decode.derived(kind, *n))


def built(kind: str) -> Programs:
    """A derived operator (neg, sub, div), then + * ** on the same operands, so that labels can be compared."""
    return _numbers(2).map(lambda n: decode.built(kind, *n))


def refused_powers() -> Programs:
    """``a ** b`` between Values, which an engine must refuse."""
    return _numbers(2).map(lambda n: decode.refused(*n))


def own(kind: str) -> Programs:
    """As `local`, for neg, sub and div between Values."""
    return _numbers(4).map(lambda n: decode.own(kind, *n))


def one_leaf(function: str) -> Programs:
    """A function of the lesson (``my_tanh``) or a method on one leaf."""
    return _NUMBER.map(partial(decode.one_leaf, function))


def recorded(max_nodes: int = 8) -> Programs:
    """A shared graph of the constructor whose nodes record their calls, then one backward()."""
    return st.tuples(_rows(1 + max_nodes // 2), _NUMBER).map(lambda n: handmade.recorded(*n, max_nodes))


def gradients(signs: tuple[str, ...] = ("+", "*"), max_ops: int = 8) -> Programs:
    """Operations between Values on shared nodes, then one backward() from the last."""
    return _rows(max_ops).map(lambda rows: decode.gradients(rows, signs))


def graphs(function: str, *, directed: bool = False) -> Programs:
    """A shared graph of the constructor for print_graph, count_nodes, trace or draw_dot, perhaps with ``rankdir``."""
    style = _NUMBER if directed else st.just(0)
    return st.tuples(_rows(5), _NUMBER, style).map(lambda n: handmade.graph(function, *n))


def trees(function: str) -> Programs:
    """As `graphs`, but no node is used twice."""
    return st.tuples(_rows(5), _NUMBER, _NUMBER).map(lambda n: handmade.graph(function, *n, shared=False))


def labels() -> Programs:
    """A node made with a label, or without, whose `label` is read."""
    return _numbers(3).map(lambda n: handmade.labelled(*n))


def slopes() -> Programs:
    """``slope`` of a small float function of 1 to 3 arguments."""
    return st.tuples(_rows(4), _NUMBER, _NUMBER, _NUMBER).map(lambda n: decode.slope(*n))


def expressions(max_ops: int = 12) -> Programs:
    """Programs over the whole lesson, with plain numbers and sharing, then one backward() from the last."""
    return _rows(max_ops).map(decode.expression)


def only(*texts: str) -> Programs:
    """Programs written by hand, for a check that draws none."""
    return st.sampled_from([parse(text) for text in texts])


def chains(depth: int) -> tuple[Program, Program]:
    """Two programs with a path of `depth` nodes: one whose nodes record their calls, one of + and *."""
    return handmade.chain(depth), decode.chain(depth)
