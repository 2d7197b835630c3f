"""Numbers are a subclass of float that rounds itself when printed."""

import math


class Number(float):
    def __repr__(self):
        return f"{float(self):.6g}"

    __str__ = __repr__


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data = Number(data)
        self.grad = Number(0)
        self.label = label
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None

    def gets(self, share):
        self.grad = Number(self.grad + share)

    def __repr__(self):
        return f"Value({self.data}; {self.grad})"

    def __add__(self, other):
        other = self.wrap(other)
        out = Value(self.data + other.data, (self, other), "+")
        out._backward = lambda: (self.gets(out.grad), other.gets(out.grad))
        return out

    def __mul__(self, other):
        other = self.wrap(other)
        out = Value(self.data * other.data, (self, other), "*")
        out._backward = lambda: (self.gets(other.data * out.grad), other.gets(self.data * out.grad))
        return out

    def __pow__(self, k):
        if isinstance(k, Value):
            raise TypeError("** Value")
        out = Value(self.data**k, (self,), f"**{k}")
        out._backward = lambda: self.gets(k * self.data ** (k - 1) * out.grad)
        return out

    def relu(self):
        out = Value(max(self.data, 0.0), (self,), "ReLU")
        out._backward = lambda: self.gets(out.grad if out.data > 0 else 0)
        return out

    def exp(self):
        out = Value(math.exp(self.data), (self,), "exp")
        out._backward = lambda: self.gets(out.data * out.grad)
        return out

    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")
        out._backward = lambda: self.gets((1 - out.data**2) * out.grad)
        return out

    @staticmethod
    def wrap(x):
        return x if isinstance(x, Value) else Value(x)

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)

    def __truediv__(self, other):
        return self * other**-1

    def __radd__(self, other):
        return self + other

    def __rsub__(self, other):
        return -self + other

    def __rmul__(self, other):
        return self * other

    def __rtruediv__(self, other):
        return self**-1 * other

    def backward(self):
        order = []
        ready = set()
        stack = [self]
        while stack:
            node = stack[-1]
            missing = [parent for parent in node._prev if parent not in ready]
            if missing:
                stack.append(missing[0])
                continue
            stack.pop()
            if node not in ready:
                ready.add(node)
                order.append(node)
        self.grad = Number(1)
        for node in reversed(order):
            node._backward()


def my_tanh(x):
    e = (x + x).exp()
    return (e - 1.0) / (e + 1.0)


def slope(f, args, i, h=1e-4):
    return (f(*args[:i], Number(args[i] + h), *args[i + 1 :]) - f(*args)) / h


def print_graph(value):
    def rows(node, depth, seen):
        rows_here = [(depth, node)]
        if node not in seen:
            seen.add(node)
            for parent in node._prev:
                rows_here += rows(parent, depth + 1, seen)
        return rows_here

    for depth, node in rows(value, 0, set()):
        print("  " * depth + "Value(data={:.2f}) op={}".format(node.data, node._op or "leaf"))


def count_nodes(value):
    nodes, layer = set(), {value}
    while layer:
        nodes |= layer
        layer = {parent for node in layer for parent in node._prev} - nodes
    return len(nodes)


def trace(root):
    nodes, edges = set(), set()
    stack = [root]
    while stack:
        node = stack.pop()
        if node not in nodes:
            nodes.add(node)
            stack += node._prev
            edges |= {(parent, node) for parent in node._prev}
    return nodes, edges


def draw_dot(root, format="svg", rankdir="LR"):
    from graphviz import Digraph

    if rankdir not in ("LR", "TB"):
        raise ValueError(rankdir)
    dot = Digraph(format=format, graph_attr={"rankdir": rankdir})
    nodes, edges = trace(root)
    for n in nodes:
        dot.node(str(id(n)), label=f"{{ {n.label} | data {n.data:.4f} | grad {n.grad:.4f} }}", shape="record")
        if n._op:
            dot.node(str(id(n)) + n._op, label=n._op)
            dot.edge(str(id(n)) + n._op, str(id(n)))
    for p, n in edges:
        dot.edge(str(id(p)), str(id(n)) + n._op)
    return dot
