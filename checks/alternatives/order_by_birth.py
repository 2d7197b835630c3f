"""Nodes are numbered as they are made, and an operand is always older than its result: sorting is enough."""

import heapq
import itertools
import math


class Value:
    _births = itertools.count()

    def __init__(self, data, _children=(), _op="", label=""):
        self.born = next(Value._births)
        self.data = data
        self.grad = 0
        self.label = label
        self._prev = set(_children)
        self._op = _op
        self._backward = None

    def __lt__(self, other):
        """The youngest comes first out of the heap."""
        return self.born > other.born

    def __add__(self, other):
        other = lift(other)
        return self._made(self.data + other.data, [(self, lambda: 1), (other, lambda: 1)], "+")

    def __mul__(self, other):
        other = lift(other)
        return self._made(self.data * other.data, [(self, lambda: other.data), (other, lambda: self.data)], "*")

    def __pow__(self, k):
        if isinstance(k, Value):
            raise TypeError("a Value cannot be an exponent")
        return self._made(self.data**k, [(self, lambda: k * self.data ** (k - 1))], f"**{k}")

    def relu(self):
        return self._made(max(self.data, 0), [(self, lambda: 1 if self.data > 0 else 0)], "ReLU")

    def exp(self):
        return self._made(math.exp(self.data), [(self, lambda: math.exp(self.data))], "exp")

    def tanh(self):
        return self._made(math.tanh(self.data), [(self, lambda: 1 - math.tanh(self.data) ** 2)], "tanh")

    @staticmethod
    def _made(data, parents, op):
        out = Value(data, [parent for parent, _ in parents], op)

        def _backward():
            for parent, derivative in parents:
                parent.grad += derivative() * out.grad

        out._backward = _backward
        return out

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-lift(other))

    def __truediv__(self, other):
        return self * lift(other) ** -1

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other):
        return lift(other) - self

    def __rtruediv__(self, other):
        return lift(other) / self

    def backward(self):
        self.grad = 1
        for node in youngest_first(self):
            if node._backward:
                node._backward()


def lift(x):
    return x if isinstance(x, Value) else Value(x)


def youngest_first(root):
    heap, known = [root], {root}
    while heap:
        node = heapq.heappop(heap)
        yield node
        for parent in node._prev.difference(known):
            known.add(parent)
            heapq.heappush(heap, parent)


def my_tanh(x):
    e = (2 * x).exp()
    return (e - 1) / (e + 1)


def slope(f, args, i, h=1e-4):
    there = dict(enumerate(args))
    there[i] += h
    return (f(*there.values()) - f(*args)) / h


def print_graph(value):
    def text(node, depth, seen):
        line = "  " * depth + f"Value(data={node.data:.2f}) op={node._op or 'leaf'}\n"
        if node in seen:
            return line
        seen.add(node)
        return line + "".join(text(parent, depth + 1, seen) for parent in sorted(node._prev))

    print(text(value, 0, set()), end="")


def count_nodes(value):
    return sum(1 for _ in youngest_first(value))


def trace(root):
    nodes = set(youngest_first(root))
    return nodes, {(parent, node) for node in nodes for parent in node._prev}


def draw_dot(root, format="svg", rankdir="LR"):
    from graphviz import Digraph

    if rankdir not in ("LR", "TB"):
        raise ValueError(rankdir)
    dot = Digraph("computation", format=format)
    dot.attr("graph", rankdir=rankdir)
    for node in youngest_first(root):
        text = " | ".join([node.label, f"data {node.data:.4f}", f"grad {node.grad:.4f}"])
        dot.node(f"v{node.born}", "{ " + text + " }", shape="record")
        if node._op:
            dot.node(f"o{node.born}", node._op, shape="oval")
            dot.edge(f"o{node.born}", f"v{node.born}")
        for parent in node._prev:
            dot.edge(f"v{parent.born}", f"o{node.born}")
    return dot
