"""What an engine answered, as far as it was judged: one number a program, alike for alike mistakes.

Two engines with one mistake answer alike under the aspect that is asked, and only there:
one keeps ints and the other floats, one walks the graph in another order, one labels its
nodes in its own way. So each aspect has a *view* of the observation that holds what the
aspect judges and nothing else, numbers rounded; the fingerprint is a hash of the view.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Mapping

from grader.judge.building import ancestors
from grader.judge.calls import asked
from grader.judge.common import Case
from grader.judge.numbers import moved_slots
from grader.judge.printing import Line, read
from grader.observation import Crashed, Dot, Observed, Place, Raised, Scalar, Stalled
from grader.oracle import Answer
from grader.programs import references
from grader.tally import Trial

__all__ = ["RIGHT", "SILENT", "fingerprint"]

RIGHT, SILENT = 0, 1
"""What stands for a right answer, and for a program that could not speak."""

ODD = 0.7310585786300049
"""Numbers are scaled by it before rounding: then none that people write down lies where rounding changes over."""

DIGITS = 2.0**20
NOTHING = 1e-9
"""What is smaller is what rounding leaves of 0."""

DEEPEST = 4
"""How far down a derived result is looked at: no right engine builds deeper."""

QUOTED = re.compile(r"'([^']*)'")
NAMED = re.compile(r"'[^']*'|[\w.<>]+\(\)")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def fingerprint(trial: Trial, answer: Answer, loading: str = "") -> int:
    """A number for one trial: RIGHT, SILENT, or 32 bits (from 2 on) of what was wrong.

    `loading`: what kept files from being loaded, since a name that is missing for it looks the same whatever it was.
    """
    if trial.waiting_for:
        return SILENT
    if trial.fault is None:
        return RIGHT
    if trial.unwritten:
        return _hashed("unwritten")
    seen = trial.observation
    if isinstance(seen, Stalled | Crashed):
        return _hashed("ended")
    if not isinstance(seen, Observed):
        return SILENT
    if seen.raised is not None:
        return _hashed((*_raised(seen.raised), loading if trial.fault.clause == "missing-file" else ""))
    view = linked if trial.fault.clause == "cut" else VIEWS[trial.about]
    return _hashed(view(Case(trial.program, answer, seen)))


def _hashed(view: object) -> int:
    digest = hashlib.blake2b(repr(view).encode(), digest_size=4).digest()
    return max(int.from_bytes(digest, "little"), 2)


def _raised(raised: Raised) -> tuple[object, ...]:
    """Where it stopped and why: of a TypeError the words without names (the student's own), of others the names."""
    if raised.type == "TypeError":
        return ("raised", raised.step, raised.type, *NAMED.sub("", raised.message).split())
    return ("raised", raised.step, raised.type, *QUOTED.findall(raised.message))


def rounded(number: Scalar | None) -> object:
    """A number to six digits, as something that equal numbers share; anything else as it is."""
    if number is None or isinstance(number, str):
        return number
    if abs(number) < NOTHING:
        return 0
    mantissa, exponent = math.frexp(number * ODD)
    return (exponent, round(mantissa * DIGITS))


# ---------------------------------------------------------------- numbers


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


# ---------------------------------------------------------------- how nodes are built


def slots(case: Case) -> dict[int, int]:
    """Place of a node → the first slot that holds it."""
    return {case.place(slot): slot for slot in reversed(case.node_slots())}


def parents(case: Case, slot: int) -> object:
    """A node's parents: slots, and the numbers in hidden leaves."""
    node, known = case.node(slot), slots(case)
    if node is None:
        return result(case, slot)
    hidden = [case.seen.nodes[p].value if p >= 0 else "?" for p in node.parents if p not in known]
    broken = node.container if node.container.startswith("!") else ""
    own = {known[p] for p in node.parents if p in known}
    return (sorted(own), sorted(repr(rounded(h)) for h in hidden), broken)


def structure(case: Case) -> list[object]:
    """The parents of every node."""
    return [parents(case, slot) for slot in case.node_slots()]


def labels(case: Case) -> list[object]:
    """The label of every result."""
    return [node.op if (node := case.node(s)) else result(case, s) for s in case.operation_slots() or case.node_slots()]


def container(case: Case) -> list[object]:
    """The kind of collection that parents are in."""
    return [node.container for slot in case.node_slots() if (node := case.node(slot))]


def wrapping(case: Case) -> list[object]:
    """Numbers and parents of every result."""
    return [numbers(case), *(parents(case, slot) for slot in case.operation_slots())]


def built(case: Case) -> list[object]:
    """What derived results are made of, some levels down."""
    return [makings(case, case.place(slot), slots(case), DEEPEST, result(case, slot)) for slot in case.operation_slots()]


def makings(case: Case, place: int, known: Mapping[int, int], levels: int, otherwise: object = "?") -> object:
    """A node as its label and its parents', down to the program's own operands."""
    if place < 0:
        return otherwise
    node = case.seen.nodes[place]
    if not node.parents or not levels:
        return known.get(place, rounded(node.value))
    return (node.op, rounded(node.value), sorted(repr(makings(case, p, known, levels - 1)) for p in node.parents))


def formula(case: Case) -> list[object]:
    """The operations that a result of `my_tanh` is made of, and whether it leads to its argument."""
    view: list[object] = []
    for slot, step in enumerate(case.program.steps):
        if step.op == "call" and case.place(slot) >= 0:
            found = ancestors(case, case.place(slot))
            view += [sorted({case.seen.nodes[p].op for p in found}), case.place(references(step)[0]) in found]
        elif step.op == "call":
            view.append(result(case, slot))
    return view


def refusal(case: Case) -> object:
    """What came instead of an exception: a node by its parents, anything else by its kind."""
    return parents(case, len(case.program.steps) - 1)


# ---------------------------------------------------------------- calls


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


# ---------------------------------------------------------------- printed and drawn


def lines(case: Case) -> object:
    """The printed tree with siblings in order, or the text, its numbers rounded."""
    printed = case.seen.printed or ""
    tree = read(printed)
    return branch(tree) if tree is not None else NUMBER.sub(lambda n: f"{float(n[0]):.2f}", printed)


def branch(line: Line) -> tuple[object, ...]:
    """A printed line with what is below it, siblings sorted."""
    return (line.op, f"{float(line.number):.1f}", sorted(repr(branch(b)) for b in line.below))


def traced(case: Case) -> object:
    """What `trace` gave: nodes and edges by their slots."""
    seen, known = case.seen.traced, slots(case)
    if seen is None:
        return result(case, len(case.program.steps) - 1)
    nodes = sorted(known.get(p, -1) for p in seen.nodes)
    return (seen.containers, nodes, sorted((known.get(a, -1), known.get(b, -1)) for a, b in seen.edges))


def values(dot: Dot) -> object:
    """The drawn values, in any order."""
    return sorted((record(label), str(shape)) for _place, label, shape in dot.nodes if is_record(label))


def operations(dot: Dot) -> object:
    """The drawn operations, in any order."""
    return sorted(record(label) for _place, label, _shape in dot.nodes if not is_record(label))


def is_record(label: str) -> bool:
    """Whether a label is meant to show a value, right or not."""
    return any(sign in label for sign in ("|", "{", "data"))


def edges(dot: Dot) -> object:
    """What is joined with what."""
    text = {place: record(label) for place, label, _shape in dot.nodes}
    return sorted((text.get(tail, "?"), text.get(head, "?")) for tail, head in dot.edges)


def rankdir(dot: Dot) -> object:
    """Which way the drawing runs."""
    return dot.rankdir


def drawn(view: Callable[[Dot], object]) -> Callable[[Case], object]:
    """The view of a drawing; where none was made, what was given instead."""
    return lambda case: view(case.seen.dot) if case.seen.dot is not None else results(case)


def record(label: str) -> str:
    """A drawn label, its spacing and decimals evened out."""
    return NUMBER.sub(lambda n: f"{float(n[0]):.3f}", "".join(label.split()))


VIEWS: Mapping[str, Callable[[Case], object]] = {
    "numbers": numbers,
    "birth": birth,
    "own": numbers,
    "text": results,
    "arguments": arguments,
    "refusal": refusal,
    "structure": structure,
    "labels": labels,
    "container": container,
    "wrapping": wrapping,
    "built": built,
    "linked": numbers,
    "formula": formula,
    "callable": results,
    "seed": seed,
    "once": once,
    "order": order,
    "others": others,
    "lines": lines,
    "traced-nodes": traced,
    "traced-edges": traced,
    "values": drawn(values),
    "operations": drawn(operations),
    "edges": drawn(edges),
    "rankdir": drawn(rankdir),
}
"""The view of every aspect that `grader.judge` knows."""
