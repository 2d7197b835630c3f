"""Views of the calls that `backward()` makes."""

from __future__ import annotations

from grader.fingerprint.numbers import rounded
from grader.judge.calls import asked
from grader.judge.common import Case
from grader.observation import Scalar


def seed(case: Case) -> list[object]:
    """The gradient that each node had when it was first called, or has in the end."""
    first: dict[int, Scalar] = {}
    for call in case.seen.calls:
        first.setdefault(call.slot, call.grad)
    return [rounded(first.get(s, node.grad)) for s in case.node_slots() if (node := case.node(s))]


def once(case: Case) -> list[object]:
    """How often each node was called."""
    called = [call.slot for call in case.seen.calls]
    return [called.count(slot) for slot in asked(case)[0]]


def order(case: Case) -> list[object]:
    """Which operands were called before what was computed from them: alike however siblings are visited."""
    called = list(dict.fromkeys(call.slot for call in case.seen.calls))
    place = {slot: i for i, slot in enumerate(called)}
    pairs = [(slot, parent) for slot in asked(case)[0] for parent in case.parents(slot)]
    return [s in place and p in place and place[p] < place[s] for s, p in pairs]


def others(case: Case) -> list[object]:
    """Calls and gradients of nodes that the output was not computed from."""
    called = [call.slot for call in case.seen.calls]
    return [(called.count(s), rounded(node.grad)) for s in asked(case)[1] if (node := case.node(s))]
