"""A program being run by the oracle, backward: gradients, and attributes that are set and read.

A gradient's bound allows for any order of adding up what comes from several results.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress

from grader.arithmetic import INF, LIMIT, NOTHING, UNIT, OutOfDomain, given
from grader.errors import LessonError
from grader.tape import Edge, Tape

ROUNDING = 8 * UNIT
"""What one summand of a gradient may lose, relative to it: multiplied, then added to a dozen others in any order."""


def backward(tape: Tape, root: int) -> None:
    """Seed 1, then every reachable node once: slots already stand in topological order."""
    tape.node(root)
    tape.fill()
    tape.grads[root] = 1.0
    reached = bytearray(root + 1)
    reached[root] = 1
    _flow(tape, range(root, -1, -1), reached)
    if tape.swept or tape.touched:
        _untouched(tape, reached)
    tape.swept.append(reached)
    tape.put(NOTHING)


def push(tape: Tape, i: int) -> None:
    """One node's `_backward`, onto whatever gradients there are."""
    tape.node(i)
    tape.fill()
    for operand, _, _ in tape.edges[i] or ():
        tape.grad_errors[operand] += UNIT * abs(tape.grads[operand])
        tape.touched.add(operand)
    reached = bytearray(i + 1)
    reached[i] = 1
    _flow(tape, (i,), reached)
    tape.put(NOTHING)


def _flow(tape: Tape, order: Iterable[int], reached: bytearray) -> None:
    """Add each node's gradient times the local derivatives to its operands, and note these as reached."""
    all_edges, grads, errors, changed = tape.edges, tape.grads, tape.grad_errors, tape.changed
    for index in order:
        edges = all_edges[index]
        if not edges or not reached[index]:
            continue
        if changed:
            _unchanged(tape, index, edges)
        grad, error = grads[index], errors[index]
        size = abs(grad)
        for operand, local, local_error in edges:
            reached[operand] = 1
            grads[operand] += grad * local
            steep = abs(local)
            errors[operand] += (steep + local_error) * error + size * (local_error + ROUNDING * steep)


def _untouched(tape: Tape, reached: bytearray) -> None:
    """Refuse a sweep over nodes that have a gradient: engines may add to it, or begin anew."""
    touched = tape.touched.union(*(compress(range(len(earlier)), earlier) for earlier in tape.swept))
    if any(i < len(reached) and reached[i] for i in touched):
        raise OutOfDomain("backward() over a node that already has a gradient")


def _unchanged(tape: Tape, index: int, edges: tuple[Edge, ...]) -> None:
    """Refuse a node whose data, or an operand's, was set after it was made: engines may read either data."""
    if any(tape.changed.get(i, 0) > index for i in (index, *(edge[0] for edge in edges))):
        raise OutOfDomain("a gradient through data that was set afterwards")


def record(tape: Tape, i: int) -> None:
    """A `_backward` that only records: nothing flows through the node any more."""
    tape.node(i)
    tape.edges[i] = tuple([(operand, 0.0, 0.0) for operand, _, _ in tape.edges[i] or ()])
    tape.put(NOTHING)


# ---------------------------------------------------------------- attributes


def assign(tape: Tape, i: int, attribute: str, x: float | str) -> None:
    """Set `grad`, `data` or `label`."""
    tape.node(i)
    if attribute == "label":
        tape.labels[i] = str(x)
    elif isinstance(x, str) or attribute not in {"grad", "data"}:
        raise _unknown(attribute)
    elif not abs(x) <= LIMIT:
        raise OutOfDomain(f"{attribute} set to {x!r}")
    elif attribute == "data":
        tape.numbers[i] = given(float(x))
        tape.changed[i] = len(tape.numbers)
    else:
        _set_gradient(tape, i, float(x))
    tape.put(NOTHING)


def _set_gradient(tape: Tape, i: int, x: float) -> None:
    tape.fill()
    tape.grads[i], tape.grad_errors[i] = x, 0.0
    tape.touched.discard(i)
    for reached in tape.swept:
        if i < len(reached):
            reached[i] = 0
    if x:
        tape.touched.add(i)


def read(tape: Tape, i: int, attribute: str) -> None:
    """Get `grad`, `data` or `label`, as it stands now."""
    data = tape.node(i)
    if attribute == "grad":
        tape.fill()
        tape.put((tape.grads[i], tape.grad_errors[i], INF))
    elif attribute == "data":
        tape.put(data)
    elif attribute == "label":
        tape.labels[len(tape.numbers)] = tape.labels.get(i, "")
        tape.put(NOTHING)
    else:
        raise _unknown(attribute)


def _unknown(attribute: str) -> LessonError:
    return LessonError(f"the oracle does not know the attribute {attribute!r}; programs use grad, data and label")
