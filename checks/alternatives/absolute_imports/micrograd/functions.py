from __future__ import annotations

from collections.abc import Callable

from micrograd.engine import Value


def my_tanh(x: Value) -> Value:
    one = Value(1.0)
    e2x = (Value(2.0) * x).exp()
    return (e2x - one) / (e2x + one)


def slope(f: Callable[..., float], args: list[float], i: int, h: float = 1e-4) -> float:
    before = args.copy()
    after = args.copy()
    before[i] -= h
    after[i] += h
    return (f(*after) - f(*before)) / (2 * h)
