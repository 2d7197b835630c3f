"""A program being run by the oracle, forward: plain floats, one slot a step.

Each kind of step is a function of the tape and the step's arguments. One that raises
`OutOfDomain` leaves the tape as it was. Gradients are in sweep.py.
"""

from __future__ import annotations

import msgspec
from msgspec import field

from grader import arithmetic
from grader.arithmetic import BINARY, LIMIT, NOTHING, SPECIFIED, Number, OutOfDomain, given, rounded

LONG_SUM = 6
"""The most nodes that a step puts on a path, unless it is a sum() of more items."""

STEP = 1e-4
"""The h of `slope`."""

Edge = tuple[int, float, float]
"""The operand's slot, the local derivative, and the error of that derivative."""

Shape = tuple[tuple[int, ...] | None, tuple[float, ...], str | None]
"""Distinct operands that are parents, plain numbers that become hidden leaves, label; None: not specified."""

DERIVED: Shape = (None, (), None)


class Tape(msgspec.Struct, gc=False):
    """A run in progress."""

    limit: float = LIMIT
    """The largest |data| allowed."""
    numbers: list[Number] = field(default_factory=list)
    """A node's data, or a plain number, for each step."""
    edges: list[tuple[Edge, ...] | None] = field(default_factory=list)
    """A node's operands with the local derivatives; None for what is not a node."""
    shapes: list[Shape] = field(default_factory=list)
    """How each node hangs together."""
    grads: list[float] = field(default_factory=list)
    """The gradients of the first slots; the others are 0 (`fill`)."""
    grad_errors: list[float] = field(default_factory=list)
    """Their bounds on rounding error."""
    swept: list[bytearray] = field(default_factory=list)
    """For each `backward`, the slots that it reached."""
    touched: set[int] = field(default_factory=set)
    """Slots whose gradient was set to other than 0, or pushed to."""
    changed: dict[int, int] = field(default_factory=dict)
    """For a node whose data was set: how many slots there were at the last time."""
    labels: dict[int, str] = field(default_factory=dict)
    """The label of each slot that has one."""
    long_sums: dict[int, int] = field(default_factory=dict)
    """For a sum() of more than `LONG_SUM` items: how many."""
    alternatives: dict[int, tuple[float, ...]] = field(default_factory=dict)
    """Other right answers for a slot."""

    def node(self, i: int) -> Number:
        """The data of slot `i`, which must hold a node."""
        if self.edges[i] is None:
            raise OutOfDomain(f"slot {i} is not a Value")
        return self.numbers[i]

    def put(self, number: Number, edges: tuple[Edge, ...] | None = None, shape: Shape = DERIVED) -> None:
        """Add a slot."""
        self.numbers.append(number)
        self.edges.append(edges)
        self.shapes.append(shape)

    def cut(self, length: int) -> None:
        """Take back every step from `length` on; they must be steps that make something."""
        for each in (self.numbers, self.edges, self.shapes, self.grads, self.grad_errors):
            del each[length:]

    def fill(self) -> None:
        """Give every slot its gradient, 0 where nothing was said."""
        missing = len(self.numbers) - len(self.grads)
        if missing:
            self.grads.extend([0.0] * missing)
            self.grad_errors.extend([0.0] * missing)


def number(tape: Tape, x: float) -> None:
    """A plain number."""
    tape.put(given(x))


def construct(tape: Tape, x: float, parents: tuple[int, ...] = (), op: str = "", label: str = "") -> None:
    """A node of the constructor: its `_backward` does nothing, so its local derivatives are 0."""
    if not abs(x) <= tape.limit:
        raise OutOfDomain(f"data {x!r}: at most {tape.limit:g} is asked")
    edges: tuple[Edge, ...] = ()
    if parents:
        for i in parents:
            tape.node(i)
        edges = tuple([(i, 0.0, 0.0) for i in parents])
        parents = tuple(dict.fromkeys(parents))
    if label:
        tape.labels[len(tape.numbers)] = label
    tape.put(given(float(x)), edges, (parents, (), op))


