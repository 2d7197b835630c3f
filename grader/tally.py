"""Trials of programs, and what they come to for a check."""

from __future__ import annotations

import msgspec

from grader.lesson import Check
from grader.observation import Observation
from grader.programs import Program
from grader.variants import size
from grader.verdict import Fault, Verdict

SECONDARY = frozenset({"labels", "built", "callable", "container"})
"""Aspects of a result: where an operation gives none at all, they have nothing to look at."""

RIGHT, SILENT = 0, 1
"""What stands, among fingerprints, for a right answer, and for a program that could not speak."""


class Trial(msgspec.Struct):
    """How one program came out for one check."""

    program: Program
    fault: Fault | None = None
    waiting_for: frozenset[str] = frozenset()
    """What has to pass before this program says anything; then `fault` is None."""
    unwritten: bool = False
    """The student has not begun what this program asks."""
    spoils: bool = False
    """It waits, and what the check's other programs say is no evidence without it."""
    observation: Observation | None = None
    """What was judged, if anything was."""
    about: str = ""
    """The aspect that it was judged under."""


class Tally(msgspec.Struct):
    """All trials of one check."""

    check: Check
    about: str
    trials: list[Trial]

    def outcome(self) -> Verdict:
        """The verdict of the trials: see LESSON's rules on blocking, in `grader.needs`."""
        asked = [t for t in self.trials if not t.waiting_for]
        if any(t.spoils for t in self.trials):
            asked = [t for t in asked if t.fault]
        empty = [t for t in asked if t.unwritten or (t.fault and t.fault.no_result)]
        if self.about in SECONDARY and len(empty) < len(asked):
            asked = [t for t in asked if t not in empty]
        failed = [t for t in asked if t.fault and not t.unwritten]
        unwritten = [t for t in asked if t.unwritten]
        if failed:
            worst = min(failed, key=lambda trial: size(trial.program))
            return Verdict(self.check, "failed", worst.fault, worst.program)
        if unwritten:
            return Verdict(self.check, "not-started", unwritten[0].fault, unwritten[0].program)
        if asked:
            return Verdict(self.check, "passed")
        if self.trials and all(t.unwritten for t in self.trials):
            return Verdict(self.check, "not-started")
        waiting = sorted(set().union(*(t.waiting_for for t in self.trials)))
        return Verdict(self.check, "blocked", waiting_for=tuple(waiting)) if waiting else Verdict(self.check, "broken")

    def idle(self) -> bool:
        """Whether no program of this check saw a gradient change where one should."""
        faults = [t.fault for t in self.trials if t.fault and not t.unwritten]
        return bool(faults) and all(fault.idle for fault in faults)
