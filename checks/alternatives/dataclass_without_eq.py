"""A dataclass whose nodes stay themselves: eq=False keeps identity."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import InitVar, dataclass, field


def nothing():
    """What a leaf hands on."""


@dataclass(eq=False)
class Value:
    data: float
    _children: InitVar[Iterable[Value]] = ()
    _op: str = field(default="", repr=False)
    label: str = ""
    grad: float = field(default=0.0, init=False)
    _prev: set[Value] = field(init=False, repr=False)
    _backward: Callable[[], None] = field(default_factory=lambda: nothing, init=False, repr=False)

    def __post_init__(self, _children):
        self._prev = set(_children)

    def __add__(self, other):
        other = value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __pow__(self, k):
        if isinstance(k, Value):
            raise TypeError("no Value in the exponent")
        out = Value(self.data**k, (self,), f"**{k}")

        def _backward():
            self.grad += k * self.data ** (k - 1) * out.grad

        out._backward = _backward
        return out

    def relu(self):
        out = Value(max(0.0, self.data), (self,), "ReLU")

        def _backward():
            self.grad += out.grad if out.data > 0 else 0.0

        out._backward = _backward
        return out

    def exp(self):
        out = Value(math.exp(self.data), (self,), "exp")

        def _backward():
            self.grad += out.data * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")

        def _backward():
            self.grad += (1 - out.data**2) * out.grad

        out._backward = _backward
        return out

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)

    def __truediv__(self, other):
        return self * other**-1

    def __radd__(self, other):
        return self + other

    def __rsub__(self, other):
        return value(other) + (-self)

    def __rmul__(self, other):
        return self * other

    def __rtruediv__(self, other):
        return value(other) * self**-1

    def backward(self):
        self.grad = 1.0
        for node in topological(self):
            node._backward()


@dataclass
class Walk:
    nodes: dict[Value, None] = field(default_factory=dict)
    edges: set[tuple[Value, Value]] = field(default_factory=set)

    def visit(self, node):
        if node in self.nodes:
            return
        self.nodes[node] = None
        for parent in node._prev:
            self.edges.add((parent, node))
            self.visit(parent)


def value(x):
    return x if isinstance(x, Value) else Value(x)


def topological(root):
    """Results before what they were computed from."""
    done, order = set(), []

    def visit(node):
        done.add(node)
        for parent in node._prev - done:
            if parent not in done:
                visit(parent)
        order.append(node)

    visit(root)
    return order[::-1]


def my_tanh(x):
    e = (2 * x).exp()
    return (e - 1) / (e + 1)


def slope(f, args, i, h=1e-4):
    return (f(*(a + h * (k == i) for k, a in enumerate(args))) - f(*args)) / h


def print_graph(root):
    printed = set()

    def show(node, depth):
        print(f"{'  ' * depth}Value(data={node.data:.2f}) op={node._op or 'leaf'}")
        if node in printed:
            return
        printed.add(node)
        for parent in node._prev:
            show(parent, depth + 1)

    show(root, 0)


def count_nodes(root):
    return len(topological(root))


def trace(root):
    walk = Walk()
    walk.visit(root)
    return set(walk.nodes), walk.edges


def draw_dot(root, format="svg", rankdir="LR"):
    from graphviz import Digraph

    if rankdir not in ("LR", "TB"):
        raise ValueError(f"rankdir {rankdir!r}")
    dot = Digraph(format=format, graph_attr={"rankdir": rankdir})
    nodes, edges = trace(root)
    for n in nodes:
        dot.node(str(id(n)), f"{{ {n.label} | data {n.data:.4f} | grad {n.grad:.4f} }}", shape="record")
        if n._op:
            dot.node(str(id(n)) + n._op, n._op)
            dot.edge(str(id(n)) + n._op, str(id(n)))
    for operand, result in edges:
        dot.edge(str(id(operand)), str(id(result)) + result._op)
    return dot
