"""The walk leaves its mark on the nodes themselves; every walk has a number of its own."""

import math


class Value:
    walks = 0

    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0
        self.label = label
        self._prev = set(_children)
        self._op = _op
        self._backward = self._stay
        self.mark = 0

    def _stay(self):
        pass

    def __add__(self, other):
        other = other if type(other) is Value else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward(out=out, left=self, right=other):
            left.grad += out.grad
            right.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if type(other) is Value else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward(out=out, left=self, right=other):
            left.grad += right.data * out.grad
            right.grad += left.data * out.grad

        out._backward = _backward
        return out

    def __pow__(self, k):
        if type(k) is Value:
            raise Unsupported("Value ** Value")
        out = Value(self.data**k, (self,), f"**{k}")

        def _backward(out=out, base=self):
            base.grad += k * base.data ** (k - 1) * out.grad

        out._backward = _backward
        return out

    def relu(self):
        out = Value(self.data if self.data > 0 else 0, (self,), "ReLU")

        def _backward(out=out, x=self):
            x.grad += out.grad * (0 if out.data <= 0 else 1)

        out._backward = _backward
        return out

    def exp(self):
        out = Value(math.exp(self.data), (self,), "exp")

        def _backward(out=out, x=self):
            x.grad += out.data * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        a, b = math.exp(self.data), math.exp(-self.data)
        out = Value((a - b) / (a + b), (self,), "tanh")

        def _backward(out=out, x=self):
            x.grad += (1 - out.data**2) * out.grad

        out._backward = _backward
        return out

    def mark_all(self, order):
        """Append every node not yet marked in this walk, parents first."""
        if self.mark == Value.walks:
            return order
        self.mark = Value.walks
        for parent in self._prev:
            parent.mark_all(order)
        order.append(self)
        return order

    def walk(self):
        Value.walks += 1
        return self.mark_all([])

    def backward(self):
        order = self.walk()
        self.grad = 1
        for i in range(len(order) - 1, -1, -1):
            order[i]._backward()

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)

    def __truediv__(self, other):
        return self * other**-1

    def __radd__(self, other):
        return self + other

    def __rsub__(self, other):
        return -(self - other)

    def __rmul__(self, other):
        return self * other

    def __rtruediv__(self, other):
        return other * self**-1


class Unsupported(TypeError):
    """Powers with a Value above are not supported."""


def my_tanh(x):
    e = (x * 2).exp()
    return (e - 1) / (e + 1)


def slope(f, args, i, h=1e-4):
    args_plus_h = list(args)
    args_plus_h[i] = args_plus_h[i] + h
    rise = f(*args_plus_h) - f(*args)
    run = h
    return rise / run


def print_graph(value):
    seen = set()

    def show(node, spaces):
        print(spaces, "Value(data=", f"{node.data:.2f}", ") op=", node._op or "leaf", sep="")
        if node not in seen:
            seen.add(node)
            for parent in node._prev:
                show(parent, spaces + "  ")

    show(value, "")


def count_nodes(value):
    return len(value.walk())


def trace(root):
    nodes = root.walk()
    return set(nodes), {(parent, node) for node in nodes for parent in node._prev}


def draw_dot(root, format="svg", rankdir="LR"):
    from graphviz import Digraph

    assert rankdir == "LR" or rankdir == "TB"
    dot = Digraph(format=format, graph_attr={"rankdir": rankdir})
    nodes = root.walk()
    for i, node in enumerate(nodes):
        dot.node(str(i), label=f"{{{node.label}|data {node.data:.4f}|grad {node.grad:.4f}}}", shape="record")
        if node._op:
            dot.node(f"{i}{node._op}", label=node._op)
            dot.edge(f"{i}{node._op}", str(i))
            for parent in node._prev:
                dot.edge(str(nodes.index(parent)), f"{i}{node._op}")
    return dot
