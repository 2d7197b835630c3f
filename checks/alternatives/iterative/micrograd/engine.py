"""No recursion anywhere: backward() keeps its own stack."""
import math


class Value:

    def __init__(self, data, _children=(), _op='', label=''):
        self.data = data
        self.grad = 0.0
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op
        self.label = label

    def __repr__(self):
        return f"Value({self.data})"

    @staticmethod
    def of(x):
        return x if isinstance(x, Value) else Value(x)

    def __add__(self, other):
        other = Value.of(other)
        out = Value(self.data + other.data, (self, other), '+')

        def pull():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = pull
        return out

    def __mul__(self, other):
        other = Value.of(other)
        out = Value(self.data * other.data, (self, other), '*')

        def pull():
            self.grad += out.grad * other.data
            other.grad += out.grad * self.data

        out._backward = pull
        return out

    def __pow__(self, k):
        assert isinstance(k, (int, float)), 'only plain numbers as exponents'
        out = Value(self.data ** k, (self,), f'**{k}')

        def pull():
            self.grad += out.grad * k * self.data ** (k - 1)

        out._backward = pull
        return out

    def relu(self):
        out = Value(0 if self.data < 0 else self.data, (self,), 'ReLU')

        def pull():
            if out.data > 0:
                self.grad += out.grad

        out._backward = pull
        return out

    def exp(self):
        out = Value(math.exp(self.data), (self,), 'exp')

        def pull():
            self.grad += out.grad * out.data

        out._backward = pull
        return out

    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,), 'tanh')

        def pull():
            self.grad += out.grad * (1 - t * t)

        out._backward = pull
        return out

    def backward(self):
        order, seen, stack = [], set(), [(self, False)]
        while stack:
            node, finished = stack.pop()
            if finished:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                stack.append((node, True))
                stack.extend((parent, False) for parent in node._prev)
        self.grad = 1.0
        while order:
            order.pop()._backward()

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)

    def __truediv__(self, other):
        return self * other ** -1

    def __radd__(self, other):
        return self + other

    def __rsub__(self, other):
        return other + (-self)

    def __rmul__(self, other):
        return self * other

    def __rtruediv__(self, other):
        return other * self ** -1
