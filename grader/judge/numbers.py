"""Numbers: data, gradients, what functions return, and what must be refused."""

from __future__ import annotations

from grader.judge.common import Case, close, not_a_node, number_fault, raised_fault, show
from grader.observation import Place, Scalar
from grader.programs import CONSTRUCTORS, makes_node
from grader.verdict import Fault


def numbers(case: Case) -> Fault | None:
    """Every `Value`'s data, every number that a step gives, and the gradients where a program moves any."""
    moved = moved_slots(case)
    for slot, step in enumerate(case.program.steps):
        if makes_node(step):
            fault = data(case, slot) or (gradient(case, slot) if slot in moved else None)
        elif step.op == "get" and step.args[1] == "label":
            fault = label(case, slot)
        elif step.op in ("get", "slope") or (step.op == "call" and step.args[0] == "count_nodes"):
            fault = returned(case, slot)
        else:
            fault = None
        if fault:
            return fault
    return None


def moved_slots(case: Case) -> set[int]:
    """The slots whose gradients a program asks for: with `push` those that it set, with `backward` all."""
    steps = case.program.steps
    pushed = {step.args[0] for step in steps if step.op == "push"}
    if pushed:
        return {int(s.args[0]) for s in steps if s.op == "set" and s.args[1] == "grad"} - pushed  # type: ignore[arg-type]
    return set(case.node_slots()) if any(step.op == "backward" for step in steps) else set()


def own(case: Case) -> Fault | None:
    """The gradients of a derived operator whose result has the operands themselves as parents.

    Where it is built from other nodes in between, they have been asked already. With one operand on
    both sides the two cannot be told apart, so nothing is said.
    """
    slot = next(int(s.args[0]) for s in case.program.steps if s.op == "push")  # type: ignore[arg-type]
    node = case.node(slot)
    operands = {case.place(p) for p in case.parents(slot)}
    twice = case.program.steps[slot].op == "binary" and len(operands) == 1
    return numbers(case) if node is None or (operands <= set(node.parents) and not twice) else None


def data(case: Case, slot: int) -> Fault | None:
    """A node's data; an operand that an operation changed is told apart."""
    node, want = case.node(slot), case.expected(slot)
    if node is None:
        return not_a_node(case, slot)
    assert want.value is not None
    if close(node.value, want.value, want.value_bound):
        return None
    changed = case.program.steps[slot].op in CONSTRUCTORS and len(case.operation_slots()) > 0
    return number_fault(
        f"{case.names[slot]}.data", want.value, node.value, clause="operand" if changed else "", step=slot
    )


def gradient(case: Case, slot: int) -> Fault | None:
    """A node's gradient after the program."""
    node, want = case.node(slot), case.expected(slot)
    if node is None or close(node.grad, want.grad, want.grad_bound):
        return None
    idle = is_idle(case)
    return number_fault(
        f"{case.names[slot]}.grad", want.grad, node.grad, clause="idle" if idle else "", step=slot, idle=idle
    )


def is_idle(case: Case) -> bool:
    """Whether every gradient is still what the program set it to, or 0."""
    preset: dict[int, Scalar] = {}
    for step in case.program.steps:
        if step.op == "set" and step.args[1] == "grad":
            preset[int(step.args[0])] = step.args[2]  # type: ignore[arg-type, assignment]  # (slot, 'grad', x)
    return all(node.grad == preset.get(slot, 0) for slot in case.node_slots() if (node := case.node(slot)))


def returned(case: Case, slot: int) -> Fault | None:
    """A number that a function, or an attribute, gave; `slope` may be a central difference."""
    got, want = case.seen.results[slot], case.expected(slot)
    assert want.value is not None
    number: Scalar = "?Value" if isinstance(got, Place) else "?NoneType" if got is None else got
    if any(close(number, value, want.value_bound) for value in (want.value, *want.alternatives)):
        return None
    counted = int(want.value) if case.program.steps[slot].op == "call" else want.value
    return number_fault(case.names[slot], counted, number, clause="none" if got is None else "", step=slot)


def label(case: Case, slot: int) -> Fault | None:
    """The `label` that was read back."""
    maker = case.program.steps[int(case.program.steps[slot].args[0])]  # type: ignore[arg-type]  # ('get', (slot, name))
    want = str(maker.args[3]) if maker.op == "labelled" else ""
    got = case.seen.results[slot]
    return None if got == "=" + want else Fault("", case.names[slot], want, show(got), step=slot)


def birth(case: Case) -> Fault | None:
    """Data and gradient of new nodes."""
    for slot in case.node_slots():
        fault = data(case, slot) or gradient(case, slot)
        if fault:
            return fault
    return None


def text(case: Case) -> Fault | None:
    """`repr` gives a text, any text."""
    for slot, step in enumerate(case.program.steps):
        got = case.seen.results[slot]
        if step.op == "repr" and not (isinstance(got, str) and got.startswith("=")):
            return Fault("", case.names[slot], "str", show(got), step=slot)
    return None


def arguments(case: Case) -> Fault | None:
    """The list handed to `slope` holds what it held before."""
    step = case.program.steps[-1]
    xs, held = step.args[1], case.seen.arguments
    assert isinstance(xs, tuple)
    if held is not None and len(held) == len(xs) and all(h == float(x) for h, x in zip(held, xs, strict=True)):
        return None
    return Fault("", "args", repr([float(x) for x in xs]), repr([show(h) for h in held or ()]))


def refusal(case: Case) -> Fault | None:
    """The last step must raise, anything but NotImplementedError."""
    raised, last = case.seen.raised, len(case.program.steps) - 1
    if raised is not None and raised.step == last and raised.type != "NotImplementedError":
        return None
    if raised is not None:
        return raised_fault(case.program, raised)
    return Fault(
        "", f"type({case.names[last]}).__name__", {"raised": "TypeError"}, show(case.seen.results[last]), step=last
    )
