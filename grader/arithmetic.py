"""Plain-float arithmetic with a running bound on rounding error, one rule an operation.

A rule takes numbers and gives the result, and for each operand the local derivative
with the error of that derivative. Errors are absolute and first-order, and cover every
sensible way to write the operation, not only ours; `rounded` adds the rounding of the
result itself.

The *grid* of a number is a power of two (as a float) that makes it whole. While a
result times its grid stays below 2**53, sums and products carry no error at all, in
any order. Off every such grid it is infinite.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from grader.errors import LessonError

UNIT = 2.0**-52
"""One unit in the last place of 1.0. An operation rounds by half of it at most: a factor 2 to spare."""

EXACT = 2.0**53
"""Whole numbers up to this one are floats."""

INF = math.inf

LIMIT = 1e6
"""The largest |data| and |grad| that is asked."""

NEAR = 1e6
"""Where 0 is not allowed, a number within this many times its own error counts as 0."""


class OutOfDomain(LessonError):
    """A program asks what the lesson says never to ask, or makes no sense: drop the step, or the program."""


Number = tuple[float, float, float]
"""A value, the bound on its rounding error, and its grid."""

Two = tuple[Number, float, float, float, float]
"""The result before rounding; local derivative and its error for the left operand, then for the right."""

One = tuple[Number, float, float]
"""The result before rounding; local derivative and its error."""

NOTHING: Number = (math.nan, 0.0, INF)
"""What a step leaves that gives no number; whatever is computed with it is out of the domain."""


def given(x: float) -> Number:
    """A number from the program: exact, though one such as 0.1 is on no grid that leaves room."""
    if (x * 4.0).is_integer():
        return x, 0.0, 4.0
    return x, 0.0, 1048576.0 if (x * 1048576.0).is_integer() else INF


def rounded(number: Number, limit: float = LIMIT) -> Number:
    """A result after its own rounding. Raises `OutOfDomain` beyond the limit."""
    value, error, grid = number
    if not -limit <= value <= limit:
        raise OutOfDomain(f"data {value!r}: at most {limit:g} is asked")
    if -EXACT <= value * grid <= EXACT:
        return number
    return value, error + UNIT * abs(value), INF


# ---------------------------------------------------------------- two operands


def add(a: Number, b: Number) -> Two:
    """``a + b``."""
    x, x_error, x_grid = a
    y, y_error, y_grid = b
    grid = x_grid if x_grid >= y_grid else y_grid  # noqa: FURB136 a call of max() costs as much as the sum
    return (x + y, x_error + y_error, grid), 1.0, 0.0, 1.0, 0.0


def subtract(a: Number, b: Number) -> Two:
    """``a - b``, or ``a + (-b)``."""
    x, x_error, x_grid = a
    y, y_error, y_grid = b
    grid = x_grid if x_grid >= y_grid else y_grid  # noqa: FURB136 as in add()
    return (x - y, x_error + y_error, grid), 1.0, 0.0, -1.0, 0.0


def multiply(a: Number, b: Number) -> Two:
    """``a * b``."""
    x, x_error, x_grid = a
    y, y_error, y_grid = b
    error = abs(x) * y_error + (abs(y) + y_error) * x_error if x_error or y_error else 0.0
    return (x * y, error, x_grid * y_grid), y, y_error, x, x_error


def divide(a: Number, b: Number) -> Two:
    """``a / b``, or ``a * b**-1``: 4 units in the last place."""
    (x, x_error, _), (y, y_error, _) = a, b
    size = abs(y)
    if size <= NEAR * y_error:
        raise OutOfDomain(f"a division by {y!r}")
    value, inverse = x / y, 1.0 / y
    relative, shift = 1.01 * y_error / size, 1.01 * x_error / size
    slope = value * inverse
    left_error = abs(inverse) * (relative + 3 * UNIT)
    right_error = abs(slope) * (2 * relative + 5 * UNIT) + shift / size
    return (value, shift + abs(value) * (relative + 3 * UNIT), INF), inverse, left_error, -slope, right_error


BINARY: Mapping[str, Callable[[Number, Number], Two]] = {"+": add, "-": subtract, "*": multiply, "/": divide}

SPECIFIED = frozenset("+*")
"""Signs whose node the lesson describes; the others are derived, and built as the student likes."""


# ---------------------------------------------------------------- one operand


def power(a: Number, k: float) -> One:
    """``a ** k``: a few units in the last place, more for a large k (repeated multiplication is fine)."""
    x, x_error, _ = a
    size = abs(x)
    if size <= NEAR * x_error or (x < 0 and not k.is_integer()) or not abs(k) <= 100:
        raise OutOfDomain(f"{x!r} to the power {k!r}")
    try:
        value = float(x**k)
    except OverflowError:
        raise OutOfDomain(f"{x!r} to the power {k!r}") from None
    local, relative, rounding = k * value / x, 1.01 * x_error / size, (3 + abs(k)) * UNIT
    error = abs(value) * (abs(k) * relative + rounding)
    return (value, error, INF), local, abs(local) * (abs(k - 1) * relative + rounding)


def relu(a: Number) -> One:
    """0 up to 0. Where rounding decides the side it is not asked; an exact 0 is."""
    x, x_error, _ = a
    margin = 16 * x_error
    if x > margin:
        return a, 1.0, 0.0
    if x < -margin or x == margin == 0.0:
        return (0.0, 0.0, 4.0), 0.0, 0.0
    raise OutOfDomain(f"relu() of {x!r}, which is 0 within rounding")


def exp(a: Number) -> One:
    """``math.exp``; the bound also covers ``math.e ** x``."""
    x, x_error, _ = a
    if not x <= 50:
        raise OutOfDomain(f"exp() of {x!r}")
    value = math.exp(x)
    error = value * (1.01 * x_error + (3 + abs(x)) * UNIT)
    return (value, error, INF), value, error


def tanh(a: Number) -> One:
    """By `math.tanh` or a formula. ``1 - t * t`` and ``exp(2x) - 1`` cancel: the bounds are absolute."""
    return _tanh(a, 4 * UNIT, 4 * UNIT)


def my_tanh(a: Number) -> One:
    """``(exp(2x) - 1) / (exp(2x) + 1)`` in the student's own nodes: two gradients of opposite sign meet at exp."""
    return _tanh(a, 8 * UNIT, 16 * UNIT)


