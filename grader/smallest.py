"""The smallest program that still shows a fault: what a student is shown.

Faults in the order of `backward()` can depend on the order in which Python visits a set,
which differs from run to run on the student's machine. So a program is preferred that shows
the fault whichever way sets iterate; where there is none, the report says so.
"""

from __future__ import annotations

import msgspec

from grader.examination import RECORDED, Examination
from grader.judge import judge
from grader.lesson import Check
from grader.oracle import in_domain
from grader.programs import CONSTRUCTORS, Program
from grader.unwritten import is_unwritten
from grader.variants import size, smaller
from grader.verdict import Fault, Verdict

ROUNDS = 6
"""How often a failing program is made smaller."""

FEW = 9
"""Lines that a student reads willingly."""

WHOLE = frozenset({"unasked", "cpu", "wall", "memory", "crashed", "output", "protocol"})
"""Faults that cost a worker to see again: their programs stay as they are."""


def make_small(examination: Examination, verdict: Verdict) -> Verdict:
    """The verdict with the smallest program that still shows its kind of fault."""
    program, fault = verdict.program, verdict.fault
    if verdict.outcome != "failed" or program is None or fault is None or fault.clause in WHOLE:
        return verdict
    return Reducer(examination, verdict.check).reduce(verdict)


class Reducer:
    """Makes the failing programs of one check smaller."""

    def __init__(self, examination: Examination, check: Check) -> None:
        self.examination, self.check = examination, check
        self.engine = examination.engine_for(check)
        self.tally = examination.tallies[check.id]

    def reduce(self, verdict: Verdict) -> Verdict:
        """The smallest program that shows the fault: steadily if that takes few lines, else with a word on it."""
        assert verdict.program is not None
        assert verdict.fault is not None
        best = self.shrunk(verdict.program, verdict.fault, steady=False)
        if any(step.op == "backward" for step in best[0].steps) and self.fault_of(best[0], mirrored=True) is None:
            lasting = self.lasting()
            steady = self.shrunk(*lasting, steady=True) if lasting else None
            if steady and size(steady[0])[0] < FEW:
                best = steady
            else:
                best = best[0], msgspec.structs.replace(best[1], unsteady=True)
        return msgspec.structs.replace(verdict, program=best[0], fault=best[1])

    def lasting(self) -> tuple[Program, Fault] | None:
        """The smallest of the check's programs that shows its fault whichever way sets iterate."""
        failing = {t.program: t.fault for t in self.tally.trials if t.fault and not t.fault.no_result}
        return next(
            ((p, failing[p]) for p in sorted(failing, key=size) if self.fault_of(p, mirrored=True) is not None), None
        )

    def shrunk(self, program: Program, fault: Fault, *, steady: bool) -> tuple[Program, Fault]:
        """A program made smaller as long as that goes."""
        for _ in range(ROUNDS):
            found = self.step(program, fault, steady=steady)
            if found is None:
                break
            program, fault = found
        return program, fault

    def step(self, program: Program, fault: Fault, *, steady: bool) -> tuple[Program, Fault] | None:
        """The first smaller program with a fault of the same kind."""
        about, kind = self.about(program), self.kind(program, fault)
        candidates = [c for c in smaller(program) if in_domain(c) and not self.examination.unmet(self.check, c, about)]
        self.examination.observe(candidates, self.engine)
        for candidate in candidates:
            found = self.fault_of(candidate)
            if found is None or self.kind(candidate, found) != kind:
                continue
            moves = any(step.op == "backward" for step in candidate.steps)
            if steady and moves and self.fault_of(candidate, mirrored=True) is None:
                continue
            return candidate, found
        return None

    def kind(self, program: Program, fault: Fault) -> tuple[object, ...]:
        """What has to stay the same for it to be the same fault: its clause, and the kind of step at fault."""
        step = program.steps[fault.step] if fault.step >= 0 else None
        made = "constructor" if step and step.op in CONSTRUCTORS else step and step.op
        named = step.args[0] if step and step.op in ("binary", "method", "call") else None
        return fault.clause, fault.no_result, made, named

    def about(self, program: Program) -> str:
        """The aspect that a program is judged under: recorded programs may have been asked by gradients."""
        recorded = any(step.op == "record" for step in program.steps)
        return "numbers" if self.tally.about in RECORDED and not recorded else self.tally.about

    def fault_of(self, program: Program, *, mirrored: bool = False) -> Fault | None:
        """What a program shows, if it may speak and has been begun."""
        if mirrored:
            observation = self.engine.ask([program], mirrored=True)[0]
        else:
            observation = self.examination.observe([program], self.engine)[0]
        if self.examination.built_on_sand(self.check, program, observation):
            return None
        found = judge(program, self.examination.expected(program), observation, self.about(program))
        return None if found is None or is_unwritten(self.engine, program, observation) else found
