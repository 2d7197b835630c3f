# Сохранено в Блокноте: UTF-8 с BOM, строки кончаются на CRLF.
from math import exp, tanh


class Value:
    def __init__(self, data, _children=(), _op='', label=''):
        self.data, self.grad = data, 0
        self._prev, self._op = set(_children), _op
        self._backward = lambda: None
        self.label = label

    def __repr__(self):
        return 'Value(%r)' % self.data

    def __add__(self, other):
        other = Value.make(other)
        out = Value(self.data + other.data, (self, other), '+')

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = Value.make(other)
        out = Value(self.data * other.data, (self, other), '*')

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __pow__(self, k):
        if not isinstance(k, (int, float)):
            raise TypeError('показатель степени — число')
        out = Value(self.data ** k, (self,), '**' + str(k))

        def _backward():
            self.grad += k * self.data ** (k - 1) * out.grad

        out._backward = _backward
        return out

    def relu(self):
        out = Value(self.data if self.data > 0 else -0.0, (self,), 'ReLU')

        def _backward():
            self.grad += out.grad if out.data > 0 else 0.0

        out._backward = _backward
        return out

    def exp(self):
        out = Value(exp(self.data), (self,), 'exp')

        def _backward():
            self.grad += out.grad * out.data

        out._backward = _backward
        return out

    def tanh(self):
        out = Value(tanh(self.data), (self,), 'tanh')

        def _backward():
            self.grad += out.grad * (1 - out.data ** 2)

        out._backward = _backward
        return out

    def backward(self):
        """Ничего не запоминает: дети каждого узла ищутся заново."""
        nodes = self.below([])
        self.grad = 1
        left = list(nodes)
        while left:
            for node in left:
                if not any(node in user._prev for user in left):
                    break
            node._backward()
            left.remove(node)

    def below(self, found):
        if self not in found:
            found.append(self)
            for parent in self._prev:
                parent.below(found)
        return found

    @staticmethod
    def make(x):
        return x if isinstance(x, Value) else Value(x)

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)

    def __truediv__(self, other):
        return self * other ** -1

    def __radd__(self, other):
        return self + other

    def __rsub__(self, other):
        return Value.make(other) - self

    def __rmul__(self, other):
        return self * other

    def __rtruediv__(self, other):
        return Value.make(other) / self
