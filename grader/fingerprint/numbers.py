"""Views of numbers: data, gradients, and what steps gave."""

from __future__ import annotations

import math

from grader.judge.building import ancestors
from grader.judge.common import Case
from grader.judge.numbers import moved_slots
from grader.observation import Place, Scalar

ODD = 0.7310585786300049
"""Numbers are scaled by it before rounding: then none that people write down lies where rounding changes over."""

DIGITS = 2.0**20
NOTHING, HUGE = 1e-9, 1e300
"""What is smaller is what rounding leaves of 0; what is larger is told from no other."""


def rounded(number: Scalar | None) -> object:
    """A number to six digits, as something that equal numbers share; anything else as it is."""
    if number is None or isinstance(number, str):
        return number
    if not abs(number) < HUGE:
        return "huge"
    if abs(number) < NOTHING:
        return 0
    mantissa, exponent = math.frexp(number * ODD)
    return (exponent, round(mantissa * DIGITS))


def numbers(case: Case) -> list[object]:
    """Data of every node, gradients where the program moves any, and what steps gave."""
    moved = moved_slots(case)
    view: list[object] = []
    for slot, step in enumerate(case.program.steps):
        node = case.node(slot)
        if node is not None:
            view.append((rounded(node.value), rounded(node.grad) if slot in moved else None))
        elif step.op != "number":
            view.append(result(case, slot))
    return view


def result(case: Case, slot: int) -> object:
    """What a step gave, if not a node: a number, or its kind."""
    got = case.seen.results[slot] if slot < len(case.seen.results) else None
    return "Value" if isinstance(got, Place) else rounded(got)


def birth(case: Case) -> list[object]:
    """Data and gradients of new nodes."""
    return [(rounded(n.value), rounded(n.grad)) if (n := case.node(s)) else result(case, s) for s in case.node_slots()]


def linked(case: Case) -> list[object]:
    """Which operands a result leads to, where that is what is wrong."""
    view: list[object] = []
    for slot in case.operation_slots():
        found = ancestors(case, case.place(slot)) if case.place(slot) >= 0 else set()
        view.append([case.place(p) in found for p in case.parents(slot)])
    return view


def arguments(case: Case) -> list[object]:
    """The list that `slope` was handed, afterwards."""
    return [rounded(x) for x in case.seen.arguments or ()]


def results(case: Case) -> list[object]:
    """What every step gave."""
    return [result(case, slot) for slot in range(len(case.program.steps))]
