"""The arithmetic that a student's engine is compared with.

`answer` runs a program on plain floats: one slot a step, a reverse sweep for
gradients, and beside each number a bound on the rounding error that any sensible
way of computing it may have made. It shares nothing with the reference engine.

An engine may add in another order, write ``a / b`` as ``a * b**-1``, or ``tanh`` by
the formula: the bounds allow for it. The judge allows ``|got - want| <= 2 * bound``,
since both sides round. What the lesson says never to ask raises `OutOfDomain`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import msgspec

from grader import sweep, tape
from grader.arithmetic import LIMIT, Number, OutOfDomain
from grader.programs import Program, Step
from grader.tape import LONG_SUM, Edge, Shape, Tape

__all__ = ["Answer", "Expected", "OutOfDomain", "answer", "in_domain", "take"]

DEEPEST = 200
"""The most nodes on a path that is asked: a textbook recursive `backward` must live."""


class Expected(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What one step should leave behind once the whole program has run."""

    value: float | None = None
    """A node's `data`, or the number that a number, get, slope or count_nodes step gives; None: not specified."""
    value_bound: float = 0.0
    """The rounding error that `value` may have, absolute."""
    grad: float = 0.0
    """A node's `grad`."""
    grad_bound: float = 0.0
    """The rounding error that `grad` may have, absolute."""
    parents: tuple[int, ...] | None = None
    """The distinct slots that are the node's operands, as written; None: not specified (derived operators)."""
    wrapped: tuple[float, ...] = ()
    """The plain numbers that become hidden leaves, operands too."""
    op: str | None = None
    """The node's `_op`; None: not specified."""
    exact: bool = False
    """Whether `value` carries no rounding error at all."""
    alternatives: tuple[float, ...] = ()
    """Other values that are as right (slope: the central differences), within the same bound."""
    label: str = ""
    """A node's `label`, or what a get of `label` gives."""


class Answer(msgspec.Struct, frozen=True, array_like=True):
    """The right answer to a program."""

    slots: tuple[Expected, ...]
    """One entry a step."""

    @property
    def data_after(self) -> tuple[float | None, ...]:
        """Each slot's number after the whole program."""
        return tuple(slot.value for slot in self.slots)


SAFE_LENGTH = 33
"""A program of no more steps than this cannot be too deep, unless it has a long sum()."""

NOTHING = Expected()
"""For a step that gives nothing that is compared."""

ACTIONS: Mapping[str, Callable[..., None]] = {
    "number": tape.number,
    "leaf": tape.construct,
    "node": tape.construct,
    "labelled": tape.construct,
    "binary": tape.binary,
    "negate": tape.negate,
    "sum": tape.total,
    "method": tape.method,
    "backward": sweep.backward,
    "get": sweep.read,
    "set": sweep.assign,
    "push": sweep.push,
    "record": sweep.record,
    "call": tape.call,
    "print": tape.look,
    "draw": tape.look,
    "slope": tape.slope,
    "repr": tape.look,
}
"""What each kind of step does to a tape: a row of the table in programs.py."""


def answer(program: Program) -> Answer:
    """What a right engine gives. Raises `OutOfDomain` for what is never asked or makes no sense.

    ``a ** b`` with a `Value` for `b`, which an engine must refuse, is allowed and gives no value.
    """
    run = Tape()
    try:
        for step in program.steps:
            ACTIONS[step.op](run, *step.args)
    except LookupError:
        raise OutOfDomain(_nonsense(program)) from None
    if (len(run.numbers) > SAFE_LENGTH or run.long_sums) and _depth(run) > DEEPEST:
        raise OutOfDomain(f"a path of more than {DEEPEST} nodes")
    run.fill()
    if (run.swept or run.touched) and not (max(run.grads) <= LIMIT and min(run.grads) >= -LIMIT):
        raise OutOfDomain(f"a gradient beyond {LIMIT:g}")
    expected = list(map(_expected, run.numbers, run.edges, run.shapes, run.grads, run.grad_errors))
    for slot, label in run.labels.items():
        expected[slot] = msgspec.structs.replace(expected[slot], label=label)
    for slot, others in run.alternatives.items():
        expected[slot] = msgspec.structs.replace(expected[slot], alternatives=others)
    return Answer(tuple(expected))


def take(run: Tape, step: Step) -> None:
    """Take one more step. A step that makes something and raises `OutOfDomain` leaves the tape as it was."""
    ACTIONS[step.op](run, *step.args)


def in_domain(program: Program) -> bool:
    """Whether the lesson allows the program to be asked."""
    try:
        answer(program)
    except OutOfDomain:
        return False
    return True


def _nonsense(program: Program) -> str:
    unknown = [step.op for step in program.steps if step.op not in ACTIONS]
    return f"the oracle does not know {unknown[0]!r}" if unknown else "a slot, sign or name that does not exist"


def _expected(number: Number, edges: tuple[Edge, ...] | None, shape: Shape, grad: float, grad_error: float) -> Expected:
    value, error, _ = number
    if edges is not None:
        parents, wrapped, op = shape
        return Expected(value, error, grad, grad_error, parents, wrapped, op, error == 0.0)
    return NOTHING if math.isnan(value) else Expected(value, error, exact=error == 0.0)


def _depth(run: Tape) -> int:
    """Nodes on the longest path, the hidden ones of derived operators counted generously."""
    depths: list[int] = []
    for index, (edges, (parents, _, _)) in enumerate(zip(run.edges, run.shapes, strict=True)):
        own = 1 if parents is not None or not edges else run.long_sums.get(index, LONG_SUM)
        depths.append(own + max((depths[operand] for operand, _, _ in edges or ()), default=0))
    return max(depths)
