"""The order of backward() comes from a recursive generator."""
import math


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None
        self.label = label

    def _new(self, data, op, *others):
        return Value(data, (self, *others), op)

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = self._new(self.data + other.data, "+", other)

        def _backward():
            self.grad = self.grad + out.grad
            other.grad = other.grad + out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = self._new(self.data * other.data, "*", other)

        def _backward():
            self.grad = self.grad + other.data * out.grad
            other.grad = other.grad + self.data * out.grad

        out._backward = _backward
        return out

    def __pow__(self, k):
        if type(k) not in (int, float):
            raise TypeError("exponent")
        out = self._new(self.data**k, f"**{k}")

        def _backward():
            self.grad = self.grad + k * self.data ** (k - 1) * out.grad

        out._backward = _backward
        return out

    def relu(self):
        out = self._new(self.data * (self.data > 0), "ReLU")

        def _backward():
            self.grad = self.grad + (self.data > 0) * out.grad

        out._backward = _backward
        return out

    def exp(self):
        out = self._new(math.exp(self.data), "exp")

        def _backward():
            self.grad = self.grad + out.grad * math.exp(self.data)

        out._backward = _backward
        return out

    def tanh(self):
        out = self._new(math.tanh(self.data), "tanh")

        def _backward():
            self.grad = self.grad + (1 + out.data) * (1 - out.data) * out.grad

        out._backward = _backward
        return out

    def ordered(self, met=None):
        """Parents first, self last."""
        met = met if met is not None else set()
        met.add(self)
        for parent in self._prev:
            if parent not in met:
                yield from parent.ordered(met)
        yield self

    def backward(self):
        nodes = list(self.ordered())
        self.grad = 1
        for node in nodes[::-1]:
            node._backward()

    def __neg__(self):
        return self * (-1)

    def __sub__(self, other):
        return self + (-other)

    def __truediv__(self, other):
        return self * other**-1

    def __radd__(self, other):
        return Value(other) + self

    def __rsub__(self, other):
        return Value(other) - self

    def __rmul__(self, other):
        return Value(other) * self

    def __rtruediv__(self, other):
        return Value(other) / self
