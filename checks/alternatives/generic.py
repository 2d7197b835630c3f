"""Generic over the type of its numbers, with every signature written out."""

from __future__ import annotations

import math
import typing as t
from collections.abc import Callable, Collection, Iterator, Sequence

N = t.TypeVar("N", int, float)
Operand = t.Union["Value[N]", int, float]


class HasParents(t.Protocol):
    @property
    def _prev(self) -> Collection[t.Self]: ...


V = t.TypeVar("V", bound=HasParents)


class Value(t.Generic[N]):
    __slots__ = "data", "grad", "label", "_prev", "_op", "_backward", "__weakref__"

    def __init__(self, data: N, _children: Sequence[Value[N]] = (), _op: str = "", label: str = "") -> None:
        self.data: N = data
        self.grad: float = 0.0
        self.label: str = label
        self._prev: frozenset[Value[N]] = frozenset(_children)
        self._op: str = _op
        self._backward: Callable[[], None] = _pass

    @classmethod
    def of(cls, x: Operand[N]) -> Value[N]:
        return x if isinstance(x, cls) else cls(t.cast(N, x))

    def __add__(self, other: Operand[N]) -> Value[N]:
        right = self.of(other)
        out = Value(self.data + right.data, [self, right], "+")

        def _backward() -> None:
            self.grad += out.grad
            right.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other: Operand[N]) -> Value[N]:
        right = self.of(other)
        out = Value(self.data * right.data, [self, right], "*")

        def _backward() -> None:
            self.grad += right.data * out.grad
            right.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __pow__(self, k: int | float) -> Value[N]:
        if isinstance(k, Value):
            raise TypeError("the exponent cannot be a Value")
        out = Value(self.data**k, [self], f"**{k}")

        def _backward() -> None:
            self.grad += k * self.data ** (k - 1) * out.grad

        out._backward = _backward
        return out

    def relu(self) -> Value[N]:
        out = Value(self.data if self.data > 0 else type(self.data)(0), [self], "ReLU")

        def _backward() -> None:
            self.grad += out.grad if out.data > 0 else 0.0

        out._backward = _backward
        return out

    def exp(self) -> Value[N]:
        out = Value(math.exp(self.data), [self], "exp")

        def _backward() -> None:
            self.grad += out.data * out.grad

        out._backward = _backward
        return out

    def tanh(self) -> Value[N]:
        out = Value(math.tanh(self.data), [self], "tanh")

        def _backward() -> None:
            self.grad += (1.0 - out.data**2) * out.grad

        out._backward = _backward
        return out

    def __neg__(self) -> Value[N]:
        return self * -1

    def __sub__(self, other: Operand[N]) -> Value[N]:
        return self + (-other)

    def __truediv__(self, other: Operand[N]) -> Value[N]:
        return self * other**-1

    def __radd__(self, other: int | float) -> Value[N]:
        return self + other

    def __rsub__(self, other: int | float) -> Value[N]:
        return (-self) + other

    def __rmul__(self, other: int | float) -> Value[N]:
        return self * other

    def __rtruediv__(self, other: int | float) -> Value[N]:
        return self**-1 * other

    def backward(self) -> None:
        self.grad = 1.0
        for node in reversed([*post_order(self, set())]):
            node._backward()


def _pass() -> None: ...


def post_order(node: V, seen: set[V]) -> Iterator[V]:
    if node in seen:
        return
    seen.add(node)
    for parent in node._prev:
        yield from post_order(parent, seen)
    yield node


def my_tanh(x: Value[float]) -> Value[float]:
    e: Value[float] = (x * 2.0).exp()
    return (e - 1.0) / (e + 1.0)


def slope(f: Callable[..., float], args: list[float], i: int, h: float = 1e-4) -> float:
    shifted = args.copy()
    shifted[i] += h
    return (f(*shifted) - f(*args)) / h


def print_graph(value: Value[N]) -> None:
    expanded: set[Value[N]] = set()

    def show(node: Value[N], depth: int) -> None:
        print(f"{'  ' * depth}Value(data={node.data:.2f}) op={node._op or 'leaf'}")
        if node not in expanded:
            expanded.add(node)
            for parent in node._prev:
                show(parent, depth + 1)

    show(value, 0)


def count_nodes(value: Value[N]) -> int:
    return sum(1 for _ in post_order(value, set()))


def trace(root: Value[N]) -> tuple[set[Value[N]], set[tuple[Value[N], Value[N]]]]:
    nodes = set(post_order(root, set()))
    return nodes, {(parent, node) for node in nodes for parent in node._prev}


def draw_dot(root: Value[N], format: str = "svg", rankdir: t.Literal["LR", "TB"] = "LR"):
    import graphviz

    if rankdir not in t.get_args(t.Literal["LR", "TB"]):
        raise ValueError(rankdir)
    dot = graphviz.Digraph(format=format, graph_attr={"rankdir": rankdir})
    nodes, edges = trace(root)
    for n in nodes:
        dot.node(str(id(n)), label=f"{{ {n.label} | data {n.data:.4f} | grad {n.grad:.4f} }}", shape="record")
        if n._op:
            dot.node(str(id(n)) + n._op, label=n._op)
            dot.edge(str(id(n)) + n._op, str(id(n)))
    for operand, result in edges:
        dot.edge(str(id(operand)), str(id(result)) + result._op)
    return dot
