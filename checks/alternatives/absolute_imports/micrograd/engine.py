from __future__ import annotations

import math


def as_value(x: Value | float) -> Value:
    return x if isinstance(x, Value) else Value(x)


class Value:
    """A float in a graph."""

    def __init__(self, data: float, _children: tuple[Value, ...] = (), _op: str = "", label: str = "") -> None:
        self.data = float(data)
        self.grad = 0.0
        self.label = label
        self._prev = set(_children)
        self._op = _op
        self._backward = self._nothing

    def _nothing(self) -> None:
        return None

    def __add__(self, other: Value | float) -> Value:
        right = as_value(other)
        out = Value(self.data + right.data, (self, right), "+")

        def _backward() -> None:
            self.grad += 1.0 * out.grad
            right.grad += 1.0 * out.grad

        out._backward = _backward
        return out

    def __mul__(self, other: Value | float) -> Value:
        right = as_value(other)
        out = Value(self.data * right.data, (self, right), "*")

        def _backward() -> None:
            self.grad += right.data * out.grad
            right.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __pow__(self, k: float) -> Value:
        if isinstance(k, Value):
            raise ValueError("a Value cannot be an exponent")
        out = Value(self.data**k, (self,), f"**{k}")

        def _backward() -> None:
            self.grad += k * self.data ** (k - 1) * out.grad

        out._backward = _backward
        return out

    def relu(self) -> Value:
        out = Value(self.data if self.data > 0.0 else 0.0, (self,), "ReLU")

        def _backward() -> None:
            self.grad += out.grad * float(out.data > 0.0)

        out._backward = _backward
        return out

    def exp(self) -> Value:
        out = Value(math.exp(self.data), (self,), "exp")

        def _backward() -> None:
            self.grad += out.data * out.grad

        out._backward = _backward
        return out

    def tanh(self) -> Value:
        e = math.exp(2.0 * self.data)
        t = (e - 1.0) / (e + 1.0)
        out = Value(t, (self,), "tanh")

        def _backward() -> None:
            self.grad += (1.0 - t**2) * out.grad

        out._backward = _backward
        return out

    def backward(self) -> None:
        topo: list[Value] = []
        visited: set[Value] = set()

        def build(v: Value) -> None:
            if v in visited:
                return
            visited.add(v)
            for child in v._prev:
                build(child)
            topo.append(v)

        build(self)
        for v in topo:
            v.grad = 0.0
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()

    def __neg__(self) -> Value:
        return self * -1.0

    def __sub__(self, other: Value | float) -> Value:
        return self + (-as_value(other))

    def __truediv__(self, other: Value | float) -> Value:
        return self * as_value(other) ** -1

    def __radd__(self, other: float) -> Value:
        return as_value(other) + self

    def __rsub__(self, other: float) -> Value:
        return as_value(other) - self

    def __rmul__(self, other: float) -> Value:
        return as_value(other) * self

    def __rtruediv__(self, other: float) -> Value:
        return as_value(other) / self

    def __repr__(self) -> str:
        return f"Value(data={self.data:.4f})"