def binary(tape: Tape, sign: str, i: int, j: int) -> None:
    """Two operands, of which one may be a plain number."""
    if sign == "**":
        _power(tape, i, j)
        return
    left, right = tape.numbers[i], tape.numbers[j]
    result, to_left, left_error, to_right, right_error = BINARY[sign](left, right)
    result = rounded(result, tape.limit)
    edges: tuple[Edge, ...]
    parents: tuple[int, ...]
    wrapped: tuple[float, ...] = ()
    if tape.edges[i] is None:
        tape.node(j)
        edges, parents, wrapped = ((j, to_right, right_error),), (j,), (left[0],)
    elif tape.edges[j] is None:
        edges, parents, wrapped = ((i, to_left, left_error),), (i,), (right[0],)
    else:
        edges, parents = ((i, to_left, left_error), (j, to_right, right_error)), (i, j) if i != j else (i,)
    tape.put(result, edges, (parents, wrapped, sign) if sign in SPECIFIED else DERIVED)


def _power(tape: Tape, i: int, j: int) -> None:
    base, exponent = tape.node(i), tape.numbers[j][0]
    if tape.edges[j] is not None:  # an engine must refuse: there is nothing to compare
        tape.put(NOTHING)
        return
    result, local, local_error = arithmetic.power(base, float(exponent))
    tape.put(rounded(result, tape.limit), ((i, local, local_error),), ((i,), (), f"**{exponent}"))


def negate(tape: Tape, i: int) -> None:
    """``-a``."""
    value, error, grid = tape.node(i)
    tape.put((-value, error, grid), ((i, -1.0, 0.0),))


def method(tape: Tape, name: str, i: int) -> None:
    """relu, exp or tanh."""
    result, local, local_error = arithmetic.UNARY[name](tape.node(i))
    tape.put(rounded(result, tape.limit), ((i, local, local_error),), ((i,), (), arithmetic.LABELS[name]))


def total(tape: Tape, items: tuple[int, ...]) -> None:
    """``sum([...])``: ``0 + a + b ...``, rounded at each ``+``."""
    edges = tuple([(i, 1.0, 0.0) for i in items if tape.edges[i] is not None])
    if not edges:
        raise OutOfDomain("sum() of no Value at all")
    result = given(0.0)
    for i in items:
        result = rounded(arithmetic.add(result, tape.numbers[i])[0], tape.limit)
    if len(items) > LONG_SUM:
        tape.long_sums[len(tape.numbers)] = len(items)
    tape.put(result, edges)


def call(tape: Tape, function: str, i: int) -> None:
    """A function of the lesson on one node."""
    argument = tape.node(i)
    if function == "my_tanh":
        result, local, local_error = arithmetic.my_tanh(argument)
        tape.put(result, ((i, local, local_error),))
    else:
        count = _count(tape, i) if function == "count_nodes" else None
        tape.put(NOTHING if count is None else (count, 0.0, 4.0))


def _count(tape: Tape, root: int) -> int | None:
    """How many nodes hang together below a node, itself and hidden leaves included; None: not specified."""
    seen, waiting, hidden = {root}, [root], 0
    while waiting:
        parents, wrapped, _ = tape.shapes[waiting.pop()]
        if parents is None:
            return None
        hidden += len(wrapped)
        waiting += [i for i in parents if i not in seen]
        seen.update(parents)
    return len(seen) + hidden


def slope(tape: Tape, rpn: tuple[int | float | str, ...], xs: tuple[float, ...], index: int, h: float = STEP) -> None:
    """The derivative of a float function as a difference quotient of step `h`."""
    value, error, alternatives = arithmetic.quotients(rpn, xs, index, h)
    tape.alternatives[len(tape.numbers)] = alternatives
    tape.put((value, error, arithmetic.INF))


def look(tape: Tape, i: int, _rankdir: str = "") -> None:
    """print, draw, repr: what they give is judged elsewhere."""
    tape.node(i)
    tape.put(NOTHING)
