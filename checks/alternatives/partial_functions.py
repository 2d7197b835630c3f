"""The rules of the derivatives are plain functions; functools.partial ties them to their nodes."""

import math
from functools import partial, partialmethod, reduce


def add_rule(a, b, out):
    a.grad += out.grad
    b.grad += out.grad


def mul_rule(a, b, out):
    a.grad += b.data * out.grad
    b.grad += a.data * out.grad


def pow_rule(a, k, out):
    a.grad += k * a.data ** (k - 1) * out.grad


def relu_rule(a, out):
    a.grad += out.grad * (out.data > 0)


def exp_rule(a, out):
    a.grad += out.data * out.grad


def tanh_rule(a, out):
    a.grad += (1 - math.pow(out.data, 2)) * out.grad


def leaf_rule():
    return


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0
        self.label = label
        self._prev = set(_children)
        self._op = _op
        self._backward = leaf_rule

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")
        out._backward = partial(add_rule, self, other, out)
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")
        out._backward = partial(mul_rule, self, other, out)
        return out

    def __pow__(self, k):
        if not isinstance(k, (int, float)):
            raise TypeError(k)
        out = Value(math.pow(self.data, k), (self,), f"**{k}")
        out._backward = partial(pow_rule, self, k, out)
        return out

    def unary(self, name, function, rule):
        out = Value(function(self.data), (self,), name)
        out._backward = partial(rule, self, out)
        return out

    relu = partialmethod(unary, "ReLU", partial(max, 0), relu_rule)
    exp = partialmethod(unary, "exp", math.exp, exp_rule)
    tanh = partialmethod(unary, "tanh", math.tanh, tanh_rule)

    def reflected(self, other, method):
        return getattr(Value(other), method)(self)

    __neg__ = partialmethod(__mul__, -1)
    __radd__ = partialmethod(reflected, method="__add__")
    __rmul__ = partialmethod(reflected, method="__mul__")
    __rsub__ = partialmethod(reflected, method="__sub__")
    __rtruediv__ = partialmethod(reflected, method="__truediv__")

    def __sub__(self, other):
        return self + -other

    def __truediv__(self, other):
        return self * other**-1

    def backward(self):
        self.grad = 1
        for node in reversed(reachable(self)):
            node._backward()


def reachable(node, found=None):
    """A list, parents first, that is handed down and filled."""
    found = [] if found is None else found
    if node not in found:
        for parent in node._prev:
            reachable(parent, found)
        found.append(node)
    return found


def my_tanh(x):
    e = x.__mul__(2).exp()
    return e.__sub__(1).__truediv__(e.__add__(1))


def slope(f, args, i, h=1e-4):
    g = partial(f, *args[:i])
    return (g(args[i] + h, *args[i + 1 :]) - g(*args[i:])) / h


def print_graph(value):
    def show(seen, item):
        depth, node = item
        print("  " * depth + f"Value(data={node.data:.2f}) op={node._op or 'leaf'}")
        if node in seen:
            return seen
        return reduce(show, ((depth + 1, parent) for parent in node._prev), seen | {node})

    show(set(), (0, value))


def count_nodes(value):
    return len(reachable(value))


def trace(root):
    nodes = reachable(root)
    return set(nodes), {(p, n) for n in nodes for p in n._prev}


def draw_dot(root, format="svg", rankdir="LR"):
    import graphviz

    if rankdir not in ("LR", "TB"):
        raise ValueError("only LR and TB")
    dot = graphviz.Digraph(format=format, graph_attr={"rankdir": rankdir})
    record = partial(dot.node, shape="record")
    nodes, edges = trace(root)
    for n in nodes:
        record(str(id(n)), label=f"{{ {n.label} | data {n.data:.4f} | grad {n.grad:.4f} }}")
        if n._op:
            dot.node(f"{id(n)}{n._op}", label=n._op)
            dot.edge(f"{id(n)}{n._op}", str(id(n)))
    for a, b in edges:
        dot.edge(str(id(a)), f"{id(b)}{b._op}")
    return dot
