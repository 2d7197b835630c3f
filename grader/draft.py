"""A program that grows while its values are known, so that no step leaves the domain.

What to add is given by small whole numbers, from 0 to 63, of which smaller ones mean
simpler things: they are easy to draw, and shrinking them gives simple programs.
"""

from __future__ import annotations

from collections.abc import Sequence

from grader import oracle
from grader.oracle import OutOfDomain
from grader.programs import Arg, Program, Step
from grader.tape import Tape

SMALL = 64
"""The numbers that draw are below this."""

LARGEST = 1e4
"""The largest |data| that is drawn."""

# fmt: off
NUMBERS: tuple[float, ...] = (
    2.0, 3.0, 0.5, -2.0, 4, 1.5, -3.0, 0.25, 5.0, -0.5, 2.5, -4, 0.75, 6.0, -1.5, 7,
    -0.25, 3.5, -2.5, 1.25, -5, 4.5, -0.75, 8, 1.75, -3.5, 2.25, -6.0, 0.125, 5.5, -1.25, 10,
    -4.5, 3.25, 1, -1.75, 2.75, -7, -0.375, 6.5, -2.25, 9, 0.625, -5.5, 4.25, -8.0, 3.75, -1.0,
)
"""Data of leaves: distinct, none 0, most of them multiples of 1/4, some whole numbers as `int`."""
# fmt: on

EXPONENTS: tuple[float, ...] = (2, 3, 0.5, -1, 2.0, 1.5, 1, -2, 4, -0.5, 0, -3, 3.0, -1.5, 2.5, -1.0)
"""Exponents of `**`."""

GRADIENTS = (0.5, -0.25, 2.0, 1.5, -3.0, 0.75, -1.25, 4.0, 2.5, -0.5, 3.5, -2.0, 0.25, 5.0, -1.75, 1.25)
"""Gradients set by hand: distinct, none 0 or 1."""

Rows = Sequence[tuple[int, int, int]]
"""What to add, one triple an operation: which, and the two operands."""

METHODS = ("relu", "exp", "tanh")


class Draft:
    """A program in the making."""

    def __init__(self, most: int = 1000, table: tuple[float, ...] = NUMBERS, *, distinct: bool = True) -> None:
        self.steps: list[Step] = []
        self.run = Tape(limit=LARGEST)
        """The oracle's view of the steps so far."""
        self.nodes: list[int] = []
        """Slots that hold nodes."""
        self.loose: list[int] = []
        """Nodes that nothing was computed from yet, the oldest first."""
        self.most = most
        """About how many nodes there may be: `operand` adds no leaf beyond."""
        self.table = table
        """Data of leaves."""
        self.distinct = distinct
        """Whether no two nodes start with the same data."""

    def program(self) -> Program:
        """The steps as a program."""
        return Program(tuple(self.steps))

    def value(self, slot: int) -> float:
        """What slot `slot` holds."""
        return self.run.numbers[slot][0]

    def add(self, op: str, *args: Arg) -> int:
        """Take one step and give its slot. Raises `OutOfDomain`, and then nothing has changed."""
        step = Step(op, args)
        oracle.take(self.run, step)
        self.steps.append(step)
        return len(self.steps) - 1

    def make(self, operands: Sequence[int], op: str, *args: Arg) -> int:
        """Take a step that makes a node out of others."""
        slot = self.add(op, *args)
        self.loose = [each for each in self.loose if each not in operands] + [slot]
        self.nodes.append(slot)
        return slot

    def fresh(self, n: int, table: tuple[float, ...]) -> float:
        """Number `n` of a table, or the next that no node holds yet."""
        held = {self.value(slot) for slot in self.nodes} if self.distinct else set()
        turns = (table[(n + turn) % len(table)] for turn in range(len(table)))
        return next((x for x in turns if x not in held), table[n % len(table)])

    def leaf(self, n: int, table: tuple[float, ...] = ()) -> int:
        """A new leaf, from the draft's own table unless another is given."""
        return self.make((), "leaf", self.fresh(n, table or self.table))

    def number(self, n: int) -> int:
        """A plain number."""
        return self.add("number", NUMBERS[n % len(NUMBERS)])

    def operand(self, n: int) -> int:
        """A node: below 32 one that is there (0 the newest that is loose), else a new leaf."""
        if not self.nodes or (n >= 32 and len(self.nodes) + 2 <= self.most):
            return self.leaf(n % 32)
        among = self.nodes if n % 2 else self.loose
        return among[-1 - n // 2 % len(among)]

    def back(self, mark: tuple[int, list[int], list[int]]) -> None:
        """Forget what was added since `mark`."""
        length, self.nodes, self.loose = mark
        self.run.cut(length)
        del self.steps[length:]

    def mark(self) -> tuple[int, list[int], list[int]]:
        """Where the draft stands now."""
        return len(self.steps), self.nodes.copy(), self.loose.copy()

    def operate(self, sign: str, first: int, second: int, *, numbers: bool) -> None:
        """Add an operation and the leaves that it needs, or nothing where it would leave the domain.

        `sign` is one of + - * / **, r+ r- r* r/ (a plain number on the left), neg, sum, relu, exp, tanh.
        """
        mark = self.mark()
        try:
            self.apply(sign, self.operand(first), second, numbers=numbers)
        except OutOfDomain:
            self.back(mark)

    def apply(self, sign: str, left: int, second: int, *, numbers: bool = True) -> int:
        """An operation on node `left`; `second` says what the other operand is, if there is one."""
        if sign in METHODS:
            self.within(left, 0.0, {"exp": 6.0, "tanh": 4.0}.get(sign, LARGEST))
            return self.make((left,), "method", sign, left)
        if sign == "neg":
            return self.make((left,), "negate", left)
        if sign == "**":
            self.within(left, 0.1)
            return self.make((left,), "binary", "**", left, self.add("number", EXPONENTS[second % len(EXPONENTS)]))
        if sign.startswith("r"):
            self.within(left, 0.1 if sign == "r/" else 0.0)
            return self.make((left,), "binary", sign[1], self.number(second), left)
        right = self.number(second - 48) if numbers and second >= 48 else self.operand(second)
        if sign == "sum":
            return self.make((left, right), "sum", (left, right, left) if second % 4 == 3 else (left, right))
        self.within(right, 0.1 if sign == "/" else 0.0)
        return self.make((left, right), "binary", sign, left, right)

    def within(self, slot: int, smallest: float, largest: float = LARGEST) -> None:
        """Refuse a node whose |data| is not between the two."""
        if not smallest <= abs(self.value(slot)) <= largest:
            raise OutOfDomain("outside of what is drawn")

    def join(self) -> int:
        """Add loose ends together until one node is left, and give it; what would grow too large stays loose."""
        while len(self.loose) > 1:
            left, right = self.loose[-2:]
            try:
                self.make((left, right), "binary", "+", left, right)
            except OutOfDomain:
                break
        return self.loose[-1]

    def by_hand(self, kind: int, parents: Sequence[int], *, label: str = "") -> int:
        """A node of the constructor whose data is what its operation gives."""
        values = [self.value(slot) for slot in parents]
        op, data = ("*", values[0] * values[-1]) if kind % 2 else ("+", sum(values))
        if len(parents) == 1:
            op, data = ("ReLU", max(values[0], 0.0)) if kind % 2 else ("**2", values[0] * values[0])
        args: tuple[Arg, ...] = (float(data), tuple(parents), op)
        return self.make(parents, "labelled", *args, label) if label else self.make(parents, "node", *args)
