"""What judging comes to: faults in single programs, verdicts on checks.

A fault is a value: a clause that says what kind of thing is wrong, an expression that
shows it in Python, what it should be and what it is. Words come last, in the
student's language.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from grader.i18n import N_, _
from grader.lesson import Check
from grader.programs import Program

Outcome = Literal["passed", "failed", "not-started", "blocked", "broken"]
Shown = int | float | str | dict[str, str]
"""A value as reports show it: a number, a text, or `{"raised": "TypeError"}`."""


class Fault(msgspec.Struct, frozen=True):
    """One program's wrong answer under one aspect."""

    clause: str
    """What kind of fault it is: a key of CLAUSES, or '' where the check's own sentence says it all."""
    expression: str
    """Python that shows it, run after the program; '' where the program itself raises."""
    expected: Shown
    got: Shown
    detail: dict[str, str] = {}
    """What the clause's sentence needs: an exception's text, a file and line."""
    no_result: bool = False
    """The operation gave no `Value` at all, so there is nothing to look at."""
    idle: bool = False
    """No gradient changed: `_backward` did nothing."""
    unsteady: bool = False
    """Whether it shows depends on the order in which Python visits a set."""
    carried: bool = False
    """Whether it was seen on the reference's `Value`, in place of the student's."""
    step: int = -1
    """The slot of the step at fault, -1 if it is no single one."""


class Verdict(msgspec.Struct, frozen=True):
    """The outcome of one check."""

    check: Check
    outcome: Outcome
    fault: Fault | None = None
    program: Program | None = None
    """The program that shows the fault, made small."""
    waiting_for: tuple[str, ...] = ()
    """The checks that have to pass first, where it is blocked."""


CLAUSES = {
    "raised": N_("It raises {type}: {said}"),
    "raised-at": N_("It raises {type} in {file}, line {line}: {said}"),
    "none": N_("The result is None: is a `return` missing?"),
    "not-a-value": N_("The result is {type}, not a Value."),
    "operand": N_("The operation changes its operand."),
    "nan": N_("The result is not a finite number."),
    "attribute": N_("Reading it raises {type}."),
    "cut": N_("The number is right, but the graph does not lead back to `{name}`."),
    "unwrapped": N_("The plain number is not among the parents as a leaf."),
    "same": N_("It returns its operand; a new node is asked, for 0 and 1 too."),
    "data": N_("Part of the formula is computed outside the graph: a leaf of it changes with x."),
    "raw": N_("A plain number was put among the parents as it is; it has to become a Value first."),
    "uncallable": N_("The result's `_backward` cannot be called without arguments."),
    "idle": N_("`_backward` changes nothing."),
    "cpu": N_("It does not come to an end: is there an endless loop or recursion?"),
    "wall": N_("It waits for something and does not come to an end."),
    "memory": N_("It uses more memory than it may."),
    "output": N_("It prints without end."),
    "crashed": N_("It ends Python ({how})."),
    "protocol": N_("The answers of this submission cannot be read."),
    "unasked": N_("It was not run: too many earlier programs hung or crashed."),
    "missing-file": N_("{name} could not be loaded: see the problem above."),
    "not-available": N_("It uses {module}, which is not there while grading."),
}


def sentence(check: Check, fault: Fault, lang: str) -> str:
    """One sentence or two on a fault: what happened where that says more, and what is right."""
    if fault.clause == "missing-file":
        return _(CLAUSES[fault.clause]).format(**fault.detail)
    why = check.why.say(lang)
    if fault.unsteady:
        why += " " + _("Python visits a set in no fixed order: paste it several times.")
    if fault.carried:
        why += " " + _("(This was asked on the lesson's own `Value`, since it fails on yours too.)")
    if not fault.clause:
        return why
    what = _(CLAUSES[fault.clause]).format(**fault.detail).rstrip(": ")
    return f"{what} {why}" if what.endswith((".", "?", "!")) else f"{what}. {why}"
