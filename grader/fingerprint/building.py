"""Views of how nodes are built."""

from __future__ import annotations

from collections.abc import Mapping

from grader.fingerprint import numbers
from grader.judge.building import ancestors
from grader.judge.common import Case
from grader.observation import Node
from grader.programs import references

DEEPEST = 4
"""How far down a derived result is looked at: no right engine builds deeper."""


def at(case: Case, place: int) -> Node | None:
    """The observed node in a place, if there is one."""
    return case.seen.nodes[place] if 0 <= place < len(case.seen.nodes) else None


def slots(case: Case) -> dict[int, int]:
    """Place of a node → the first slot that holds it."""
    return {case.place(slot): slot for slot in reversed(case.node_slots())}


def parents(case: Case, slot: int) -> object:
    """A node's parents: slots, and the numbers in hidden leaves."""
    node, known = case.node(slot), slots(case)
    if node is None:
        return numbers.result(case, slot)
    hidden = [n.value if (n := at(case, p)) else "?" for p in node.parents if p not in known]
    broken = node.container if node.container.startswith("!") else ""
    own = {known[p] for p in node.parents if p in known}
    return (sorted(own), sorted(repr(numbers.rounded(h)) for h in hidden), broken)


def structure(case: Case) -> list[object]:
    """The parents of every node."""
    return [parents(case, slot) for slot in case.node_slots()]


def labels(case: Case) -> list[object]:
    """The label of every result."""
    slots_ = case.operation_slots() or case.node_slots()
    return [node.op if (node := case.node(slot)) else numbers.result(case, slot) for slot in slots_]


def container(case: Case) -> list[object]:
    """The kind of collection that parents are in."""
    return [node.container for slot in case.node_slots() if (node := case.node(slot))]


def wrapping(case: Case) -> list[object]:
    """Numbers and parents of every result."""
    return [numbers.numbers(case), *(parents(case, slot) for slot in case.operation_slots())]


def built(case: Case) -> list[object]:
    """What derived results are made of, some levels down."""
    return [
        makings(case, case.place(slot), slots(case), DEEPEST, numbers.result(case, slot))
        for slot in case.operation_slots()
    ]


def makings(case: Case, place: int, known: Mapping[int, int], levels: int, otherwise: object = "?") -> object:
    """A node as its label and its parents', down to the program's own operands."""
    node = at(case, place)
    if node is None:
        return otherwise
    if not node.parents or not levels:
        return known.get(place, numbers.rounded(node.value))
    return (
        node.op,
        numbers.rounded(node.value),
        sorted(repr(makings(case, p, known, levels - 1)) for p in node.parents),
    )


def formula(case: Case) -> list[object]:
    """The operations that a result of `my_tanh` is made of, and whether it leads to its argument."""
    view: list[object] = []
    for slot, step in enumerate(case.program.steps):
        if step.op == "call" and case.place(slot) >= 0:
            found = ancestors(case, case.place(slot))
            view += [sorted({case.seen.nodes[p].op for p in found}), case.place(references(step)[0]) in found]
        elif step.op == "call":
            view.append(numbers.result(case, slot))
    return view


def refusal(case: Case) -> object:
    """What came instead of an exception: a node by its parents, anything else by its kind."""
    return parents(case, len(case.program.steps) - 1)
