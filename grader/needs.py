"""What a program stands on: the checks without which its answer says nothing.

"One fault is not punished twice": a program that uses `*` tells nothing about `-` while
the student's `*` is wrong. A program needs the checks of its operations, except those of
the exercise that asks it; one that moves gradients needs their local gradients too, and
one that calls `backward()` their parents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grader.lesson import Check, Lesson
from grader.programs import CONSTRUCTORS, Program, Step

OWN_NUMBERS = frozenset({"built", "wrapping"})
"""Aspects that say nothing of an operation, even of their own exercise, whose numbers are wrong."""

LEAF, PARENTS = "value.leaf.numbers", "value.parents.structure"


def needs(lesson: Lesson, check: Check, program: Program, about: str) -> frozenset[str]:
    """The ids of the checks that have to pass before `program` can speak for `check`."""
    found = set(check.needs)
    if not check.carried:
        gradients = any(step.op in ("push", "backward") for step in program.steps)
        walks = about == "built" or any(step.op == "backward" for step in program.steps)
        for key in _closure(lesson, _operations(program)):
            operation = lesson.operations[key]
            if _elsewhere(operation.numbers, check) or about in OWN_NUMBERS:
                found.add(operation.numbers)
            if gradients and operation.gradient and (_elsewhere(operation.gradient, check) or about == "own"):
                found.add(operation.gradient)
            if walks and operation.structure and (_elsewhere(operation.structure, check) or about == "built"):
                found.add(operation.structure)
    if any(step.op == "backward" for step in program.steps) and has_twins(program):
        found |= {lesson.operations[sign].structure for sign in "+*"}
    return frozenset(found - {check.id})


def has_twins(program: Program) -> bool:
    """Whether two nodes of a program are made with equal data: an engine that hashes by value takes them for one."""
    made = [step.args[0] for step in program.steps if step.op in CONSTRUCTORS]
    return len(set(made)) < len(made)


def _elsewhere(check_id: str, check: Check) -> bool:
    return check_id.split(".", maxsplit=1)[0] != check.exercise


def _closure(lesson: Lesson, keys: Iterable[str]) -> set[str]:
    """The operations, and those that they are made of."""
    found: set[str] = set()
    waiting = list(keys)
    while waiting:
        key = waiting.pop()
        if key in lesson.operations and key not in found:
            found.add(key)
            waiting.extend(lesson.operations[key].uses)
    return found


def _operations(program: Program) -> Iterator[str]:
    """The keys of `[operations]` that a program's steps are."""
    numbers = {slot for slot, step in enumerate(program.steps) if step.op == "number"}
    for step in program.steps:
        yield from keys(step, numbers)


def keys(step: Step, numbers: set[int]) -> Iterator[str]:
    """The keys of one step; `numbers` are the slots that hold plain numbers."""
    match step.op, step.args:
        case "binary", ("**", *_):
            yield "**"
        case "binary", (str(sign), i, _) if i in numbers:
            yield "r" + sign
        case "binary", (str(sign), _, j):
            yield sign
            if j in numbers:
                yield "number"
        case "negate", _:
            yield "neg"
        case "sum", _:
            yield "sum"
        case "method", (str(name), _):
            yield name
