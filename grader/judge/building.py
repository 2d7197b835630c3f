"""How nodes are built: parents, labels, containers, and the makings of derived operators."""

from __future__ import annotations

from grader.judge.common import Case, not_a_node, raised_fault, show
from grader.judge.numbers import data, numbers
from grader.observation import Node
from grader.programs import operand
from grader.verdict import Fault

SETS = frozenset({"set", "frozenset"})


def structure(case: Case) -> Fault | None:
    """Every specified node's parents: the set of distinct operands, the same objects."""
    for slot in case.node_slots():
        want = case.expected(slot)
        if want.parents is None or want.wrapped:
            continue
        node = case.node(slot)
        if node is None:
            return not_a_node(case, slot)
        if set(node.parents) != {case.place(p) for p in want.parents} or node.container.startswith("!"):
            return parents_fault(case, slot, want.parents, node)
    return None


def parents_fault(case: Case, slot: int, want: tuple[int, ...], node: Node) -> Fault:
    """Parents that are not the operands."""
    name, listed = case.names[slot], ", ".join(f"id({case.names[p]})" for p in want)
    expression = f"{{id(p) for p in {name}._prev}} == {{{listed}}}" if want else f"len({name}._prev) == 0"
    broken = node.container[:1] in ("!", "?") and node.container != "?dict"
    got = {"raised": node.container[1:] if node.container.startswith("!") else "TypeError"} if broken else "False"
    return Fault("", expression, "True", got, step=slot)


def labels(case: Case) -> Fault | None:
    """The `_op` of every result; of nodes made by the constructor where there are no results."""
    for slot in case.operation_slots() or case.node_slots():
        want, node = case.expected(slot).op, case.node(slot)
        if want is None:
            continue
        if node is None:
            return not_a_node(case, slot)
        if node.op != "=" + want:
            return Fault("", f"{case.names[slot]}._op", want, show(node.op), step=slot)
    return None


def container(case: Case) -> Fault | None:
    """`_prev` is a set, or a frozenset."""
    for slot in case.node_slots():
        node = case.node(slot)
        if node is not None and node.container not in SETS:
            got = show(node.container)
            return Fault(
                "", f"type({case.names[slot]}._prev).__name__", "set", "NoneType" if got == "None" else got, step=slot
            )
    return None


def wrapping(case: Case) -> Fault | None:
    """A plain number became a new leaf beside the other operand, and the result is right.

    Where not even the other operand is a parent, it is the parents that are wrong, not the wrapping.
    """
    for slot in case.operation_slots():
        want, node = case.expected(slot), case.node(slot)
        fault = data(case, slot)
        if fault:
            return fault
        assert node is not None
        own = {case.place(p) for p in want.parents or ()}
        if want.wrapped and case.place(slot) in own:
            name, operand_name = case.names[slot], case.names[(want.parents or (slot,))[0]]
            return Fault("same", f"{name} is {operand_name}", "False", "True", step=slot)
        if not own <= set(node.parents):
            continue
        hidden = [case.seen.nodes[p] for p in node.parents if p not in own and p >= 0]
        fits = [h for h in hidden if h.value in want.wrapped]
        if want.wrapped and (len(fits) != len(want.wrapped) or len(node.parents) != len(own) + len(fits)):
            numbers = sorted(case.answer.slots[p].value or 0 for p in want.parents or ()) + list(want.wrapped)
            expression = f"sorted(p.data for p in {case.names[slot]}._prev)"
            return Fault("unwrapped", expression, repr(sorted(numbers)), held(case, node), step=slot)
    return None


def held(case: Case, node: Node) -> str:
    """What a node's parents hold, as the list that a student would see."""
    values = [case.seen.nodes[p].value if p >= 0 else "?" for p in node.parents]
    numbers = [v for v in values if not isinstance(v, str)]
    return repr(sorted(numbers)) if len(numbers) == len(values) else repr([show(v) for v in values])


def pushable(case: Case) -> Fault | None:
    """A result's `_backward` can be called without arguments; what it then does is not looked at here."""
    raised = case.seen.raised
    if raised is None or case.program.steps[min(raised.step, len(case.program.steps) - 1)].op == "push":
        if raised is None or raised.type != "Uncallable":
            return None
        slot = int(case.program.steps[raised.step].args[0])  # type: ignore[arg-type]  # ('push', (slot,))
        return Fault(
            "uncallable", f"{case.names[slot]}._backward()", "None", {"raised": raised.message}, step=raised.step
        )
    return raised_fault(case.program, raised)


def linked(case: Case) -> Fault | None:
    """The numbers are right, and the graph of a derived result leads to its operands, through Values only."""
    fault = numbers(case)
    if fault:
        return fault
    for slot in case.operation_slots():
        node = case.node(slot)
        if node is not None and -1 in node.parents:
            expression = f"{{type(p).__name__ for p in {case.names[slot]}._prev}} == {{'Value'}}"
            return Fault("raw", expression, "True", "False", step=slot)
        found = ancestors(case, case.place(slot))
        for parent in case.parents(slot):
            if case.place(parent) not in found:
                name, operand_name = case.names[slot], case.names[parent]
                near = (
                    f"{{*{name}._prev, *(q for p in {name}._prev for q in p._prev)}}"  # no right engine builds deeper
                )
                return Fault(
                    "cut", f"{operand_name} in {near}", "True", "False", detail={"name": operand_name}, step=slot
                )
    return None


