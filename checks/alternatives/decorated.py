"""One decorator wraps operands, builds the node and ties the derivative: an operation is two lines."""

import functools
import math


def operation(label):
    """`f(a, …)` gives the number and a function of the local derivatives."""

    def decorate(f):
        @functools.wraps(f)
        def method(*operands):
            operands = [x if isinstance(x, Value) else Value(x) for x in operands]
            data, derivatives = f(*(x.data for x in operands))
            out = Value(data, operands, label)

            def _backward():
                for operand, derivative in zip(operands, derivatives(data)):
                    operand.grad += derivative * out.grad

            out._backward = _backward
            return out

        return method

    return decorate


def swapped(method):
    @functools.wraps(method)
    def reflected(self, other):
        return method(Value(other), self)

    return reflected


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data, self.grad = data, 0.0
        self.label, self._op = label, _op
        self._prev = {*_children}
        self._backward = lambda *_: None

    def __repr__(self):
        return f"Value(data={self.data!r})"

    @operation("+")
    def __add__(a, b):
        return a + b, lambda _: (1, 1)

    @operation("*")
    def __mul__(a, b):
        return a * b, lambda _: (b, a)

    def __pow__(self, k):
        if isinstance(k, Value):
            raise TypeError("pow")
        return operation(f"**{k}")(lambda a: (a**k, lambda _: (k * a ** (k - 1),)))(self)

    @operation("ReLU")
    def relu(a):
        return max(0, a), lambda r: (float(r > 0),)

    @operation("exp")
    def exp(a):
        return math.exp(a), lambda e: (e,)

    @operation("tanh")
    def tanh(a):
        return math.tanh(a), lambda t: (1 - t * t,)

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)

    def __truediv__(self, other):
        return self * other**-1

    __radd__, __rsub__, __rmul__, __rtruediv__ = map(swapped, (__add__, __sub__, __mul__, __truediv__))

    def backward(self, seed=1.0):
        self.grad = seed
        for node in order(self):
            node._backward()


@functools.lru_cache(maxsize=1)
def order(root):
    """Results first. The last order is remembered; nodes never change their parents."""
    found = {}

    def visit(node):
        for parent in node._prev:
            if parent not in found:
                visit(parent)
        found[node] = len(found)

    visit(root)
    return sorted(found, key=found.get, reverse=True)


def my_tanh(x):
    e = (x * 2).exp()
    return (e - 1) / (e + 1)


def slope(f, args, i, h=1e-4):
    @functools.cache
    def at(t):
        return f(*[x + t * (j == i) for j, x in enumerate(args)])

    return (at(h) - at(0.0)) / h


def print_graph(value, printed=None, indent=0):
    printed = printed or set()
    print(" " * indent + f"Value(data={value.data:.2f}) op={value._op or 'leaf'}")
    if value not in printed:
        printed.add(value)
        for parent in value._prev:
            print_graph(parent, printed, indent + 2)


def count_nodes(value):
    return len(order(value))


def trace(root):
    nodes = frozenset(order(root))
    return nodes, frozenset((p, n) for n in nodes for p in n._prev)


def draw_dot(root, format="svg", rankdir="LR"):
    import graphviz

    if rankdir not in "LR TB".split():
        raise ValueError(f"{rankdir} is not a direction")
    dot = graphviz.Digraph(format=format, graph_attr={"rankdir": rankdir})
    names = {node: f"node{i}" for i, node in enumerate(order(root))}
    for node, name in names.items():
        dot.node(name, label="{{ {} | data {:.4f} | grad {:.4f} }}".format(node.label, node.data, node.grad), shape="record")
    for node, name in names.items():
        if node._op:
            dot.node(name + "op", label=node._op)
            dot.edge(name + "op", name)
            for parent in node._prev:
                dot.edge(names[parent], name + "op")
    return dot
