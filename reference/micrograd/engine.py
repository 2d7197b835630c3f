"""`Value`: a number that remembers how it was computed.

Nothing beyond the standard library is needed; `math` is here for `exp` and `tanh`.
"""

import math


class Value:
    """A number and its place in the graph of a computation.

    data        the number
    grad        the derivative of the output by this value: 0 until `backward()` has run
    label       a name to draw it under, '' if it has none
    _prev       the set of the Values it was computed from, its parents; empty for a leaf
    _op         the operation that made it ('+', '*', '**2', 'ReLU', 'exp', 'tanh'), '' for a leaf
    _backward   a function without arguments that hands `grad` on to the parents; a leaf's does nothing
    """

    def __init__(self, data, _children=(), _op="", label=""):
        """Fill in the fields above; `_children` are the parents, in a tuple."""
        # solution value: store data, grad, label, _prev, _op and a _backward that does nothing
        self.data = data
        self.grad = 0
        self.label = label
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None

    def __repr__(self):
        """Show the number and its gradient."""
        return f"Value(data={self.data}, grad={self.grad})"

    # Operations. Each makes a new Value that knows its number, its parents and its name ('+', …), and changes no
    # operand. In the second lesson each also gives the new Value a `_backward`, which adds to every parent's `grad`
    # the parent's share: the local derivative times the `grad` of the new Value.

    def __add__(self, other):
        """`self + other`, named '+'; a plain number becomes a leaf first."""
        # solution add-mul: return a new Value: the sum, with both operands as parents
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        """`self * other`, named '*'; a plain number becomes a leaf first."""
        # solution add-mul: return a new Value: the product, with both operands as parents
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __pow__(self, k):
        """`self ** k`, named '**2' when k is 2; k is an int or a float, and anything else, a Value too, is refused."""
        # solution pow-relu: return a new Value: the power, with one parent; refuse a Value k
        if not isinstance(k, (int, float)):
            raise TypeError(f"the exponent is a plain number, not {type(k).__name__}")
        out = Value(self.data**k, (self,), f"**{k}")

        def _backward():
            self.grad += k * self.data ** (k - 1) * out.grad

        out._backward = _backward
        return out

    def relu(self):
        """The number itself, but 0 when it is negative; named 'ReLU'. At 0 the derivative is 0."""
        # solution pow-relu: return a new Value: 0 or the number, with one parent
        out = Value(max(0, self.data), (self,), "ReLU")

        def _backward():
            self.grad += (out.data > 0) * out.grad

        out._backward = _backward
        return out

    def exp(self):
        """The number e to the power of this one, named 'exp'."""
        # solution exp: return a new Value: the exponential, with one parent
        out = Value(math.exp(self.data), (self,), "exp")

        def _backward():
            self.grad += out.data * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        """The hyperbolic tangent, as one operation named 'tanh'."""
        # solution tanh: return a new Value: the hyperbolic tangent, with one parent
        out = Value(math.tanh(self.data), (self,), "tanh")

        def _backward():
            self.grad += (1 - out.data**2) * out.grad

        out._backward = _backward
        return out

    # Derived operators. They are built from the operations above and need no `_backward` of their own.

    def __neg__(self):
        """`-self`: this Value times -1."""
        # solution derived: build -a out of an operation that you have
        return self * -1

    def __sub__(self, other):
        """`self - other`: this Value plus the negated other one."""
        # solution derived: build a - b out of + and -
        return self + (-other)

    def __truediv__(self, other):
        """`self / other`: this Value times the other one to the power of -1."""
        # solution derived: build a / b out of * and **
        return self * other**-1

    # Reflected operators. In `2 + a` the number 2 cannot add a Value, so Python calls `a.__radd__(2)`.

    def __radd__(self, other):
        """`other + self`, where `other` is a plain number; `sum([a, b])` needs it too: it begins with `0 + a`."""
        # solution derived: build 2 + a out of an operator that you have
        return self + other

    def __rsub__(self, other):
        """`other - self`, where `other` is a plain number."""
        # solution derived: build 2 - a out of operators that you have
        return -self + other

    def __rmul__(self, other):
        """`other * self`, where `other` is a plain number."""
        # solution derived: build 2 * a out of an operator that you have
        return self * other

    def __rtruediv__(self, other):
        """`other / self`, where `other` is a plain number."""
        # solution derived: build 2 / a out of operators that you have
        return self**-1 * other

    def backward(self):
        """Find the gradient of this Value by every Value that it was computed from.

        List everything reachable through `_prev`, each node once and after all its parents. This Value's own gradient
        is 1; then call `_backward` of each, from this one back to the leaves.
        """
        # solution backward: order the nodes, seed this one, call each _backward in turn
        order, seen = [], set()

        def visit(node):
            if node not in seen:
                seen.add(node)
                for parent in node._prev:
                    visit(parent)
                order.append(node)

        visit(self)
        self.grad = 1
        for node in reversed(order):
            node._backward()
