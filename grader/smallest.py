"""The smallest program that still shows a fault: what a student is shown."""

from __future__ import annotations

import msgspec

from grader.engine import Engine
from grader.examination import RECORDED, Examination
from grader.judge import judge
from grader.lesson import Check
from grader.oracle import in_domain
from grader.programs import Program
from grader.unwritten import is_unwritten
from grader.variants import smaller
from grader.verdict import Fault, Verdict

ROUNDS = 6
"""How often a failing program is made smaller."""

WHOLE = frozenset({"unasked", "cpu", "wall", "crashed", "output"})
"""Faults that cost a worker to see again, or that no smaller program is sure to show."""


def make_small(examination: Examination, verdict: Verdict) -> Verdict:
    """The verdict with the smallest program that still shows its kind of fault."""
    best, fault, check = verdict.program, verdict.fault, verdict.check
    if (
        best is None
        or fault is None
        or verdict.outcome != "failed"
        or fault.clause in ("unasked", "cpu", "wall", "crashed", "output")
    ):
        return verdict
    about = examination.tallies[check.id].about
    about = "numbers" if about in RECORDED and not any(s.op == "record" for s in best.steps) else about
    engine = examination.engine_for(check)
    for _ in range(ROUNDS):
        found = _smaller_fault(examination, check, best, fault, about, engine)
        if found is None:
            break
        best, fault = found
    return msgspec.structs.replace(verdict, program=best, fault=fault)


def _smaller_fault(
    examination: Examination, check: Check, program: Program, fault: Fault, about: str, engine: Engine
) -> tuple[Program, Fault] | None:
    candidates = [c for c in smaller(program) if in_domain(c) and not examination.unmet(check, c, about)]
    for candidate, observation in zip(candidates, examination.observe(candidates, engine), strict=True):
        if examination.built_on_sand(check, candidate, observation):
            continue
        found = judge(candidate, examination.expected(candidate), observation, about)
        alike = found is not None and found.clause == fault.clause and found.no_result == fault.no_result
        if found is not None and alike and not is_unwritten(engine, candidate, observation):
            return candidate, found
    return None
