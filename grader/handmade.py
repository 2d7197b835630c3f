"""Graphs that only the constructor makes, out of small whole numbers like the programs of decode.py."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, pairwise

from grader.draft import GRADIENTS, NUMBERS, Draft, Rows
from grader.oracle import OutOfDomain
from grader.programs import Program, Step

LABELS = ("a", "b", "c", "x1", "w1", "n", "o", "L", "x1*w1", "sum", "d", "e", "f", "g", "u", "v", "w", "x", "y", "z")
"""Labels for drawing; no two nodes of a program share one."""

SHARED = 20
"""The longest chain that a recursion without a list of visited nodes can be let loose on."""

APART = 0.1
"""How far apart numbers are where they must tell nodes from one another in print."""


def _graph(draft: Draft, rows: Rows, *, apart: float = 0.0, shared: bool = True) -> int:
    """Nodes of the constructor, joined where that is possible; the last of them.

    All data is more than `apart` from one another, if that is not 0; unless `shared`, no node is used twice.
    """
    for kind, first, second in rows:
        operands = (first, second) if shared else (first - first % 2, second - second % 2)
        if len(draft.nodes) < draft.most:
            _attempt(draft, kind, operands if kind % 8 < 6 else operands[:1], apart)
    if len(draft.steps) < 2:
        _attempt(draft, 0, (0,), 0.0)
    while len(draft.loose) > 1 and _attempt(draft, 0, (0, 2), apart):
        pass
    return draft.nodes[-1]


def _attempt(draft: Draft, kind: int, operands: Sequence[int], apart: float) -> bool:
    """Add one node made by hand, with the leaves that it needs, unless it would be too large or come too close."""
    mark = draft.mark()
    try:
        draft.by_hand(kind, tuple(dict.fromkeys([draft.operand(n) for n in operands])))
    except OutOfDomain:
        draft.back(mark)
        return False
    values = sorted(draft.value(slot) for slot in draft.nodes)
    if apart and any(larger - smaller <= apart for smaller, larger in pairwise(values)):
        draft.back(mark)
        return False
    return True


def recorded(rows: Rows, extra: int, most: int = 8) -> Program:
    """A graph of the constructor whose nodes record the calls of their `_backward`, and one backward().

    An odd `extra` allows equal leaves; one with bit 1 adds a second output that is not asked. What the
    asked output does not reach has a gradient already.
    """
    draft = Draft(most, NUMBERS[:4], distinct=False) if extra % 2 else Draft(most)
    root = _graph(draft, rows)
    if extra & 2:
        _attempt(draft, extra // 4, (1 + 2 * (extra // 4), 32 + extra % 32), 0.0)
    for slot in draft.nodes:
        if draft.steps[slot].op == "node":
            draft.add("record", slot)
    beside = [slot for slot in draft.nodes if slot not in _below(draft, root)]
    for slot, x in zip(beside, cycle(GRADIENTS), strict=False):
        draft.add("set", slot, "grad", x)
    draft.add("backward", root)
    return draft.program()


def _below(draft: Draft, root: int) -> set[int]:
    """The slots that a node was made from, itself included."""
    found, waiting = {root}, [root]
    while waiting:
        operands = {edge[0] for edge in draft.run.edges[waiting.pop()] or ()} - found
        found |= operands
        waiting += operands
    return found


def graph(function: str, rows: Rows, which: int, style: int, *, shared: bool = True) -> Program:
    """A graph of the constructor, all data told apart in print, for print_graph, count_nodes, trace or draw_dot."""
    draft = Draft(most=10)
    root = _graph(draft, rows, apart=APART, shared=shared)
    if which % 4 == 3:
        root = draft.nodes[which // 4 % len(draft.nodes)]
    if function == "draw_dot":
        return _drawn(draft, root, which, style)
    last = Step("print", (root,)) if function == "print_graph" else Step("call", (function, root))
    return Program((*draft.steps, last))


def _drawn(draft: Draft, root: int, which: int, style: int) -> Program:
    """The same graph with labels, and with some gradients."""
    steps: list[Step] = []
    for step, label in zip(draft.steps, LABELS, strict=False):
        x, parents, op = step.args if step.op == "node" else (*step.args, (), "")
        steps.append(Step("labelled", (x, parents, op, label)))
    sets = [Step("set", (slot, "grad", x)) for slot, x in enumerate(GRADIENTS[: 1 + which % len(steps)])]
    return Program((*steps, *sets, Step("draw", (root, ("", "LR", "TB")[style % 3]))))


def chain(depth: int) -> Program:
    """`depth` nodes of the constructor, each made from the one before, that record their calls.

    In a chain of at most `SHARED` nodes each is made from the two before it. A longer one shares nothing,
    so that even a recursion that forgets where it has been comes to an end.
    """
    draft = Draft()
    draft.leaf(0)
    for _ in range(depth - 1):
        if depth <= SHARED:
            draft.by_hand(0, tuple(draft.nodes[-2:]))
        else:
            draft.make(draft.nodes[-1:], "node", NUMBERS[0], (draft.nodes[-1],), "+")
    root = draft.nodes[-1]
    for slot in draft.nodes[1:]:
        draft.add("record", slot)
    draft.add("backward", root)
    return draft.program()


def labelled(data: int, label: int, parents: int) -> Program:
    """A node with a label, or without one, whose `label` is read."""
    draft = Draft()
    above = (draft.leaf(parents),) if parents % 4 >= 2 else ()
    x, name = draft.fresh(data, NUMBERS), LABELS[label % len(LABELS)]
    args = (x, above, "ReLU" if above else "", name)
    draft.add("get", draft.add("leaf", x) if parents % 4 == 1 else draft.add("labelled", *args), "label")
    return draft.program()