def formula(case: Case) -> Fault | None:
    """`my_tanh`'s graph leads to its argument, has an `exp` node in it and no `tanh` node."""
    constants: set[tuple[object, ...]] = set()
    for slot, step in enumerate(case.program.steps):
        if step.op != "call":
            continue
        start, leaf = case.place(slot), case.place(int(step.args[1]))  # type: ignore[arg-type]  # ('call', (name, slot))
        if start < 0:
            return not_a_node(case, slot)
        found = ancestors(case, start)
        ops = sorted({case.seen.nodes[p].op[1:] for p in found} - {""})
        beside = sorted(str(case.seen.nodes[p].value) for p in found - {leaf} if not case.seen.nodes[p].parents)
        constants.add(tuple(dict.fromkeys(beside)))
        if len(constants) > 1:
            want = "the same leaves for every x"
            return Fault("data", f"my_tanh({case.names[int(step.args[1])]})", want, ", ".join(beside)[:60], step=slot)  # type: ignore[arg-type]
        if leaf in found and "exp" in ops and "tanh" not in ops:
            continue
        fits = [op for op in ops if op != "tanh"]
        return Fault(
            "",
            f"my_tanh({operand(case.program, int(step.args[1]), case.names)})",  # type: ignore[arg-type]
            "+ * / exp",
            " ".join(ops if "tanh" in ops else fits) or "no operation",
            step=slot,
        )
    return None


def ancestors(case: Case, start: int) -> set[int]:
    """Every observed node that `start` was computed from, itself included."""
    found, waiting = {start}, [start]
    while waiting:
        for parent in case.seen.nodes[waiting.pop()].parents:
            if 0 <= parent < len(case.seen.nodes) and parent not in found:
                found.add(parent)
                waiting.append(parent)
    return found


# ---------------------------------------------------------------- derived operators


def built(case: Case) -> Fault | None:
    """`-a` is `a * -1`, `a - b` is `a + (-b)`, `a / b` is `a * b**-1`.

    Labels are compared with those that the student's own `+ * **` write in the same program.
    """
    for slot, step in enumerate(case.program.steps):
        node = case.node(slot)
        if step.op == "negate":
            right = node is not None and is_negated(case, node, case.place(int(step.args[0])))  # type: ignore[arg-type]
        elif step.op == "binary" and step.args[0] in ("-", "/"):
            right = node is not None and is_derived(case, node, str(step.args[0]), int(step.args[1]), int(step.args[2]))  # type: ignore[arg-type]
        else:
            continue
        if node is None:
            return not_a_node(case, slot)
        if not right:
            return built_fault(case, slot, node)
    return None


def labelled(case: Case, node: Node, sign: str) -> bool:
    """Whether a node is labelled as the student's own `sign` is. A label that is none of the lesson's tells nothing."""
    own = own_label(case, sign)
    return node.op in own or not any(label.startswith("=" + sign) for label in own)


def own_label(case: Case, sign: str) -> set[str]:
    """The labels that the student's own `sign` writes in this program."""
    found = set()
    for slot, step in enumerate(case.program.steps):
        node = case.node(slot)
        if step.op == "binary" and step.args[0] == sign and node is not None:
            found.add(node.op)
    return found or {"=" + sign}


def other_parent(case: Case, node: Node, one: int) -> Node | None:
    """The parent beside `one`, where a node has these two."""
    rest = [p for p in node.parents if p != one]
    alone = len(node.parents) == 1 + len(rest) and len(set(rest)) == 1 and rest[0] >= 0
    return case.seen.nodes[rest[0]] if alone else None


def is_negated(case: Case, node: Node, one: int) -> bool:
    """Whether `node` is built as `one * -1`."""
    factor = other_parent(case, node, one)
    return labelled(case, node, "*") and factor is not None and not factor.parents and factor.value == -1


def is_inverted(case: Case, node: Node, one: int) -> bool:
    """Whether `node` is built as `one ** -1`."""
    return labelled(case, node, "**") and set(node.parents) == {one}


def is_derived(case: Case, node: Node, sign: str, left: int, right: int) -> bool:
    """Whether `node` is `left + (-right)`, or `left * right**-1`; `right` may be a plain number."""
    other = other_parent(case, node, case.place(left))
    if other is None or not labelled(case, node, "+" if sign == "-" else "*"):
        return False
    makes = is_negated if sign == "-" else is_inverted
    step = case.program.steps[right]
    if step.op != "number":
        return makes(case, other, case.place(right))
    number = float(step.args[0])  # type: ignore[arg-type]  # ('number', (x,))
    if not other.parents:
        want = -number if sign == "-" else 1 / number
        return not isinstance(other.value, str) and abs(other.value - want) <= 1e-15 * abs(want)
    leaves = [
        p for p in other.parents if p >= 0 and not case.seen.nodes[p].parents and case.seen.nodes[p].value == number
    ]
    return any(makes(case, other, leaf) for leaf in leaves)


def built_fault(case: Case, slot: int, node: Node) -> Fault:
    """A derived operator that is built in another way: its label if that differs, else its parents."""
    step = case.program.steps[slot]
    name = case.names[slot]
    sign = "+" if step.op == "binary" and step.args[0] == "-" else "*"
    if not labelled(case, node, sign):
        return Fault("", f"{name}._op", min(own_label(case, sign))[1:], show(node.op), step=slot)
    first = case.expected(int(step.args[-2] if step.op == "binary" else step.args[0])).value or 0.0  # type: ignore[arg-type]
    second = -1.0
    if step.op == "binary":
        value = case.expected(int(step.args[2])).value or 0.0  # type: ignore[arg-type]
        second = -value if sign == "+" else 1 / value
    want, got = repr(sorted((first, second))), held(case, node)
    if want != got:
        return Fault("", f"sorted(p.data for p in {name}._prev)", want, got, step=slot)
    return Fault(
        "", f"sorted(len(p._prev) for p in {name}._prev)", "built from + * **", "built in another way", step=slot
    )
