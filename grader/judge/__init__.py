"""Judging: one program, its expected answer and what was observed, under one aspect.

`judge` returns a `Fault`, or None where the observation agrees with arithmetic. Each
aspect is one function of the modules below, in the table `ASPECTS`; a check's module
says which aspect it is `about`.
"""

from __future__ import annotations

from collections.abc import Callable

from grader.judge import building, calls, drawing, numbers, printing
from grader.judge.common import Case, failed_to_run
from grader.observation import Observation, Observed
from grader.oracle import Answer
from grader.programs import Program
from grader.verdict import Fault

ASPECTS: dict[str, Callable[[Case], Fault | None]] = {
    "numbers": numbers.numbers,
    "birth": numbers.birth,
    "own": numbers.own,
    "text": numbers.text,
    "arguments": numbers.arguments,
    "refusal": numbers.refusal,
    "structure": building.structure,
    "labels": building.labels,
    "container": building.container,
    "wrapping": building.wrapping,
    "built": building.built,
    "linked": building.linked,
    "formula": building.formula,
    "callable": building.pushable,
    "seed": calls.seed,
    "once": calls.once,
    "order": calls.order,
    "others": calls.others,
    "lines": printing.lines,
    "traced-nodes": drawing.traced_nodes,
    "traced-edges": drawing.traced_edges,
    "values": drawing.values,
    "operations": drawing.operations,
    "edges": drawing.edges,
    "rankdir": drawing.rankdir,
}

MAY_RAISE = frozenset({"refusal", "callable", "rankdir"})
"""Aspects that look at an exception themselves."""


def judge(program: Program, answer: Answer, observation: Observation, about: str) -> Fault | None:
    """What is wrong with an observation under one aspect, or None."""
    if not isinstance(observation, Observed) or (observation.raised and about not in MAY_RAISE):
        return failed_to_run(program, observation)
    return ASPECTS[about](Case(program, answer, observation))