def _tanh(a: Number, rounding: float, local_rounding: float) -> One:
    x, x_error, _ = a
    if not abs(x) <= 20:
        raise OutOfDomain(f"tanh of {x!r}")
    value = math.tanh(x)
    local = 1.0 - value * value
    error = x_error * (local + x_error) + rounding
    return (value, error, INF), local, (2 * abs(value) + error) * error + local_rounding


UNARY: Mapping[str, Callable[[Number], One]] = {"relu": relu, "exp": exp, "tanh": tanh}

LABELS: Mapping[str, str] = {"relu": "ReLU", "exp": "exp", "tanh": "tanh"}


# ---------------------------------------------------------------- difference quotients


def quotients(
    rpn: tuple[int | float | str, ...], xs: tuple[float, ...], index: int, h: float
) -> tuple[float, float, tuple[float, float]]:
    """The forward difference quotient of a float function, its error, and the central ones (steps h and h / 2)."""
    if not 0 <= index < len(xs):
        raise OutOfDomain(f"no argument {index} among {len(xs)}")
    ahead, here, behind = (evaluate(rpn, xs, index, step) for step in (h, 0.0, -h))
    half_ahead, half_behind = (evaluate(rpn, xs, index, step) for step in (h / 2, -h / 2))
    forward = (ahead[0] - here[0]) / h
    central = ((ahead[0] - behind[0]) / (2 * h), (half_ahead[0] - half_behind[0]) / h)
    error = 2 * max(ahead[1], here[1], behind[1]) / h + 4 * UNIT * abs(forward)
    return forward, error, central


def evaluate(rpn: tuple[int | float | str, ...], xs: tuple[float, ...], index: int, step: float) -> tuple[float, float]:
    """A float function where argument `index` is moved by `step`, and the rounding error, that of moving included."""
    stack: list[Number] = []
    for token in rpn:
        if isinstance(token, str):
            if token not in {"+", "-", "*"} or len(stack) < 2:
                raise OutOfDomain(f"{token!r} in a function for slope()")
            right, left = stack.pop(), stack.pop()
            (value, error, _), *_ = BINARY[token](left, right)
            stack.append((value, error + UNIT * abs(value), INF))
        elif isinstance(token, int):
            moved = float(xs[token]) + step if token == index else float(xs[token])
            stack.append((moved, UNIT * abs(moved) if token == index else 0.0, INF))
        else:
            stack.append((token, 0.0, INF))
    value, error, _ = stack.pop() if len(stack) == 1 else NOTHING
    if not abs(value) <= LIMIT:
        raise OutOfDomain(f"a function for slope() whose value is {value!r}")
    return value, error
