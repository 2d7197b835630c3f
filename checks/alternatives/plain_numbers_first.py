"""Arithmetic with plain numbers is done on the numbers: a / 4 is a * 0.25, a - 3 is a + (-3)."""

from math import exp, tanh

NUMBERS = (int, float)


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0
        self.label = label
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None

    def __add__(self, other):
        if isinstance(other, NUMBERS):
            return self + Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            for operand in [self, other]:
                operand.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        if isinstance(other, NUMBERS):
            return self * Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad, other_share = self.grad + other.data * out.grad, self.data * out.grad
            other.grad += other_share

        out._backward = _backward
        return out

    def __pow__(self, k):
        if not isinstance(k, NUMBERS):
            raise TypeError(f"{type(k)} as an exponent")
        out = Value(self.data**k, (self,), f"**{k!r}")

        def _backward():
            self.grad += out.grad * k * pow(self.data, k - 1)

        out._backward = _backward
        return out

    def __neg__(self):
        return Value(-1) * self

    def __sub__(self, other):
        if isinstance(other, NUMBERS):
            return self + Value(-other)
        return self + -other

    def __truediv__(self, other):
        if isinstance(other, NUMBERS):
            return self * Value(1 / other)
        return self * other**-1

    def __radd__(self, number):
        return Value(number) + self

    def __rsub__(self, number):
        return Value(number) + -self

    def __rmul__(self, number):
        return Value(number) * self

    def __rtruediv__(self, number):
        return Value(number) * self**-1

    def relu(self):
        out = Value(abs(self.data) / 2 + self.data / 2, (self,), "ReLU")

        def _backward():
            if out.data != 0:
                self.grad += out.grad

        out._backward = _backward
        return out

    def exp(self):
        out = Value(exp(self.data), (self,), "exp")

        def _backward():
            self.grad += out.grad * out.data

        out._backward = _backward
        return out

    def tanh(self):
        out = Value(tanh(self.data), (self,), "tanh")

        def _backward():
            self.grad += out.grad - out.grad * out.data**2

        out._backward = _backward
        return out

    def backward(self):
        places = {}

        def place(node):
            """One more than the highest place among the parents."""
            if node not in places:
                places[node] = 1 + max((place(parent) for parent in node._prev), default=0)
            return places[node]

        place(self)
        self.grad = 1
        for node in sorted(places, key=places.get, reverse=True):
            node._backward()


def my_tanh(x):
    power = (2 * x).exp()
    return (power - 1) / (power + 1)


def slope(f, args, i, h=1e-4):
    below = [x - h / 2 if j == i else x for j, x in enumerate(args)]
    above = [x + h / 2 if j == i else x for j, x in enumerate(args)]
    return (f(*above) - f(*below)) / h


def print_graph(value):
    opened = set()
    waiting = [(0, value)]
    while waiting:
        depth, node = waiting.pop()
        print(f"{'':>{2 * depth}}Value(data={node.data:.4f}) op={node._op or 'leaf'}")
        if node not in opened:
            opened.add(node)
            waiting += [(depth + 1, parent) for parent in node._prev]


def count_nodes(value):
    nodes, _ = trace(value)
    return len(nodes)


def trace(root):
    nodes, edges, fresh = set(), set(), {root}
    while fresh:
        node = fresh.pop()
        nodes.add(node)
        edges |= {(parent, node) for parent in node._prev}
        fresh |= node._prev - nodes
    return nodes, edges


def draw_dot(root, format="svg", rankdir="LR"):
    import graphviz

    if rankdir not in {"LR", "TB"}:
        raise ValueError("rankdir")
    dot = graphviz.Digraph(format=format, graph_attr={"rankdir": rankdir})
    nodes, edges = trace(root)
    for node in nodes:
        dot.node(repr(id(node)), label=f"{{ {node.label} | data {node.data:.4f} | grad {node.grad:.4f} }}", shape="record")
        if node._op:
            dot.node(repr(id(node)) + " made by", label=node._op)
            dot.edge(repr(id(node)) + " made by", repr(id(node)))
    for operand, result in edges:
        dot.edge(repr(id(operand)), repr(id(result)) + " made by")
    return dot
