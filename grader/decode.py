"""Programs out of small whole numbers: one function for each kind of question that the checks draw.

The numbers are from 0 to 63, all zeros give about the simplest program, and every
program is in the lesson's domain. Nothing here draws; strategies.py and the tests do.
Graphs that the constructor makes are in handmade.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from grader import arithmetic
from grader.draft import EXPONENTS, GRADIENTS, LARGEST, METHODS, NUMBERS, Draft, Rows
from grader.oracle import in_domain
from grader.programs import Program, Step

ODD: tuple[float, ...] = (2.0, 3, 0.125, 0.1, -1.5, 1e-3, -12.0625, 10**6, 0.25, -4, 7.5, 0.0, -0.75, 100, 0.3, -1e-3)
"""Data for the constructor."""

RELU: tuple[float, ...] = (2.0, -3.0, 0.0, 0.125, -0.5, 5, -4, 0, 0.5, -0.25, 1.5, -2.0, 0.01, 3.5, -7, -0.01)
EXP: tuple[float, ...] = (1.0, -1.0, 0.5, 2, 0.0, -2.5, 3.0, -0.25, 0.75, -4, 1.5, 0, 0.1, 5.5, -6.0, 6)
TANH: tuple[float, ...] = (0.5, -0.5, 1.0, 0.25, -1.5, 2, 0.0, -0.75, 0.1, 1.25, -2.5, 3, -1e-3, -4, 3.5, 4.0)
FAR: tuple[float, ...] = (*TANH[:11], -7, 10.0, 1e-6, 20.0, -20)
"""Arguments for `my_tanh`."""

POSITIVE: tuple[float, ...] = tuple(abs(x) for x in NUMBERS[:32])

OPERATIONS = ("+", "*", "**2", "ReLU", "exp", "tanh", "**-1", "**0.5")

MIXED = ("+", "*", "-", "/", "relu", "**", "neg", "tanh", "exp", "r+", "r*", "r-", "r/", "sum", "+", "*")
"""The operations of a program over the whole lesson."""

# ---------------------------------------------------------------- one operation


def construction(data: int, count: int, op: int, first: int) -> Program:
    """The constructor with 0 to 3 parents."""
    draft = Draft()
    parents = tuple(draft.leaf(first + 16 * turn) for turn in range(count % 4))
    x = ODD[data % len(ODD)]
    last = ("node", (x, parents, OPERATIONS[op % len(OPERATIONS)])) if parents else ("leaf", (x,))
    return Program((*draft.steps, Step(*last)))


def _given(draft: Draft, n: int, table: tuple[float, ...] = NUMBERS) -> int:
    """An operand: a leaf, or for `n` of 40 or more a node made by hand from one."""
    if n < 40:
        return draft.leaf(n, table)
    parent = draft.leaf(n)
    return draft.make((parent,), "node", draft.fresh(n - 40, table), (parent,), "+")


def _table(sign: str, exponent: int) -> tuple[float, ...]:
    if sign == "**":
        return NUMBERS if float(_exponent(exponent)).is_integer() else POSITIVE
    return {"relu": RELU, "exp": EXP, "tanh": TANH}.get(sign, NUMBERS)


def _exponent(n: int) -> float:
    return EXPONENTS[n % len(EXPONENTS)]


def _operate(draft: Draft, sign: str, left: int, right: int) -> tuple[tuple[int, ...], int]:
    """One operation on fresh operands; the distinct ones, and the result. Below 6 the right is the left again."""
    first = _given(draft, left, _table(sign, right))
    if sign in METHODS or sign in {"neg", "**", "r+", "r*", "r-", "r/"}:
        return (first,), draft.apply(sign, first, right)
    second = first if right < 6 else _given(draft, right - 6)
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
    draft = Draft()
    _derive(draft, SIGNS[kind], left, right)
    return draft.program()


def _derive(draft: Draft, sign: str, left: int, right: int) -> tuple[int, ...]:
    """Add a derived operator; the nodes that it is on."""
    if sign in {"-", "/"} and not 40 <= right < 56:
        return _operate(draft, sign, left, right)[0]
    operand = _given(draft, left)
    if sign in {"-", "/"}:
        draft.make((operand,), "binary", sign, operand, draft.number(right - 40))
    else:
        draft.apply(sign, operand, right)
    return (operand,)


def built(kind: str, left: int, right: int) -> Program:
    """A derived operator, and after it + * ** on the same operands, for comparing labels."""
    draft = Draft()
    operands = _derive(draft, SIGNS[kind], left, right)
    first, last = operands[0], operands[-1]
    for sign in ("+", "*"):
        draft.make((first, last), "binary", sign, first, last)
    for exponent in (-1, -1.0):
        draft.make((last,), "binary", "**", last, draft.add("number", exponent))
    return draft.program()


def refused(left: int, right: int) -> Program:
    """A power whose exponent is a Value."""
    draft = Draft()
    base, exponent = _given(draft, left), _given(draft, right)
    draft.add("binary", "**", base, exponent)
    return draft.program()


def own(kind: str, left: int, right: int, gradient: int, upstream: int) -> Program:
    """As `local`, for an engine whose -, / or negation is a node of its own."""
    return local(SIGNS[kind], left, right, gradient, upstream)


def summed(spare: int, items: Sequence[int]) -> Program:
    """sum() of a list: new Values, plain numbers (40 and more), or the newest Value again (56 and more)."""
    draft = Draft()
    made = {place: _given(draft, n) for place, n in enumerate(items) if n < 40}
    newest = draft.leaf(spare) if not made else draft.nodes[-1]
    places = [place for place, n in enumerate(items) if n >= 56 or not made]
    made |= dict.fromkeys(places[-1:] if len(made) == 0 else places, newest)
    listed = tuple([made[place] if place in made else draft.number(n - 40) for place, n in enumerate(items)])
    draft.make(listed, "sum", listed)
    return draft.program()


def one_leaf(function: str, n: int) -> Program:
    """A function of the lesson, or a method, on one leaf."""
    step = Step("method", (function, 0)) if function in METHODS else Step("call", (function, 0))
    table = {"relu": RELU, "exp": EXP, "tanh": TANH}.get(function, FAR)
    return Program((Step("leaf", (table[n % len(table)],)), step))


# ---------------------------------------------------------------- gradients of expressions


def expression(rows: Rows, signs: Sequence[str] = MIXED, *, numbers: bool = True) -> Program:
    """Operations on shared nodes and one backward() at the end, from the last."""
    draft = Draft()
    for which, first, second in rows:
        draft.operate(signs[which % len(signs)], first, second, numbers=numbers)
    if not draft.nodes:
        draft.leaf(0)
    draft.join()
    while not in_domain(program := _backward(draft)):  # a gradient is too large: do without the last operation
        draft.back((draft.nodes[-1], draft.nodes[:-1], draft.loose))
    return program


def _backward(draft: Draft) -> Program:
    root = draft.nodes[-1]
    return Program((*draft.steps[: root + 1], Step("backward", (root,))))


def gradients(rows: Rows, signs: Sequence[str] = ("+", "*")) -> Program:
    """Operations between Values on shared nodes and one backward() at the end."""
    return expression(rows, signs, numbers=False)


def chain(depth: int) -> Program:
    """A path of `depth` nodes, + and * between Values in turn, and one backward() from the end."""
    draft = Draft()
    last, step, sign = draft.leaf(0), draft.leaf(2), draft.leaf(0, (-1.0,))
    for turn in range(depth - 1):
        what, other = ("*", sign) if turn % 2 else ("+", step)
        last = draft.make((last, other), "binary", what, last, other)
    draft.add("backward", last)
    return draft.program()


# ---------------------------------------------------------------- float functions


def slope(rows: Rows, arity: int, index: int, first: int) -> Program:
    """The lesson's slope of a float function of 1 to 3 arguments."""
    count = 1 + arity % 3
    xs = tuple(float(NUMBERS[(first + 7 * turn) % 32]) for turn in range(count))
    rpn: tuple[int | float | str, ...] = (index % count,)
    for which, operand, other in rows:
        token = operand % count if operand < 40 else float(NUMBERS[operand - 40])
        last = (token, "+-*"[which % 3]) if other < 40 else (token, other % count, "*", "+-*"[which % 3])
        if _moderate((*rpn, *last), xs, index % count):
            rpn = (*rpn, *last)
    return Program((Step("slope", (rpn, xs, index % count)),))


def _moderate(rpn: tuple[int | float | str, ...], xs: tuple[float, ...], index: int) -> bool:
    return abs(arithmetic.evaluate(rpn, xs, index, 0.0)[0]) <= LARGEST / 10
