"""The class holds fields only; its operators are functions of the module, attached at the end."""

import math
import operator


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        vars(self).update(data=data, grad=0, label=label, _prev=set(_children), _op=_op, _backward=lambda: None)


def node(data, parents, op, *derivatives):
    out = Value(data, parents, op)
    out._backward = lambda: [give(p, d() * out.grad) for p, d in zip(parents, derivatives)]
    return out


def give(parent, share):
    parent.grad += share


def wrap(x):
    return x if isinstance(x, Value) else Value(x)


def add(a, b):
    b = wrap(b)
    return node(operator.add(a.data, b.data), (a, b), "+", lambda: 1, lambda: 1)


def mul(a, b):
    b = wrap(b)
    return node(operator.mul(a.data, b.data), (a, b), "*", lambda: b.data, lambda: a.data)


def power(a, k):
    if isinstance(k, Value):
        raise TypeError
    return node(operator.pow(a.data, k), (a,), f"**{k}", lambda: k * operator.pow(a.data, k - 1))


def relu(a):
    return node(a.data if a.data > 0 else 0, (a,), "ReLU", lambda: a.data > 0)


def exp(a):
    return node(e := math.exp(a.data), (a,), "exp", lambda: e)


def tanh(a):
    return node(t := math.tanh(a.data), (a,), "tanh", lambda: 1 - t**2)


def neg(a):
    return mul(a, -1)


def sub(a, b):
    return add(a, neg(wrap(b)))


def div(a, b):
    return mul(a, power(wrap(b), -1))


def backward(root):
    order, todo = [], [(root, iter(root._prev))]
    seen = {root}
    while todo:
        current, rest = todo[-1]
        parent = next(rest, None)
        if parent is None:
            order.append(current)
            todo.pop()
        elif parent not in seen:
            seen.add(parent)
            todo.append((parent, iter(parent._prev)))
    root.grad = 1
    for current in order[::-1]:
        current._backward()


OPERATORS = {
    "__add__": add, "__radd__": lambda a, b: add(a, b),
    "__mul__": mul, "__rmul__": lambda a, b: mul(a, b),
    "__sub__": sub, "__rsub__": lambda a, b: sub(wrap(b), a),
    "__truediv__": div, "__rtruediv__": lambda a, b: div(wrap(b), a),
    "__pow__": power, "__neg__": neg,
    "relu": relu, "exp": exp, "tanh": tanh, "backward": backward,
}

for name, function in OPERATORS.items():
    setattr(Value, name, function)


my_tanh = lambda x: ((2 * x).exp() - 1) / ((2 * x).exp() + 1)
slope = lambda f, args, i, h=1e-4: (f(*args[:i], args[i] + h, *args[i + 1:]) - f(*args)) / h
count_nodes = lambda value: len(trace(value)[0])


def trace(root):
    nodes = set()
    edges = set()

    def build(n):
        if n in nodes:
            return
        nodes.add(n)
        for p in n._prev:
            edges.add((p, n))
            build(p)

    build(root)
    return nodes, edges


def print_graph(value):
    lines, seen = [], set()

    def build(n, level):
        lines.append(f"{'  ' * level}Value(data={n.data:.2f}) op={n._op or 'leaf'}")
        if n not in seen:
            seen.add(n)
            for p in n._prev:
                build(p, level + 1)

    build(value, 0)
    for line in lines:
        print(line)


def draw_dot(root, format="svg", rankdir="LR"):
    from graphviz import Digraph

    {"LR": 1, "TB": 1}[rankdir]
    dot = Digraph(format=format, graph_attr={"rankdir": rankdir})
    nodes, edges = trace(root)
    for n in nodes:
        dot.node(hex(id(n)), f"{{ {n.label} | data {n.data:.4f} | grad {n.grad:.4f} }}", {"shape": "record"})
        if n._op:
            dot.node(hex(id(n)) + n._op, n._op)
            dot.edge(hex(id(n)) + n._op, hex(id(n)))
    for p, n in edges:
        dot.edge(hex(id(p)), hex(id(n)) + n._op)
    return dot
