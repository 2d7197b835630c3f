"""Fully typed, local derivatives in a table, one `_backward` for all operations."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias, overload

Number: TypeAlias = int | float
Operand: TypeAlias = "Value | Number"


class Share(NamedTuple):
    """What a parent is owed: the local derivative by it."""

    parent: Value
    derivative: Number


class Value:
    """A node that keeps the local derivatives by its parents."""

    data: Number
    grad: Number
    label: str
    _prev: set[Value]
    _op: str
    _backward: Callable[[], None]

    def __init__(
        self,
        data: Number,
        _children: Iterable[Value] = (),
        _op: str = "",
        label: str = "",
        *,
        shares: Iterable[Share] = (),
    ) -> None:
        self.data = data
        self.grad = 0
        self.label = label
        self._prev = set(_children)
        self._op = _op
        self.shares: Final = tuple(shares)
        self._backward = self._pay

    def _pay(self) -> None:
        for parent, derivative in self.shares:
            parent.grad += derivative * self.grad

    @classmethod
    def _node(cls, data: Number, op: str, *shares: Share) -> Value:
        return cls(data, (share.parent for share in shares), op, shares=shares)

    @overload
    @staticmethod
    def _lift(x: Value) -> Value: ...
    @overload
    @staticmethod
    def _lift(x: Number) -> Value: ...
    @staticmethod
    def _lift(x: Operand) -> Value:
        return x if isinstance(x, Value) else Value(x)

    def __add__(self, other: Operand) -> Value:
        right = self._lift(other)
        return self._node(self.data + right.data, "+", Share(self, 1), Share(right, 1))

    def __mul__(self, other: Operand) -> Value:
        right = self._lift(other)
        return self._node(self.data * right.data, "*", Share(self, right.data), Share(right, self.data))

    def __pow__(self, k: Number) -> Value:
        if isinstance(k, Value):
            raise TypeError("k is a number")
        return self._node(self.data**k, f"**{k}", Share(self, k * self.data ** (k - 1)))

    def relu(self) -> Value:
        return self._node(max(0, self.data), "ReLU", Share(self, int(self.data > 0)))

    def exp(self) -> Value:
        power = math.exp(self.data)
        return self._node(power, "exp", Share(self, power))

    def tanh(self) -> Value:
        t = math.tanh(self.data)
        return self._node(t, "tanh", Share(self, 1 - t * t))

    def __neg__(self) -> Value:
        return self * -1

    def __sub__(self, other: Operand) -> Value:
        return self + (-other)

    def __truediv__(self, other: Operand) -> Value:
        return self * other**-1

    def __radd__(self, other: Number) -> Value:
        return self + other

    def __rsub__(self, other: Number) -> Value:
        return self._lift(other) - self

    def __rmul__(self, other: Number) -> Value:
        return self * other

    def __rtruediv__(self, other: Number) -> Value:
        return self._lift(other) / self

    def _post_order(self, seen: set[Value]) -> Iterator[Value]:
        if self not in seen:
            seen.add(self)
            for parent in self._prev:
                yield from parent._post_order(seen)
            yield self

    def backward(self) -> None:
        order: Final[list[Value]] = list(self._post_order(set()))
        self.grad = 1
        while order:
            order.pop()._backward()
