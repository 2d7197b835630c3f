"""Numbers are numpy scalars; an array of Values would work too."""
import numpy as np


class Value:
    __array_priority__ = 1000

    def __init__(self, data, _children=(), _op='', label=''):
        self.data = np.float64(data)
        self.grad = np.float64(0)
        self.label = label
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None

    def __repr__(self):
        return f'Value(data={self.data}, grad={self.grad})'

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(np.add(self.data, other.data), (self, other), '+')

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(np.multiply(self.data, other.data), (self, other), '*')

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __pow__(self, k):
        if not np.isscalar(k):
            raise TypeError('exponent')
        out = Value(np.power(self.data, k), (self,), f'**{k}')

        def _backward():
            self.grad += k * np.power(self.data, k - 1) * out.grad

        out._backward = _backward
        return out

    def relu(self):
        out = Value(np.maximum(self.data, 0), (self,), 'ReLU')

        def _backward():
            self.grad += np.where(out.data > 0, out.grad, 0.0)

        out._backward = _backward
        return out

    def exp(self):
        out = Value(np.exp(self.data), (self,), 'exp')

        def _backward():
            self.grad += out.data * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        out = Value(np.tanh(self.data), (self,), 'tanh')

        def _backward():
            self.grad += (1 - np.square(out.data)) * out.grad

        out._backward = _backward
        return out

    def backward(self):
        topo, visited = [], set()

        def build(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build(child)
                topo.append(v)

        build(self)
        self.grad = np.float64(1)
        for v in reversed(topo):
            v._backward()

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)

    def __truediv__(self, other):
        return self * (other ** -1 if isinstance(other, Value) else 1 / np.float64(other))

    def __radd__(self, other):
        return self + other

    def __rsub__(self, other):
        return (-self) + other

    def __rmul__(self, other):
        return self * other

    def __rtruediv__(self, other):
        return self ** -1 * other
