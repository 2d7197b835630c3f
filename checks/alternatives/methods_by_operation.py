"""`_backward` is an ordinary method: it looks at the operation and asks the operands in order."""

import math


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0
        self.label = label
        self._prev = set(_children)
        self._op = _op
        self.operands = tuple(_children)
        self.k = None

    def __repr__(self):
        return "V({})".format(self.data)

    def _backward(self):
        g = self.grad
        if self._op == "+":
            for x in self.operands:
                x.grad += g
        elif self._op == "*":
            x, y = self.operands
            x.grad += g * y.data
            y.grad += g * x.data
        elif self._op.startswith("**"):
            (x,) = self.operands
            x.grad += g * self.k * x.data ** (self.k - 1)
        elif self._op == "ReLU":
            (x,) = self.operands
            x.grad += g if self.data > 0 else 0
        elif self._op == "exp":
            (x,) = self.operands
            x.grad += g * self.data
        elif self._op == "tanh":
            (x,) = self.operands
            x.grad += g * (1 - self.data * self.data)

    def __add__(self, y):
        y = y if isinstance(y, Value) else Value(y)
        return Value(self.data + y.data, (self, y), "+")

    def __mul__(self, y):
        y = y if isinstance(y, Value) else Value(y)
        return Value(self.data * y.data, (self, y), "*")

    def __pow__(self, k):
        if isinstance(k, Value):
            raise TypeError("k has to be a number")
        z = Value(self.data**k, (self,), "**%s" % k)
        z.k = k
        return z

    def relu(self):
        return Value(self.data if self.data > 0 else 0, (self,), "ReLU")

    def exp(self):
        return Value(math.exp(self.data), (self,), "exp")

    def tanh(self):
        return Value(math.tanh(self.data), (self,), "tanh")

    def __neg__(self):
        return self * -1

    def __sub__(self, y):
        return self + (-y)

    def __truediv__(self, y):
        return self * y**-1

    def __radd__(self, y):
        return self + y

    def __rsub__(self, y):
        return -self + y

    def __rmul__(self, y):
        return self * y

    def __rtruediv__(self, y):
        return self**-1 * y

    def backward(self):
        nodes, _ = trace(self)
        missing = {n: 0 for n in nodes}
        for n in nodes:
            for p in n._prev:
                missing[p] += 1
        self.grad = 1
        turn = [self]
        for n in turn:
            n._backward()
            for p in n._prev:
                missing[p] -= 1
                if not missing[p]:
                    turn.append(p)


def my_tanh(x):
    e2x = (x * 2).exp()
    return (e2x - 1) / (e2x + 1)


def slope(f, args, i, h=1e-4):
    old = f(*args)
    x = args[i]
    args[i] = x + h
    new = f(*args)
    args[i] = x
    return (new - old) / h


def print_graph(v, depth=0, seen=None):
    if seen is None:
        seen = []
    print(depth * "  " + "Value(data=" + "%.2f" % v.data + ") op=" + (v._op or "leaf"))
    if v in seen:
        return
    seen.append(v)
    for p in v._prev:
        print_graph(p, depth + 1, seen)


def count_nodes(v):
    return len(trace(v)[0])


def trace(root):
    nodes = set()
    edges = set()
    todo = [root]
    while len(todo) > 0:
        n = todo.pop(0)
        if n in nodes:
            continue
        nodes.add(n)
        for p in n._prev:
            edges.add((p, n))
            todo.append(p)
    return nodes, edges


def draw_dot(root, format="svg", rankdir="LR"):
    from graphviz import Digraph

    if rankdir not in ["LR", "TB"]:
        raise ValueError("rankdir: LR or TB")
    dot = Digraph(format=format, graph_attr={"rankdir": rankdir})
    nodes, edges = trace(root)
    for n in nodes:
        dot.node(name=str(id(n)), label="{ %s | data %.4f | grad %.4f }" % (n.label, n.data, n.grad), shape="record")
        if n._op:
            dot.node(name=str(id(n)) + n._op, label=n._op)
            dot.edge(str(id(n)) + n._op, str(id(n)))
    for p, n in edges:
        dot.edge(str(id(p)), str(id(n)) + n._op)
    return dot
