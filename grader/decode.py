"""Programs out of small whole numbers: one function for each kind of question that the checks draw.

The numbers are from 0 to 63, all zeros give about the simplest program, and every
program is in the lesson's domain. Nothing here draws; strategies.py and the tests do.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle

from grader import arithmetic
from grader.draft import GRADIENTS, LARGEST, METHODS, NUMBERS, Draft
from grader.oracle import OutOfDomain, in_domain
from grader.programs import Arg, Program, Step

Rows = Sequence[tuple[int, int, int]]
"""What to add, one triple an operation: which, and the two operands."""

ODD: tuple[float, ...] = (2.0, 3, 0.125, 0.1, -1.5, 1e-3, -12.0625, 10**6, 0.25, -4, 7.5, 0.0, -0.75, 100, 0.3, -1e-3)
"""Data for the constructor."""

RELU: tuple[float, ...] = (2.0, -3.0, 0.0, 0.125, -0.5, 5, -4, 0, 0.5, -0.25, 1.5, -2.0, 0.01, 3.5, -7, -0.01)
EXP: tuple[float, ...] = (1.0, -1.0, 0.5, 2, 0.0, -2.5, 3.0, -0.25, 0.75, -4, 1.5, 0, 0.1, 5.5, -6.0, 6)
TANH: tuple[float, ...] = (0.5, -0.5, 1.0, 0.25, -1.5, 2, 0.0, -0.75, 0.1, 1.25, -2.5, 3, -1e-3, -4, 3.5, 4.0)
FAR: tuple[float, ...] = (*TANH[:11], -7, 10.0, 1e-6, 20.0, -20)
"""Arguments for `my_tanh`."""

POSITIVE = tuple(abs(x) for x in NUMBERS[:32])

LABELS = ("a", "b", "c", "x1", "w1", "n", "o", "L", "x1*w1", "sum", "d", "e", "f", "g", "u", "v", "w", "x", "y", "z")
"""Labels for drawing; no two nodes of a program share one."""

OPERATIONS = ("+", "*", "**2", "ReLU", "exp", "tanh", "**-1", "**0.5")

MIXED = ("+", "*", "-", "/", "relu", "**", "neg", "tanh", "exp", "r+", "r*", "r-", "r/", "sum", "+", "*")
"""The operations of a program over the whole lesson."""

APART = 0.1
"""How far apart numbers are where they must tell nodes from one another in print."""


# ---------------------------------------------------------------- one operation


def construction(data: int, count: int, op: int, first: int) -> Program:
    """The constructor with 0 to 3 parents."""
    draft = Draft()
    parents = tuple(draft.leaf(first + 16 * turn, NUMBERS) for turn in range(count % 4))
    x = ODD[data % len(ODD)]
    last = ("node", (x, parents, OPERATIONS[op % len(OPERATIONS)])) if parents else ("leaf", (x,))
    return Program((*draft.steps, Step(*last)))


def _given(draft: Draft, n: int, table: tuple[float, ...] = NUMBERS) -> int:
    """An operand: a leaf, or for `n` of 40 or more a node made by hand from one."""
    if n < 40:
        return draft.leaf(n, table)
    x = table[(n - 40) % len(table)]
    parent = draft.leaf(n, tuple(y for y in NUMBERS if y != x))
    return draft.make((parent,), "node", x, (parent,), "+")


def _table(sign: str, exponent: int) -> tuple[float, ...]:
    if sign == "**":
        return NUMBERS if float(_exponent(exponent)).is_integer() else POSITIVE
    return {"relu": RELU, "exp": EXP, "tanh": TANH}.get(sign, NUMBERS)


def _exponent(n: int) -> float:
    return EXPONENTS[n % len(EXPONENTS)]


def _operate(draft: Draft, sign: str, left: int, right: int) -> tuple[tuple[int, ...], int]:
    """One operation on fresh operands; the distinct ones, and the result. The right may be the left again."""
    first = _given(draft, left, _table(sign, right))
    if sign in METHODS or sign in {"neg", "**"}:
        return (first,), draft.apply(sign, first, right)
    second = first if right >= 56 else _given(draft, right)
    return tuple(dict.fromkeys((first, second))), draft.make((first, second), "binary", sign, first, second)


def operation(sign: str, left: int, right: int) -> Program:
    """One of + * ** relu exp tanh on leaves or on nodes made by hand."""
    draft = Draft()
    _operate(draft, sign, left, right)
    return draft.program()


def with_number(sign: str, left: int, right: int) -> Program:
    """+ or * with a plain number on the right."""
    draft = Draft()
    operand = _given(draft, left)
    draft.make((operand,), "binary", sign, operand, draft.number(right))
    return draft.program()


def local(sign: str, left: int, right: int, gradient: int, upstream: int) -> Program:
    """One operation's `_backward` called by hand, onto gradients that are there already."""
    draft = Draft()
    operands, result = _operate(draft, sign, left, right)
    gradients = (GRADIENTS * 2)[gradient % len(GRADIENTS) :]
    for slot, x in zip(operands, gradients, strict=False):
        draft.add("set", slot, "grad", x)
    others = [x for x in GRADIENTS if x not in gradients[: len(operands)]]
    draft.add("set", result, "grad", others[upstream % len(others)])
    draft.add("push", result)
    return draft.program()


