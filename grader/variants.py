"""Other programs made from a program: smaller ones that may show the same fault, and stand-ins.

All of them stay in the vocabulary of the program they come from.
"""

from __future__ import annotations

from collections.abc import Iterator

from grader.programs import Arg, Program, Step, makes_node, references, to_python

PLAIN_NUMBERS = (2.0, 3.0, 1.0, -1.0, 0.5, -2.0)
LONG = 20
"""Above so many steps only a step's own operands may stand in for it: all earlier ones would be too many to try."""

MOVERS = frozenset({"set", "push", "record", "backward", "print", "draw"})
"""Steps that are asked for what they do, not for their result."""


# ---------------------------------------------------------------- made small


def size(program: Program) -> tuple[int, int]:
    """How much a student has to read: lines, then characters."""
    text = to_python(program)
    return text.count("\n"), len(text)


def smaller(program: Program) -> list[Program]:
    """Programs with fewer or plainer steps, smallest first; none equals the program."""
    found = {tidy(candidate) for candidate in _candidates(program)} - {program}
    limit = size(program)
    return sorted((c for c in found if c.steps and size(c) < limit), key=lambda c: (size(c), to_python(c)))


def _candidates(program: Program) -> Iterator[Program]:
    last = program.steps[-1]
    pushed = {step.args[0] for step in program.steps if step.op == "push"}
    for slot, step in enumerate(program.steps):
        if step.op in ("push", "backward", "print", "draw", "call", "slope"):
            continue
        operands = references(step)
        if step.op in MOVERS or step.op == "get":
            if Step("push", step.args[:1]) not in program.steps:  # what is pushed keeps a gradient to push
                yield _without(program, {slot})
            yield from (_replace(program, slot, plain) for plain in _plainer(step))
            continue
        near = range(slot) if len(program) <= LONG else operands
        for other in near:  # let an earlier result stand in for this one
            if makes_node(program.steps[other]) and makes_node(step) and slot not in pushed:
                yield _redirect(program, slot, other)
        if makes_node(step) and operands and slot not in pushed:
            yield _replace(program, slot, Step("leaf", (2.0,)))
        yield from (_replace(program, slot, plain) for plain in _plainer(step))
    if last.op in ("number", "leaf", "node", "binary", "negate", "sum", "method"):
        for end in range(1, len(program.steps)):  # an earlier result as the last one
            yield Program(program.steps[:end])


def _plainer(step: Step) -> Iterator[Step]:
    """The same step with a plainer number, or fewer parts."""
    if step.op in ("number", "leaf", "node", "labelled"):
        for x in PLAIN_NUMBERS:
            if is_plainer(x, step.args[0]):
                yield Step(step.op, (x, *step.args[1:]))
    if step.op == "set" and step.args[1] == "grad":
        yield from (Step("set", (*step.args[:2], x)) for x in PLAIN_NUMBERS if is_plainer(x, step.args[2]))
    if step.op in ("node", "labelled", "sum"):
        where = 0 if step.op == "sum" else 1
        parts = step.args[where]
        assert isinstance(parts, tuple)
        for drop in range(len(parts)):
            rest = parts[:drop] + parts[drop + 1 :]
            if rest:
                yield Step(step.op, (*step.args[:where], rest, *step.args[where + 1 :]))
        if step.op == "node":
            yield Step("leaf", (step.args[0],))


def is_plainer(x: float, number: Arg) -> bool:
    """Whether `x` is easier to read than `number`: shorter, or one of the plain ones at the same length."""
    return len(repr(x)) < len(repr(number)) or (number not in PLAIN_NUMBERS and len(repr(x)) == len(repr(number)))


def _replace(program: Program, slot: int, step: Step) -> Program:
    return Program((*program.steps[:slot], step, *program.steps[slot + 1 :]))


def _without(program: Program, gone: set[int]) -> Program:
    """The program without some steps that nothing refers to."""
    place: dict[int, int] = {}
    steps: list[Step] = []
    for slot, step in enumerate(program.steps):
        if slot not in gone:
            place[slot] = len(steps)
            steps.append(remap(step, place))
    return Program(tuple(steps))


