"""Views of what is printed, traced and drawn."""

from __future__ import annotations

import re
from collections.abc import Callable

from grader.fingerprint.building import slots
from grader.fingerprint.numbers import result, results
from grader.judge.common import Case
from grader.judge.printing import Line, read
from grader.observation import Dot

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


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
