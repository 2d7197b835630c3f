"""Every field is a property; the class carries more than was asked for."""

import itertools
import math

_serial = itertools.count()


class Value:
    def __init__(self, data, _children=(), _op="", label="", requires_grad=True, name=None):
        if not isinstance(data, (int, float)):
            raise TypeError("data must be a number")
        self.__data = data
        self.__grad = 0.0
        self.__parents = set(_children)
        self.__op = _op
        self.__label = label
        self.__hand_on = None
        self.requires_grad = requires_grad
        self.name = name or f"v{next(_serial)}"

    @property
    def data(self):
        return self.__data

    @data.setter
    def data(self, x):
        self.__data = x

    @property
    def grad(self):
        return self.__grad

    @grad.setter
    def grad(self, x):
        self.__grad = x

    @property
    def label(self):
        return self.__label

    @label.setter
    def label(self, text):
        self.__label = text

    @property
    def _prev(self):
        return self.__parents

    @property
    def _op(self):
        return self.__op

    @property
    def _backward(self):
        return self.__hand_on or (lambda: None)

    @_backward.setter
    def _backward(self, function):
        self.__hand_on = function

    @property
    def is_leaf(self):
        return not self.__parents

    def item(self):
        return self.__data

    def zero_grad(self):
        self.__grad = 0.0

    def detach(self):
        return Value(self.__data)

    def __float__(self):
        return float(self.__data)

    def __lt__(self, other):
        return self.data < getattr(other, "data", other)

    def __gt__(self, other):
        return self.data > getattr(other, "data", other)

    def __repr__(self):
        return f"{self.name}={self.__data!r}"

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __pow__(self, k, mod=None):
        if isinstance(k, Value) or mod is not None:
            raise TypeError("not supported")
        out = Value(self.data**k, (self,), f"**{k}")

        def _backward():
            self.grad += k * self.data ** (k - 1) * out.grad

        out._backward = _backward
        return out

    def relu(self):
        out = Value(self.data if self > 0 else 0, (self,), "ReLU")

        def _backward():
            self.grad += out.grad if out > 0 else 0

        out._backward = _backward
        return out

    def exp(self):
        out = Value(math.exp(self), (self,), "exp")

        def _backward():
            self.grad += out.data * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        out = Value(math.tanh(self), (self,), "tanh")

        def _backward():
            self.grad += (1 - out.data**2) * out.grad

        out._backward = _backward
        return out

    def sigmoid(self):
        return 1 / (1 + (-self).exp())

    def backward(self, seed=1.0, retain_graph=True):
        order, seen = [], set()

        def build(node):
            if node not in seen:
                seen.add(node)
                for parent in node._prev:
                    build(parent)
                order.insert(0, node)

        build(self)
        self.grad = seed
        for node in order:
            node._backward()

    def __neg__(self):
        return self * -1

    def __pos__(self):
        return self

    def __sub__(self, other):
        return self + (-other)

    def __truediv__(self, other):
        return self * other**-1

    def __radd__(self, other):
        return self + other

    def __rsub__(self, other):
        return (-self) + other

    def __rmul__(self, other):
        return self * other

    def __rtruediv__(self, other):
        return (self**-1) * other
