"""`trace` and `draw_dot`: sets of nodes and edges, and a recorded drawing."""

from __future__ import annotations

import re

from grader.judge.building import SETS
from grader.judge.common import Case, raised_fault, show
from grader.judge.printing import within_last_decimal
from grader.observation import Dot
from grader.programs import operand
from grader.verdict import Fault

NUMBER = r"(-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)"
RECORD = re.compile(rf"^\s*\{{(.*?)\|\s*data\s*{NUMBER}\s*\|\s*grad\s*{NUMBER}\s*\}}\s*$", re.DOTALL)


def root_of(case: Case) -> int:
    """The slot that is traced or drawn."""
    step = next(s for s in case.program.steps if s.op == "draw" or (s.op == "call" and s.args[0] == "trace"))
    return int(step.args[0] if step.op == "draw" else step.args[1])  # type: ignore[arg-type]


# ---------------------------------------------------------------- trace


def traced_nodes(case: Case) -> Fault | None:
    """The first set holds every reachable node."""
    root = root_of(case)
    want = case.reachable(root)
    name = operand(case.program, root, case.names)
    listed = ", ".join(case.names[s] for s in sorted(want))
    traced = case.seen.traced
    if traced is None:
        return Fault("", f"trace({name})", "two sets", show(case.seen.results[-1]))
    if traced.containers[0] in SETS and set(traced.nodes) == {case.place(s) for s in want}:
        return None
    return Fault("", f"trace({name})[0] == {{{listed}}}", "True", "False")


def traced_edges(case: Case) -> Fault | None:
    """The second set holds (operand, result) for each edge."""
    root = root_of(case)
    want = [(p, s) for s in sorted(case.reachable(root)) for p in case.parents(s)]
    name = operand(case.program, root, case.names)
    traced = case.seen.traced
    if traced is None:
        return Fault("", f"trace({name})", "two sets", show(case.seen.results[-1]))
    if traced.containers[1] in SETS and set(traced.edges) == {(case.place(p), case.place(s)) for p, s in want}:
        return None
    listed = ", ".join(f"({case.names[p]}, {case.names[s]})" for p, s in want)
    return Fault("", f"trace({name})[1] == {{{listed}}}" if want else f"trace({name})[1] == set()", "True", "False")


# ---------------------------------------------------------------- draw_dot


def dot_of(case: Case) -> Dot | Fault:
    """The recorded drawing, or the fault that there is none."""
    if case.seen.dot is not None:
        return case.seen.dot
    got = show(case.seen.results[-1])
    return Fault("", "type(" + drawn(case) + ").__name__", "Digraph", "NoneType" if got == "None" else got)


def drawn(case: Case) -> str:
    """The call that draws, as Python."""
    return f"draw_dot({operand(case.program, root_of(case), case.names)})"


def records(dot: Dot) -> dict[int, tuple[str, str, str, str]]:
    """The drawn values: place of the name → (label, data, grad, shape)."""
    found = {}
    for place, label, shape in dot.nodes:
        match = RECORD.match(label)
        if match:
            found[place] = (match[1].strip(), match[2], match[3], show(shape))
    return found  # type: ignore[return-value]  # shapes are marked strings


def same(case: Case, slot: int, record: tuple[str, str, str, str]) -> bool:
    """Whether a record shows a slot's label, data and gradient."""
    step, want = case.program.steps[slot], case.expected(slot)
    label = str(step.args[3]) if step.op == "labelled" else ""
    return (
        record[0] == label
        and within_last_decimal(record[1], want.value or 0.0)
        and within_last_decimal(record[2], want.grad)
    )


def assigned(case: Case, dot: Dot) -> dict[int, int]:
    """Slot → place of the drawn value that shows it; slots that are not drawn are missing."""
    free, found = records(dot), {}
    for slot in case.reachable(root_of(case)):
        place = next((p for p, record in free.items() if same(case, slot, record)), None)
        if place is not None:
            found[slot] = place
            del free[place]
    return found


