"""What every aspect needs: the case at hand, and how observed things are shown."""

from __future__ import annotations

from functools import cached_property

from grader.observation import Crashed, Node, Observation, Observed, Place, Raised, Scalar, Stalled
from grader.oracle import Answer, Expected
from grader.programs import CONSTRUCTORS, Program, Step, function_of, makes_node, names, references
from grader.verdict import Fault, Shown


class Case:
    """A program that ran, with what was expected and what was seen."""

    def __init__(self, program: Program, answer: Answer, seen: Observed) -> None:
        self.program, self.answer, self.seen = program, answer, seen

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The slots' variable names."""
        return names(self.program)

    def expected(self, slot: int) -> Expected:
        """What the oracle says of a slot."""
        return self.answer.slots[slot]

    def place(self, slot: int) -> int:
        """Where slot's node stands among the observed nodes, -1 if it is none."""
        result = self.seen.results[slot] if slot < len(self.seen.results) else None
        return result.index if isinstance(result, Place) and result.index < len(self.seen.nodes) else -1

    def node(self, slot: int) -> Node | None:
        """The observed node in a slot."""
        place = self.place(slot)
        return self.seen.nodes[place] if place >= 0 else None

    def node_slots(self) -> list[int]:
        """The slots whose steps make a `Value`."""
        return [slot for slot, step in enumerate(self.program.steps) if makes_node(step)]

    def operation_slots(self) -> list[int]:
        """The slots whose steps make a `Value` by an operation, not by the constructor."""
        return [slot for slot in self.node_slots() if self.program.steps[slot].op not in CONSTRUCTORS]

    def parents(self, slot: int) -> tuple[int, ...]:
        """The distinct slots that a node was made from."""
        return tuple(
            dict.fromkeys(p for p in references(self.program.steps[slot]) if makes_node(self.program.steps[p]))
        )

    def reachable(self, root: int) -> list[int]:
        """`root` and every slot that it was computed from, each once, results before operands."""
        found: set[int] = {root}
        for slot in range(root, -1, -1):
            if slot in found:
                found.update(self.parents(slot))
        return sorted(found, reverse=True)


def close(got: Scalar, want: float, bound: float) -> bool:
    """Whether an observed number agrees with the oracle: both sides round, hence twice the bound."""
    return not isinstance(got, str) and abs(got - want) <= 2 * bound


def show(thing: Scalar | Place | None) -> Shown:
    """An observed thing as reports show it."""
    if thing is None:
        return "None"
    if isinstance(thing, Place):
        return "Value"
    if not isinstance(thing, str):
        return thing
    mark, rest = thing[:1], thing[1:]
    if mark == "!":
        return {"raised": rest}
    if mark == "?":
        return "None" if rest == "NoneType" else rest
    return rest if mark in ("=", "~") else thing


def number_fault(
    expression: str, want: float, got: Scalar, *, clause: str = "", step: int = -1, idle: bool = False
) -> Fault:
    """A number that is not what it should be."""
    detail: dict[str, str] = {}
    if isinstance(got, str):
        clause = {"~": "nan", "!": "attribute"}.get(got[:1], clause)
        detail = {"type": got[1:]}
    return Fault(clause, expression, want, show(got), detail=detail, step=step, idle=idle)


def failed_to_run(program: Program, observation: Observation) -> Fault:
    """The fault of a program that ended early: an exception, a limit, a crash, or never asked."""
    if isinstance(observation, Observed):
        assert observation.raised is not None
        return raised_fault(program, observation.raised)
    if isinstance(observation, Stalled):
        return Fault(observation.limit, "", "", observation.limit, no_result=True)
    if isinstance(observation, Crashed):
        clause = "protocol" if observation.how in ("protocol", "closed") else "crashed"
        return Fault(clause, "", "", observation.how, detail={"how": observation.how}, no_result=True)
    return Fault("unasked", "", "", "unasked", no_result=True)


def raised_fault(program: Program, raised: Raised) -> Fault:
    """The fault of a step that raised where it should not."""
    step = program.steps[raised.step] if raised.step < len(program.steps) else Step("number", (0,))
    detail = {"type": raised.type, "said": raised.message, "file": raised.file, "line": str(raised.line)}
    clause = "raised-at" if raised.file else "raised"
    if raised.type == "Uncallable":
        clause, detail = "uncallable", {}
    elif raised.type == "NotAvailable":
        clause, detail = "not-available", {"module": raised.message}
    elif raised.type == "MemoryError":
        clause = "memory"
    elif raised.type == "NameError" and not raised.file:
        clause, detail = "missing-file", {"name": function_of(step) or "Value"}
    shown = raised.message if raised.type == "Uncallable" else raised.type
    return Fault(clause, "", "no exception", {"raised": shown}, detail=detail, no_result=True, step=raised.step)


def not_a_node(case: Case, slot: int) -> Fault:
    """The fault of a step that should give a `Value` and gave something else."""
    got = case.seen.results[slot]
    shown = show(got)
    clause = "none" if shown == "None" else "not-a-value"
    kind = type(got).__name__ if isinstance(got, (int, float)) else str(shown)
    return Fault(
        clause,
        f"type({case.names[slot]}).__name__",
        "Value",
        "NoneType" if clause == "none" else kind,
        detail={"type": kind},
        no_result=True,
        step=slot,
    )
