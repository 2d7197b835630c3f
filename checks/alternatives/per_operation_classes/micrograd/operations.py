"""Every operation is a class with a number and its local derivatives."""

import math
from abc import ABC, abstractmethod


class Operation(ABC):
    label = ""

    def __init__(self, *operands):
        self.operands = operands
        self.result = None

    @abstractmethod
    def number(self):
        """The number that the operation makes."""

    @abstractmethod
    def derivatives(self):
        """One local derivative an operand."""

    def hand_on(self):
        for operand, derivative in zip(self.operands, self.derivatives(), strict=True):
            operand.grad += derivative * self.result.grad


class Add(Operation):
    label = "+"

    def number(self):
        a, b = self.operands
        return a.data + b.data

    def derivatives(self):
        return 1, 1


class Multiply(Operation):
    label = "*"

    def number(self):
        a, b = self.operands
        return a.data * b.data

    def derivatives(self):
        a, b = self.operands
        return b.data, a.data


class Power(Operation):
    def __init__(self, base, exponent):
        super().__init__(base)
        self.exponent = exponent
        self.label = f"**{exponent}"

    def number(self):
        return self.operands[0].data ** self.exponent

    def derivatives(self):
        k = self.exponent
        return (k * self.operands[0].data ** (k - 1),)


class ReLU(Operation):
    label = "ReLU"

    def number(self):
        return max(0, self.operands[0].data)

    def derivatives(self):
        return (1 if self.result.data > 0 else 0,)


class Exp(Operation):
    label = "exp"

    def number(self):
        return math.exp(self.operands[0].data)

    def derivatives(self):
        return (self.result.data,)


class Tanh(Operation):
    label = "tanh"

    def number(self):
        return math.tanh(self.operands[0].data)

    def derivatives(self):
        return (1 - self.result.data**2,)
