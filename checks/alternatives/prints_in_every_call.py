"""Debugging prints left in place everywhere but in print_graph."""

import math
import sys


def say(*words):
    print("DEBUG:", *words)


def log(*words):
    print(*words, file=sys.stderr)


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        say("Value", data, _op, label)
        self.data = data
        self.grad = 0
        self.label = label
        self._op = _op
        self._prev = set()
        for child in _children:
            self._prev.add(child)
        self._backward = lambda: say("leaf", self.data)

    def __repr__(self):
        say("repr")
        return f"Value(data={self.data}, grad={self.grad}, op={self._op!r})"

    def __add__(self, other):
        say("add", self, other)
        if not isinstance(other, Value):
            other = Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            say("backward of +", out.grad)
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        say("mul", self, other)
        if not isinstance(other, Value):
            other = Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            say("backward of *", out.grad)
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __pow__(self, k):
        say("pow", self, k)
        if isinstance(k, Value):
            log("no!")
            raise TypeError(k)
        out = Value(self.data**k, (self,), "**" + repr(k))

        def _backward():
            say("backward of **", out.grad)
            self.grad += k * self.data ** (k - 1) * out.grad

        out._backward = _backward
        return out

    def relu(self):
        say("relu", self)
        out = Value(self.data if self.data > 0 else 0.0, (self,), "ReLU")

        def _backward():
            say("backward of relu", out.grad)
            if self.data > 0:
                self.grad += out.grad

        out._backward = _backward
        return out

    def exp(self):
        say("exp", self)
        out = Value(math.exp(self.data), (self,), "exp")

        def _backward():
            say("backward of exp", out.grad)
            self.grad += out.data * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        say("tanh", self)
        out = Value(math.tanh(self.data), (self,), "tanh")

        def _backward():
            say("backward of tanh", out.grad)
            self.grad += (1 - out.data**2) * out.grad

        out._backward = _backward
        return out

    def __neg__(self):
        say("neg", self)
        return self * -1

    def __sub__(self, other):
        say("sub", self, other)
        return self + (-other)

    def __truediv__(self, other):
        say("truediv", self, other)
        return self * other**-1

    def __radd__(self, other):
        say("radd", self, other)
        return self + other

    def __rsub__(self, other):
        say("rsub", self, other)
        return other + (-self)

    def __rmul__(self, other):
        say("rmul", self, other)
        return self * other

    def __rtruediv__(self, other):
        say("rtruediv", self, other)
        return other * self**-1

    def backward(self):
        order, seen = [], set()

        def build(v):
            if v not in seen:
                seen.add(v)
                for child in v._prev:
                    build(child)
                order.append(v)

        build(self)
        say("order", order)
        self.grad = 1
        for v in reversed(order):
            v._backward()
        say("done")


def my_tanh(x):
    say("my_tanh", x)
    e = (x * 2).exp()
    return (e - 1) / (e + 1)


def slope(f, args, i, h=1e-4):
    say("slope", args, i)
    moved = list(args)
    moved[i] += h
    say("from", f(*args), "to", f(*moved))
    return (f(*moved) - f(*args)) / h


def print_graph(value):
    seen = set()

    def show(v, depth):
        sys.stdout.write("  " * depth)
        sys.stdout.write(f"Value(data={v.data:.2f}) op={v._op or 'leaf'}\n")
        if v not in seen:
            seen.add(v)
            for child in v._prev:
                show(child, depth + 1)

    show(value, 0)
    sys.stdout.flush()


def count_nodes(value):
    seen = set()

    def visit(v):
        say("visit", v)
        if v not in seen:
            seen.add(v)
            for child in v._prev:
                visit(child)

    visit(value)
    return len(seen)


def trace(root):
    nodes, edges = set(), set()

    def build(v):
        if v not in nodes:
            nodes.add(v)
            for child in v._prev:
                say("edge", child, v)
                edges.add((child, v))
                build(child)

    build(root)
    return nodes, edges


def draw_dot(root, format="svg", rankdir="LR"):
    from graphviz import Digraph

    say("draw_dot", rankdir)
    if rankdir not in ("LR", "TB"):
        raise ValueError(rankdir)
    dot = Digraph(format=format, graph_attr={"rankdir": rankdir})
    nodes, edges = trace(root)
    for n in nodes:
        dot.node(str(id(n)), label=f"{{ {n.label} | data {n.data:.4f} | grad {n.grad:.4f} }}", shape="record")
        if n._op:
            dot.node(str(id(n)) + n._op, label=n._op)
            dot.edge(str(id(n)) + n._op, str(id(n)))
    for a, b in edges:
        dot.edge(str(id(a)), str(id(b)) + b._op)
    say("drawn", len(nodes))
    return dot


print("engine loaded")
