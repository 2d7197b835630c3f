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
        raise NotImplementedError("value: store data, grad, label, _prev, _op and a _backward that does nothing")

    def __repr__(self):
        """Show the number and its gradient."""
        return f"Value(data={self.data}, grad={self.grad})"

    # Operations. Each makes a new Value that knows its number, its parents and its name ('+', …), and changes no
    # operand. In the second lesson each also gives the new Value a `_backward`, which adds to every parent's `grad`
    # the parent's share: the local derivative times the `grad` of the new Value.

    def __add__(self, other):
        """`self + other`, named '+'; a plain number becomes a leaf first."""
        raise NotImplementedError("add-mul: return a new Value: the sum, with both operands as parents")

    def __mul__(self, other):
        """`self * other`, named '*'; a plain number becomes a leaf first."""
        raise NotImplementedError("add-mul: return a new Value: the product, with both operands as parents")

    def __pow__(self, k):
        """`self ** k`, named '**2' when k is 2; k is an int or a float, and anything else, a Value too, is refused."""
        raise NotImplementedError("pow-relu: return a new Value: the power, with one parent; refuse a Value k")

    def relu(self):
        """The number itself, but 0 when it is negative; named 'ReLU'. At 0 the derivative is 0."""
        raise NotImplementedError("pow-relu: return a new Value: 0 or the number, with one parent")

    def exp(self):
        """The number e to the power of this one, named 'exp'."""
        raise NotImplementedError("exp: return a new Value: the exponential, with one parent")

    def tanh(self):
        """The hyperbolic tangent, as one operation named 'tanh'."""
        raise NotImplementedError("tanh: return a new Value: the hyperbolic tangent, with one parent")

    # Derived operators. They are built from the operations above and need no `_backward` of their own.

    def __neg__(self):
        """`-self`: this Value times -1."""
        raise NotImplementedError("derived: build -a out of an operation that you have")

    def __sub__(self, other):
        """`self - other`: this Value plus the negated other one."""
        raise NotImplementedError("derived: build a - b out of + and -")

    def __truediv__(self, other):
        """`self / other`: this Value times the other one to the power of -1."""
        raise NotImplementedError("derived: build a / b out of * and **")

    # Reflected operators. In `2 + a` the number 2 cannot add a Value, so Python calls `a.__radd__(2)`.

    def __radd__(self, other):
        """`other + self`, where `other` is a plain number; `sum([a, b])` needs it too: it begins with `0 + a`."""
        raise NotImplementedError("derived: build 2 + a out of an operator that you have")

    def __rsub__(self, other):
        """`other - self`, where `other` is a plain number."""
        raise NotImplementedError("derived: build 2 - a out of operators that you have")

    def __rmul__(self, other):
        """`other * self`, where `other` is a plain number."""
        raise NotImplementedError("derived: build 2 * a out of an operator that you have")

    def __rtruediv__(self, other):
        """`other / self`, where `other` is a plain number."""
        raise NotImplementedError("derived: build 2 / a out of operators that you have")

    def backward(self):
        """Find the gradient of this Value by every Value that it was computed from.

        List everything reachable through `_prev`, each node once and after all its parents. This Value's own gradient
        is 1; then call `_backward` of each, from this one back to the leaves.
        """
        raise NotImplementedError("backward: order the nodes, seed this one, call each _backward in turn")