def values(case: Case) -> Fault | None:
    """Every reachable value is drawn once, as a record of label, data and gradient."""
    dot = dot_of(case)
    if isinstance(dot, Fault):
        return dot
    found, drawn_records = assigned(case, dot), records(dot)
    for slot in case.reachable(root_of(case)):
        if slot not in found:
            labels = [label for _, label, _ in dot.nodes][:6]
            return Fault("", drawn(case), record_text(case, slot), "; ".join(labels) or "no nodes", step=slot)
    if len(drawn_records) > len(found):
        return Fault("", drawn(case), f"{len(found)} records", f"{len(drawn_records)} records")
    shapes = {shape for *_, shape in drawn_records.values()}
    if shapes - {"record", "Mrecord"}:
        return Fault("", drawn(case), "shape record", f"shape {min(shapes) or 'not set'}")
    return None


def record_text(case: Case, slot: int) -> str:
    """What a slot's record should say."""
    step, want = case.program.steps[slot], case.expected(slot)
    label = str(step.args[3]) if step.op == "labelled" else ""
    return f"{{ {label} | data {want.value or 0.0:.4f} | grad {want.grad:.4f} }}"


def operation_places(dot: Dot) -> dict[int, str]:
    """The drawn operations: place of the name → text."""
    values_drawn = records(dot)
    return {place: label.strip() for place, label, _ in dot.nodes if place not in values_drawn}


def operations(case: Case) -> Fault | None:
    """Every result has a node of its own for its operation."""
    dot = dot_of(case)
    if isinstance(dot, Fault):
        return dot
    want = sorted(op for slot in case.reachable(root_of(case)) if (op := case.expected(slot).op))
    got = sorted(operation_places(dot).values())
    return (
        None
        if want == got
        else Fault("", drawn(case), " ".join(want) or "no operations", " ".join(got) or "no operations")
    )


def edges(case: Case) -> Fault | None:
    """Edges run operand → operation → value, and nothing else is joined."""
    dot = dot_of(case)
    if isinstance(dot, Fault):
        return dot
    place_of, ops = assigned(case, dot), operation_places(dot)
    left = set(dot.edges)
    for slot in case.reachable(root_of(case)):
        op = case.expected(slot).op
        if not op or slot not in place_of:
            continue
        middle = [tail for tail, head in dot.edges if head == place_of[slot] and ops.get(tail) == op]
        if not middle:
            return edge_fault(case, op, case.names[slot])
        needed = {(middle[0], place_of[slot])} | {(place_of[p], middle[0]) for p in case.parents(slot) if p in place_of}
        if not needed <= set(dot.edges):
            return edge_fault(case, ", ".join(case.names[p] for p in case.parents(slot)), op)
        left -= needed
    if left or len(set(dot.edges)) < len(dot.edges):
        return Fault("", drawn(case), f"{len(set(dot.edges) - left)} edges", f"{len(dot.edges)} edges")
    return None


def edge_fault(case: Case, tail: str, head: str) -> Fault:
    """An edge that is missing."""
    return Fault("", drawn(case), f"{tail} -> {head}", "no such edge")


def rankdir(case: Case) -> Fault | None:
    """Left to right unless asked otherwise; anything but LR and TB is refused."""
    step = next(s for s in case.program.steps if s.op == "draw")
    asked, raised = str(step.args[1]), case.seen.raised
    call = f"draw_dot({operand(case.program, root_of(case), case.names)}"
    call += f", rankdir={asked!r})" if asked else ")"
    if asked not in ("", "LR", "TB"):
        if (
            raised is not None
            and raised.type != "NotImplementedError"
            and raised.file
            and case.program.steps[raised.step].op == "draw"
        ):
            return None
        if raised is not None and raised.step < len(case.program.steps) - 1:
            return raised_fault(case.program, raised)
        return Fault("", call, {"raised": "ValueError"}, {"raised": raised.type} if raised else "Digraph")
    if raised is not None:
        return raised_fault(case.program, raised)
    dot = dot_of(case)
    if isinstance(dot, Fault):
        return dot
    got = show(dot.rankdir)
    return (
        None
        if got == (asked or "LR")
        else Fault("", f"{call}.graph_attr.get('rankdir')", asked or "LR", got or "not set")
    )
