"""A Value with __slots__: no attribute can be added to a node."""
from math import exp as _exp, tanh as _tanh


class Value:
    __slots__ = ('data', 'grad', 'label', '_prev', '_op', '_backward')

    def __init__(self, data, _children=(), _op='', label=''):
        self.data = data
        self.grad = 0
        self.label = label
        self._prev = frozenset(_children)
        self._op = _op
        self._backward = no_gradient

    def __add__(self, other):
        if isinstance(other, (int, float)):
            other = Value(other)
        out = Value(self.data + other.data, {self, other}, '+')

        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        if isinstance(other, (int, float)):
            other = Value(other)
        out = Value(self.data * other.data, {self, other}, '*')

        def _backward():
            mine, theirs = other.data * out.grad, self.data * out.grad
            self.grad += mine
            other.grad += theirs
        out._backward = _backward
        return out

    def __pow__(self, k):
        if isinstance(k, Value):
            raise NotConstant()
        out = Value(self.data ** k, [self], '**{}'.format(k))

        def _backward():
            self.grad += k * out.grad * self.data ** (k - 1)
        out._backward = _backward
        return out

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)

    def __truediv__(self, other):
        return self * other ** -1

    def __radd__(self, other):
        return self.__add__(other)

    def __rmul__(self, other):
        return self.__mul__(other)

    def __rsub__(self, other):
        return self.__neg__().__add__(other)

    def __rtruediv__(self, other):
        return self.__pow__(-1).__mul__(other)

    def relu(self):
        out = Value(self.data if self.data >= 0 else 0.0, [self], 'ReLU')

        def _backward():
            if self.data > 0:
                self.grad += out.grad
        out._backward = _backward
        return out

    def exp(self):
        out = Value(_exp(self.data), [self], 'exp')

        def _backward():
            self.grad += out.data * out.grad
        out._backward = _backward
        return out

    def tanh(self):
        out = Value(_tanh(self.data), [self], 'tanh')

        def _backward():
            self.grad += (1 - out.data ** 2) * out.grad
        out._backward = _backward
        return out

    def backward(self):
        self.grad = 1
        for node in topological(self):
            node._backward()


class NotConstant(Exception):
    """An exponent is a plain number."""


def no_gradient():
    """What a leaf hands on."""


def topological(root):
    """Results before operands: each node is put in front when its operands are in place."""
    chain, met = [], set()

    def put(node):
        met.add(node)
        for operand in node._prev - met:
            if operand not in met:
                put(operand)
        chain.insert(0, node)

    put(root)
    return chain
