# Everything in one file; running or importing it also runs the demos below.
import math
import random
import sys

sys.setrecursionlimit(5000)
random.seed(42)


class Value:
    def __init__(self, data, _children=(), _op='', label=''):
        self.data = data
        self.grad = 0
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op
        self.label = label

    def __repr__(self):
        return f'Value({self.data}, {self.grad})'

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), '+')
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), '*')
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def __pow__(self, power):
        if isinstance(power, Value):
            raise Exception('not supported')
        out = Value(self.data ** power, (self, ), f'**{power}')
        def _backward():
            self.grad += power * (self.data ** (power - 1)) * out.grad
        out._backward = _backward
        return out

    def exp(self):
        x = self.data
        out = Value(math.exp(x), (self, ), 'exp')
        def _backward():
            self.grad += out.data * out.grad
        out._backward = _backward
        return out

    def tanh(self):
        x = self.data
        out = Value(math.tanh(x), (self, ), 'tanh')
        def _backward():
            self.grad += out.grad / math.cosh(x) ** 2
        out._backward = _backward
        return out

    def relu(self):
        out = Value(max(0, self.data), (self, ), 'ReLU')
        def _backward():
            self.grad += out.grad if self.data > 0 else 0
        out._backward = _backward
        return out

    def __neg__(self): return self * -1
    def __radd__(self, other): return self + other
    def __sub__(self, other): return self + (-other)
    def __rsub__(self, other): return other + (-self)
    def __rmul__(self, other): return self * other
    def __truediv__(self, other): return self * other ** -1
    def __rtruediv__(self, other): return other * self ** -1

    def backward(self):
        topo = []
        visited = set()
        def build_topo(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build_topo(child)
                topo.append(v)
        build_topo(self)
        self.grad = 1
        for node in reversed(topo):
            node._backward()


def my_tanh(x):
    return ((2 * x).exp() - 1) / ((2 * x).exp() + 1)


def slope(f, args, i, h=0.0001):
    d1 = f(*args)
    args = args[:]
    args[i] += h
    d2 = f(*args)
    return (d2 - d1) / h


def print_graph(value, _depth=0, _seen=None):
    _seen = set() if _seen is None else _seen
    print('  ' * _depth + f'Value(data={value.data:.2f}) op={value._op or "leaf"}')
    if id(value) in _seen: return
    _seen.add(id(value))
    for v in value._prev:
        print_graph(v, _depth + 1, _seen)


def count_nodes(value, _seen=None):
    _seen = set() if _seen is None else _seen
    _seen.add(value)
    for v in value._prev:
        if v not in _seen:
            count_nodes(v, _seen)
    return len(_seen)


def trace(root):
    nodes, edges = set(), set()
    def build(v):
        if v not in nodes:
            nodes.add(v)
            for child in v._prev:
                edges.add((child, v))
                build(child)
    build(root)
    return nodes, edges


def draw_dot(root, format='svg', rankdir='LR'):
    from graphviz import Digraph
    if rankdir not in ('LR', 'TB'): raise ValueError
    nodes, edges = trace(root)
    dot = Digraph(format=format, graph_attr={'rankdir': rankdir})
    for n in nodes:
        dot.node(name=str(id(n)), label='{ %s | data %.4f | grad %.4f }' % (n.label, n.data, n.grad), shape='record')
        if n._op:
            dot.node(name=str(id(n)) + n._op, label=n._op)
            dot.edge(str(id(n)) + n._op, str(id(n)))
    for n1, n2 in edges:
        dot.edge(str(id(n1)), str(id(n2)) + n2._op)
    return dot


# ---- a neuron
x1, x2 = Value(2.0, label='x1'), Value(0.0, label='x2')
w1, w2, b = Value(-3.0, label='w1'), Value(1.0, label='w2'), Value(7.0, label='b')
n = x1 * w1 + x2 * w2 + b
o = n.tanh()
o.backward()
print(o, 'dw1 =', w1.grad)
print_graph(o)

# ---- a few steps of gradient descent on one weight
w = Value(random.uniform(-1, 1))
for step in range(10):
    loss = sum((w * x - 3 * x) ** 2 for x in (1.0, 2.0))
    w.grad = 0
    loss.backward()
    w.data -= 0.05 * w.grad
    print(step, loss.data)
