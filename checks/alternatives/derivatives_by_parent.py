"""A node knows its derivative by each parent, one number a parent: in x * x the two shares are added up at once."""

import math
from collections import defaultdict


class Value:
    def __init__(self, data, _children=(), _op="", label="", derivatives=None):
        self.data = data
        self.grad = 0
        self.label = label
        self._prev = set(_children)
        self._op = _op
        self.derivatives = derivatives or {}

    def _backward(self):
        for parent, derivative in self.derivatives.items():
            parent.grad += derivative * self.grad

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad}, op={self._op or None})"

    @staticmethod
    def node(data, op, *shares):
        total = defaultdict(int)
        for parent, derivative in shares:
            total[parent] += derivative
        return Value(data, tuple(total), op, derivatives=dict(total))

    def __add__(self, other):
        match other:
            case Value():
                return self.node(self.data + other.data, "+", (self, 1), (other, 1))
            case int() | float():
                return self + Value(other)
            case _:
                return NotImplemented

    def __mul__(self, other):
        match other:
            case Value():
                return self.node(self.data * other.data, "*", (self, other.data), (other, self.data))
            case int() | float():
                return self * Value(other)
            case _:
                return NotImplemented

    def __pow__(self, k):
        match k:
            case int() | float():
                return self.node(self.data**k, f"**{k}", (self, k * self.data ** (k - 1)))
            case _:
                return NotImplemented

    def relu(self):
        return self.node(self.data, "ReLU", (self, 1)) if self.data > 0 else self.node(0, "ReLU", (self, 0))

    def exp(self):
        e = math.exp(self.data)
        return self.node(e, "exp", (self, e))

    def tanh(self):
        t = math.tanh(self.data)
        return self.node(t, "tanh", (self, 1 - t * t))

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)

    def __truediv__(self, other):
        return self * other**-1

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other):
        return Value(other) + (-self)

    def __rtruediv__(self, other):
        return Value(other) * self**-1

    def backward(self):
        """Each round takes the nodes that nobody waiting was computed from."""
        waiting = set(reach(self))
        self.grad = 1
        while waiting:
            used = {parent for node in waiting for parent in node._prev}
            ready = waiting - used
            for node in ready:
                node._backward()
            waiting -= ready


def reach(root):
    seen = {root: None}
    queue = [root]
    while queue:
        for parent in queue.pop(0)._prev:
            if parent not in seen:
                seen[parent] = None
                queue.append(parent)
    return list(seen)


def my_tanh(x):
    e = (x * 2).exp()
    return (e - 1) / (e + 1)


def slope(f, args, i, h=1e-4):
    plus = [*args]
    plus[i] += h
    minus = [*args]
    minus[i] -= h
    return (f(*plus) - f(*minus)) / 2 / h


def print_graph(value):
    seen = set()
    stack = [iter([value])]
    while stack:
        node = next(stack[-1], None)
        if node is None:
            stack.pop()
            continue
        print("  " * (len(stack) - 1) + f"Value(data={node.data:.3f}) op={node._op or 'leaf'}")
        if node not in seen:
            seen.add(node)
            stack.append(iter(node._prev))


def count_nodes(value):
    return len(reach(value))


def trace(root):
    nodes = reach(root)
    return set(nodes), {(parent, node) for node in nodes for parent in node._prev}


def draw_dot(root, format="svg", rankdir="LR"):
    from graphviz import Digraph

    match rankdir:
        case "LR" | "TB":
            pass
        case _:
            raise ValueError(f"rankdir must be LR or TB, not {rankdir}")
    dot = Digraph(format=format)
    dot.attr(rankdir=rankdir)
    nodes = reach(root)
    for number, node in enumerate(nodes):
        dot.node(f"v{number}", shape="record", label=f"{{ {node.label} | data {node.data:.4f} | grad {node.grad:.4f} }}")
    for number, node in enumerate(nodes):
        if node._op:
            dot.node(f"o{number}", label=node._op)
            dot.edge(f"o{number}", f"v{number}")
            dot.edges((f"v{nodes.index(parent)}", f"o{number}") for parent in node._prev)
    return dot
