"""Value inherits the graph from Node and its operators from Arithmetic."""

import math

from .node import Node


class Arithmetic:
    """Everything that follows from +, * and **."""

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)

    def __truediv__(self, other):
        return self * other**-1

    def __radd__(self, other):
        return self + other

    def __rsub__(self, other):
        return other + (-self)

    def __rmul__(self, other):
        return self * other

    def __rtruediv__(self, other):
        return other * (self**-1)


class Value(Arithmetic, Node):
    def __init__(self, data, _children=(), _op="", label=""):
        super().__init__(_children, _op)
        self.data = data
        self.grad = 0
        self.label = label

    def __str__(self):
        return f"{self.data}"

    def _result(self, data, op, *others):
        return type(self)(data, (self,) + others, op)

    def _operand(self, other):
        return other if isinstance(other, Value) else type(self)(other)

    def __add__(self, other):
        other = self._operand(other)
        out = self._result(self.data + other.data, "+", other)

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = self._operand(other)
        out = self._result(self.data * other.data, "*", other)

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __pow__(self, k):
        if isinstance(k, Node):
            raise TypeError("the exponent must be a number")
        out = self._result(self.data**k, f"**{k}")

        def _backward():
            self.grad += (k * self.data ** (k - 1)) * out.grad

        out._backward = _backward
        return out

    def relu(self):
        positive = self.data > 0
        out = self._result(self.data if positive else 0, "ReLU")

        def _backward():
            self.grad += positive * out.grad

        out._backward = _backward
        return out

    def exp(self):
        out = self._result(math.exp(self.data), "exp")

        def _backward():
            self.grad += out.data * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        out = self._result(math.tanh(self.data), "tanh")

        def _backward():
            self.grad += (1 - out.data * out.data) * out.grad

        out._backward = _backward
        return out

    def backward(self):
        nodes = self.ancestors()
        self.grad = 1
        nodes.reverse()
        for node in nodes:
            node._backward()
