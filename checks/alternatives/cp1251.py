# -*- coding: cp1251 -*-
"""Файл в кодировке Windows-1251: так сохраняют старые редакторы."""

import math


class Value:
    """Число, которое помнит, как его получили."""

    def __init__(self, data, _children=(), _op='', label=''):
        self.data = data        # само число
        self.grad = 0           # производная выхода по нему
        self.label = label      # имя для рисунка
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None

    # --- операции ---

    def __add__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        res = Value(self.data + other.data, (self, other), '+')

        def back():
            self.grad += res.grad
            other.grad += res.grad

        res._backward = back
        return res

    def __mul__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        res = Value(self.data * other.data, (self, other), '*')

        def back():
            self.grad += other.data * res.grad
            other.grad += self.data * res.grad

        res._backward = back
        return res

    def __pow__(self, k):
        if isinstance(k, Value):
            raise ValueError('степень должна быть числом')
        return self._unary(self.data ** k, '**%r' % k, lambda res: k * self.data ** (k - 1))

    def relu(self):
        return self._unary(self.data if self.data > 0 else 0, 'ReLU', lambda res: 1 if res.data > 0 else 0)

    def exp(self):
        return self._unary(math.exp(self.data), 'exp', lambda res: res.data)

    def tanh(self):
        return self._unary(math.tanh(self.data), 'tanh', lambda res: 1 - res.data ** 2)

    def _unary(self, data, op, derivative):
        res = Value(data, (self,), op)

        def back():
            self.grad += derivative(res) * res.grad

        res._backward = back
        return res

    # --- всё, что выражается через них ---

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)

    def __truediv__(self, other):
        return self * other ** -1

    def __radd__(self, other):
        return self + other

    def __rsub__(self, other):
        return -(self - other)

    def __rmul__(self, other):
        return self * other

    def __rtruediv__(self, other):
        return self ** -1 * other

    def backward(self):
        # сначала считаем, сколько раз каждый узел использован
        uses = {self: 0}
        queue = [self]
        for node in queue:
            for p in node._prev:
                if p not in uses:
                    uses[p] = 0
                    queue.append(p)
                uses[p] += 1
        # узел готов, когда отработали все, кто его использует
        self.grad = 1
        ready = {self}
        while ready:
            node = ready.pop()
            node._backward()
            for p in node._prev:
                uses[p] -= 1
                if uses[p] == 0:
                    ready.add(p)


def my_tanh(x):
    """Формула: (e^2x - 1) / (e^2x + 1)."""
    e = (x * 2).exp()
    return (e - 1) / (e + 1)


def slope(f, args, i, h=1e-4):
    """Разностное отношение."""
    a = list(args)
    a[i] += h
    return (f(*a) - f(*args)) / h


def print_graph(value):
    """Печатает граф, два пробела на уровень."""
    seen = set()

    def show(node, level):
        print('  ' * level + 'Value(data=%.2f) op=%s' % (node.data, node._op or 'leaf'))
        if node not in seen:
            seen.add(node)
            for p in node._prev:
                show(p, level + 1)

    show(value, 0)


def count_nodes(value):
    """Сколько узлов, считая листья и сам value."""
    nodes, _ = trace(value)
    return len(nodes)


def trace(root):
    """Узлы и рёбра."""
    nodes, edges = set(), set()

    def visit(node):
        if node not in nodes:
            nodes.add(node)
            for p in node._prev:
                edges.add((p, node))
                visit(p)

    visit(root)
    return nodes, edges


def draw_dot(root, format='svg', rankdir='LR'):
    """Рисунок; rankdir: LR — слева направо, TB — сверху вниз."""
    from graphviz import Digraph

    if rankdir not in ('LR', 'TB'):
        raise ValueError('rankdir: LR или TB')
    dot = Digraph(comment='граф', format=format, graph_attr={'rankdir': rankdir})
    nodes, edges = trace(root)
    for n in nodes:
        dot.node(str(id(n)), label='{ %s | data %.4f | grad %.4f }' % (n.label, n.data, n.grad), shape='record')
        if n._op:
            dot.node(str(id(n)) + n._op, label=n._op)
            dot.edge(str(id(n)) + n._op, str(id(n)))
    for p, n in edges:
        dot.edge(str(id(p)), str(id(n)) + n._op)
    return dot
