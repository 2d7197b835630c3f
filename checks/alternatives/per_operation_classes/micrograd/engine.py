"""`_backward` of a result is a bound method of the operation that made it."""

from micrograd.operations import Add, Exp, Multiply, Power, ReLU, Tanh


def nothing():
    pass


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0.0
        self.label = label
        self._prev = set(_children)
        self._op = _op
        self._backward = nothing

    @classmethod
    def made_by(cls, operation):
        operation.result = result = cls(operation.number(), operation.operands, operation.label)
        result._backward = operation.hand_on
        return result

    @classmethod
    def wrap(cls, x):
        return x if isinstance(x, cls) else cls(x)

    def __repr__(self):
        return "Value(data=" + repr(self.data) + ", grad=" + repr(self.grad) + ")"

    def __add__(self, other):
        return self.made_by(Add(self, self.wrap(other)))

    def __mul__(self, other):
        return self.made_by(Multiply(self, self.wrap(other)))

    def __pow__(self, k):
        if not isinstance(k, int | float):
            return NotImplemented
        return self.made_by(Power(self, k))

    def relu(self):
        return self.made_by(ReLU(self))

    def exp(self):
        return self.made_by(Exp(self))

    def tanh(self):
        return self.made_by(Tanh(self))

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)

    def __truediv__(self, other):
        return self * other**-1

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rsub__(self, other):
        return self.wrap(other) - self

    def __rtruediv__(self, other):
        return self.wrap(other) / self

    def backward(self):
        order = {}  # a dict keeps the order of insertion

        def arrange(node):
            if node in order:
                return
            for parent in node._prev:
                arrange(parent)
            order[node] = None

        arrange(self)
        self.grad = 1.0
        for node in reversed(order):
            node._backward()
