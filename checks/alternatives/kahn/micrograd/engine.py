"""backward() by Kahn's algorithm: a node is ready when all its users have had their turn."""

from collections import Counter, deque
from math import exp, tanh


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data, self.grad, self.label = data, 0, label
        self._prev, self._op = set(_children), _op
        self._backward = None

    def __repr__(self):
        return f"<{self.label or self._op or 'leaf'}: {self.data:g}, grad {self.grad:g}>"

    def __add__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def hand_on():
            for operand in (self, other):
                operand.grad += out.grad

        out._backward = hand_on
        return out

    __radd__ = __add__

    def __mul__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def hand_on():
            for operand, factor in ((self, other), (other, self)):
                operand.grad += factor.data * out.grad

        out._backward = hand_on
        return out

    __rmul__ = __mul__

    def __pow__(self, k):
        if isinstance(k, Value):
            return NotImplemented
        out = Value(self.data**k, (self,), "**" + str(k))

        def hand_on():
            self.grad += k * self.data ** (k - 1) * out.grad

        out._backward = hand_on
        return out

    def __neg__(self):
        return -1 * self

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, other):
        return -self + other

    def __truediv__(self, other):
        return self * other**-1

    def __rtruediv__(self, other):
        return self**-1 * other

    def relu(self):
        out = Value(max(self.data, 0.0), (self,), "ReLU")

        def hand_on():
            self.grad += out.grad if out.data > 0 else 0

        out._backward = hand_on
        return out

    def exp(self):
        out = Value(exp(self.data), (self,), "exp")

        def hand_on():
            self.grad += out.data * out.grad

        out._backward = hand_on
        return out

    def tanh(self):
        out = Value(tanh(self.data), (self,), "tanh")

        def hand_on():
            self.grad += (1 - out.data**2) * out.grad

        out._backward = hand_on
        return out

    def backward(self):
        users, queue = Counter(), deque([self])
        while queue:
            for parent in queue.popleft()._prev:
                if parent not in users:
                    queue.append(parent)
                users[parent] += 1
        self.grad = 1
        ready = [self]
        while ready:
            node = ready.pop()
            if node._backward is not None:
                node._backward()
            for parent in node._prev:
                users[parent] -= 1
                if users[parent] == 0:
                    ready.append(parent)
