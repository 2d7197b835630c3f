"""Двигатель на русских именах: класс и методы называются как в уроке, всё остальное — по-русски."""

import math


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0
        self.label = label
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None

    def __repr__(self):
        return f"Значение({self.data}, градиент {self.grad})"

    def __add__(self, второй):
        второй = завернуть(второй)
        итог = Value(self.data + второй.data, (self, второй), "+")

        def раздать():
            self.grad += итог.grad
            второй.grad += итог.grad

        итог._backward = раздать
        return итог

    def __mul__(self, второй):
        второй = завернуть(второй)
        итог = Value(self.data * второй.data, (self, второй), "*")

        def раздать():
            self.grad += второй.data * итог.grad
            второй.grad += self.data * итог.grad

        итог._backward = раздать
        return итог

    def __pow__(self, степень):
        if isinstance(степень, Value):
            raise TypeError("показатель степени — обычное число")
        итог = Value(self.data**степень, (self,), f"**{степень}")

        def раздать():
            self.grad += степень * self.data ** (степень - 1) * итог.grad

        итог._backward = раздать
        return итог

    def relu(self):
        итог = Value(self.data if self.data > 0 else 0, (self,), "ReLU")

        def раздать():
            self.grad += итог.grad if итог.data > 0 else 0

        итог._backward = раздать
        return итог

    def exp(self):
        итог = Value(math.exp(self.data), (self,), "exp")

        def раздать():
            self.grad += итог.data * итог.grad

        итог._backward = раздать
        return итог

    def tanh(self):
        итог = Value(math.tanh(self.data), (self,), "tanh")

        def раздать():
            self.grad += (1 - итог.data**2) * итог.grad

        итог._backward = раздать
        return итог

    def __neg__(self):
        return self * -1

    def __sub__(self, второй):
        return self + (-второй)

    def __truediv__(self, второй):
        return self * второй**-1

    def __radd__(self, число):
        return self + число

    def __rsub__(self, число):
        return -self + число

    def __rmul__(self, число):
        return self * число

    def __rtruediv__(self, число):
        return self**-1 * число

    def backward(self):
        порядок, пройдены = [], set()

        def пройти(узел):
            if узел in пройдены:
                return
            пройдены.add(узел)
            for родитель in узел._prev:
                пройти(родитель)
            порядок.append(узел)

        пройти(self)
        self.grad = 1
        for узел in reversed(порядок):
            узел._backward()


def завернуть(x):
    return x if isinstance(x, Value) else Value(x)


def my_tanh(x):
    е = (x * 2).exp()  # кириллическая «е»
    return (е - 1) / (е + 1)


def slope(f, args, i, h=1e-4):
    сдвиг = list(args)
    сдвиг[i] += h
    return (f(*сдвиг) - f(*args)) / h


def print_graph(value):
    напечатаны = set()

    def печать(узел, уровень):
        print("  " * уровень + f"Value(data={узел.data:.2f}) op={узел._op or 'leaf'}")
        if узел not in напечатаны:
            напечатаны.add(узел)
            for родитель in узел._prev:
                печать(родитель, уровень + 1)

    печать(value, 0)


def count_nodes(value):
    узлы, _ = trace(value)
    return len(узлы)


def trace(root):
    узлы, рёбра = set(), set()

    def собрать(узел):
        if узел not in узлы:
            узлы.add(узел)
            for родитель in узел._prev:
                рёбра.add((родитель, узел))
                собрать(родитель)

    собрать(root)
    return узлы, рёбра


def draw_dot(root, format="svg", rankdir="LR"):
    from graphviz import Digraph

    if rankdir not in ("LR", "TB"):
        raise ValueError("направление: LR или TB")
    рисунок = Digraph(format=format, graph_attr={"rankdir": rankdir})
    узлы, рёбра = trace(root)
    for узел in узлы:
        имя = f"узел{id(узел)}"
        рисунок.node(имя, label=f"{{ {узел.label} | data {узел.data:.4f} | grad {узел.grad:.4f} }}", shape="record")
        if узел._op:
            рисунок.node(имя + узел._op, label=узел._op)
            рисунок.edge(имя + узел._op, имя)
    for родитель, узел in рёбра:
        рисунок.edge(f"узел{id(родитель)}", f"узел{id(узел)}{узел._op}")
    return рисунок
