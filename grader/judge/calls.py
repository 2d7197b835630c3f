"""`backward()` by the calls it makes: nodes made by the constructor carry recorders."""

from __future__ import annotations

from grader.judge.common import Case, close, number_fault
from grader.verdict import Fault


def root_of(case: Case) -> int:
    """The output: the slot whose `backward()` is called."""
    return next(int(s.args[0]) for s in case.program.steps if s.op == "backward")  # type: ignore[arg-type]


def asked(case: Case) -> tuple[list[int], list[int]]:
    """The recorded slots that the output was computed from, and all slots that it was not."""
    root = root_of(case)
    recorded = {s.args[0] for s in case.program.steps if s.op == "record"}
    reached = case.reachable(root)
    return [slot for slot in reached if slot in recorded], [s for s in case.node_slots() if s not in reached]


def seed(case: Case) -> Fault | None:
    """The output's gradient is 1 when it is called, every other node's is 0; nothing is added meanwhile."""
    root, (_, outside) = root_of(case), asked(case)
    first: dict[int, float | int | str] = {}
    for call in case.seen.calls:
        first.setdefault(call.slot, call.grad)
    for slot in (s for s in case.node_slots() if s not in outside):
        want = 1.0 if slot == root else 0.0
        if slot in first:
            if not close(first[slot], want, 0.0):
                return number_fault(f"dict(reversed(calls))[{case.names[slot]!r}]", want, first[slot], step=slot)
        elif (node := case.node(slot)) is not None and not close(node.grad, want, 0.0):
            return number_fault(f"{case.names[slot]}.grad", want, node.grad, step=slot)
    return None


def once(case: Case) -> Fault | None:
    """Every node that leads to the output is called exactly once."""
    called = [call.slot for call in case.seen.calls]
    for slot in asked(case)[0]:
        if called.count(slot) != 1:
            return Fault("", called_names(case.names[slot]), 1, called.count(slot), step=slot)
    return None


def called_names(name: str) -> str:
    """Python for how often a node was called."""
    return f"[name for name, grad in calls].count({name!r})"


def order(case: Case) -> Fault | None:
    """A node is called after everything that was computed from it."""
    inside, _ = asked(case)
    called = list(dict.fromkeys(call.slot for call in case.seen.calls))
    place = {slot: i for i, slot in enumerate(called)}
    for slot in inside:
        for parent in case.parents(slot):
            if parent in place and slot in place and place[parent] < place[slot]:
                names = [case.names[s] for s in called]
                right = [case.names[s] for s in inside]  # slots fall, so users come before what they use
                return Fault("", "[name for name, grad in calls]", repr(right), repr(names), step=slot)
    if inside and not place:
        return Fault("", "calls", repr([case.names[s] for s in inside]), "[]")
    return None


def others(case: Case) -> Fault | None:
    """Nodes that the output was not computed from keep their gradient and are not called."""
    called = [call.slot for call in case.seen.calls]
    inside = asked(case)[0]
    if inside and not called:
        return Fault("", "len(calls)", len(inside), 0)
    for slot in asked(case)[1]:
        if slot in called:
            return Fault("", called_names(case.names[slot]), 0, called.count(slot), step=slot)
        node, want = case.node(slot), case.expected(slot)
        if node is not None and not close(node.grad, want.grad, want.grad_bound):
            return number_fault(f"{case.names[slot]}.grad", want.grad, node.grad, step=slot)
    return None