def _redirect(program: Program, slot: int, other: int) -> Program:
    place = {i: i for i in range(len(program.steps))} | {slot: other}
    return Program(tuple(step if i <= slot else remap(step, place) for i, step in enumerate(program.steps)))


def remap(step: Step, place: dict[int, int]) -> Step:
    """The step with its slots renumbered."""

    def to(slot: Arg) -> int:
        assert isinstance(slot, int)
        return place[slot]

    match step.op, step.args:
        case (("node" | "labelled"), (x, tuple() as parents, *rest)):
            return Step(step.op, (x, tuple(dict.fromkeys(to(p) for p in parents)), *rest))
        case "sum", (tuple() as items,):
            return Step("sum", (tuple(to(p) for p in items),))
        case "binary", (sign, i, j):
            return Step("binary", (sign, to(i), to(j)))
        case (("method" | "call"), (name, i)):
            return Step(step.op, (name, to(i)))
        case (("number" | "leaf" | "slope"), _):
            return step
        case _, (i, *rest):
            return Step(step.op, (to(i), *rest))
    message = f"a step that programs do not know: {step!r}; see the table in grader/programs.py"
    raise ValueError(message)


def tidy(program: Program) -> Program:
    """The program without steps whose results nothing uses, nor anything observes."""
    steps = program.steps
    last = max((i for i, s in enumerate(steps) if s.op not in ("set", "record", "number")), default=-1)
    wanted = {last}
    for slot in range(len(steps) - 1, -1, -1):
        step = steps[slot]
        if slot in wanted or step.op in MOVERS:
            if step.op in ("set", "record") and references(step)[0] not in wanted:
                continue
            wanted.add(slot)
            wanted.update(references(step))
    return _without(program, set(range(len(steps))) - wanted)


# ---------------------------------------------------------------- asked in another way


def through_backward(program: Program) -> Program | None:
    """A local program asked through `backward()`, for results without a callable `_backward`.

    A hand-made operand becomes a sum: an engine that computes gradients from `_op` and `_prev` could
    make no sense of it. None where that cannot be.
    """
    steps: list[Step] = []
    place: dict[int, int] = {}
    for slot, step in enumerate(program.steps):
        if step.op == "set":
            continue
        if step.op == "node":
            parents = step.args[1]
            assert isinstance(parents, tuple)
            parent = steps[place[int(parents[0])]] if len(parents) == 1 else Step("number")
            if parent.op != "leaf":
                return None
            steps.append(Step("leaf", (float(step.args[0]) - float(parent.args[0]),)))  # type: ignore[arg-type]  # ('leaf', (x,))
            steps.append(Step("binary", ("+", place[int(parents[0])], len(steps) - 1)))
        else:
            steps.append(Step("backward", (place[int(step.args[0])],)) if step.op == "push" else remap(step, place))  # type: ignore[arg-type]
        place[slot] = len(steps) - 1
    return Program(tuple(steps))


def by_gradients(program: Program) -> Program | None:
    """A recorded program as sums of real nodes, for engines whose `backward()` calls no recorders.

    A node becomes the sum of its parents; one with a single parent, that plus a leaf.
    """
    steps: list[Step] = []
    place: dict[int, int] = {}
    for slot, step in enumerate(program.steps):
        if step.op == "record":
            continue
        if step.op == "node" and step.args[1]:
            parents = [place[int(p)] for p in step.args[1]]  # type: ignore[union-attr]
            if len(parents) == 1:
                steps.append(Step("leaf", (1.0,)))
                parents.append(len(steps) - 1)
            total = parents[0]
            for parent in parents[1:]:
                steps.append(Step("binary", ("+", total, parent)))
                total = len(steps) - 1
            place[slot] = total
        else:
            place[slot] = len(steps)
            steps.append(remap(step, place))
    return Program(tuple(steps))