SIGNS = {"neg": "neg", "sub": "-", "div": "/", "radd": "r+", "rmul": "r*", "rsub": "r-", "rdiv": "r/"}
"""The derived operators but for sum(), as `Draft.apply` calls them."""


def derived(kind: str, left: int, right: int) -> Program:
    """A derived operator: between Values, or with a plain number on the side that it is for."""
    draft, sign = Draft(), SIGNS[kind]
    if sign not in {"-", "/"}:
        draft.apply(sign, _given(draft, left), right)
    elif 40 <= right < 56:
        operand = _given(draft, left)
        draft.make((operand,), "binary", sign, operand, draft.number(right - 40))
    else:
        _operate(draft, sign, left, right)
    return draft.program()


def own(kind: str, left: int, right: int, gradient: int, upstream: int) -> Program:
    """As `local`, for an engine whose -, / or negation is a node of its own."""
    return local(SIGNS[kind], left, right, gradient, upstream)


def summed(first: int, items: Sequence[int]) -> Program:
    """sum() of a list: new Values, plain numbers (40 and more), or the last Value again (56 and more)."""
    draft = Draft()
    listed: list[int] = []
    for n in items:
        if n >= 56 and draft.nodes:
            listed.append(draft.nodes[-1])
        elif n >= 40:
            listed.append(draft.number(n - 40))
        else:
            listed.append(_given(draft, n))
    if not draft.nodes:
        listed.append(_given(draft, first))
    draft.make(listed, "sum", tuple(listed))
    return draft.program()


def one_leaf(function: str, n: int) -> Program:
    """A function of the lesson, or a method, on one leaf."""
    step = Step("method", (function, 0)) if function in METHODS else Step("call", (function, 0))
    table = {"relu": RELU, "exp": EXP, "tanh": TANH}.get(function, FAR)
    return Program((Step("leaf", (table[n % len(table)],)), step))


# ---------------------------------------------------------------- graphs


def expression(rows: Rows, signs: Sequence[str] = MIXED, *, numbers: bool = True) -> Program:
    """Operations on shared nodes and one backward() at the end, from the last."""
    draft = Draft()
    for which, first, second in rows:
        draft.operate(signs[which % len(signs)], first, second, numbers=numbers)
    if not draft.nodes:
        draft.operand(0)
    draft.join()
    while True:
        root = draft.nodes[-1]
        program = Program((*draft.steps, Step("backward", (root,))))
        if in_domain(program):
            return program
        draft.back((root, draft.nodes[:-1], draft.loose))


def gradients(rows: Rows, signs: Sequence[str] = ("+", "*")) -> Program:
    """Operations between Values on shared nodes and one backward() at the end."""
    return expression(rows, signs, numbers=False)


def _graph(rows: Rows, draft: Draft, *, alike: bool = False, apart: bool = False, labels: bool = False) -> int:
    """Nodes of the constructor on shared nodes, joined into one; that one.

    `alike` lets leaves hold equal numbers, `apart` keeps all data `APART` from one another.
    """
    names = iter(LABELS if labels else ())

    def operand(n: int) -> int:
        if draft.nodes and (n < 32 or len(draft.nodes) + 1 >= draft.most):
            return draft.operand(n % 32)
        x = NUMBERS[n % 4] if alike else draft.fresh(n)
        if labels: 
            ...
        return draft.operand(n)
    raise NotImplementedError
