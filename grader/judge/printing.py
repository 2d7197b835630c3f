"""What `print_graph` prints, read back as a tree and compared with the graph."""

from __future__ import annotations

import re

from grader.judge.common import Case
from grader.verdict import Fault

LINE = re.compile(r"^( *)Value\(data=(-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\)\s+op=(.*?)\s*$")


class Line:
    """One printed line: its level, number, operation, and the lines below it."""

    def __init__(self, level: int, number: str, op: str) -> None:
        self.level, self.number, self.op = level, number, op
        self.below: list[Line] = []


def lines(case: Case) -> Fault | None:
    """The printed tree is the graph: siblings in any order, a node met again without its parents."""
    slot = next(int(s.args[0]) for s in case.program.steps if s.op == "print")  # type: ignore[arg-type]
    printed = case.seen.printed or ""
    tree = read(printed)
    if tree is not None and matches(case, tree, slot, set()):
        return None
    return Fault("", "", expected_text(case, slot), printed.rstrip("\n") or "nothing")  # the program itself prints it


def read(printed: str) -> Line | None:
    """The printed lines as a tree, or None if they are not one."""
    root: Line | None = None
    path: list[Line] = []
    for text in printed.splitlines():
        if not text.strip():
            continue
        found = LINE.match(text)
        if found is None or len(found[1]) % 2:
            return None
        line = Line(len(found[1]) // 2, found[2], found[3])
        if line.level > len(path) or (line.level == 0 and root is not None):
            return None
        del path[line.level :]
        if path:
            path[-1].below.append(line)
        else:
            root = line
        path.append(line)
    return root


def matches(case: Case, line: Line, slot: int, met: set[int]) -> bool:
    """Whether a line and what is below it print slot `slot`, given the nodes met before it.

    Adds to `met` what the line prints; where siblings look alike, each assignment is tried.
    """
    value, op = case.expected(slot).value, case.expected(slot).op or "leaf"
    if value is None or line.op != op or not within_last_decimal(line.number, value):
        return False
    if slot in met:
        return not line.below
    met.add(slot)
    return assign(case, line.below, case.parents(slot), met)


def assign(case: Case, below: list[Line], parents: tuple[int, ...], met: set[int]) -> bool:
    """Whether some assignment of printed lines to parents fits."""
    if len(below) != len(parents):
        return False
    if not below:
        return True
    for parent in parents:
        trial = set(met)
        rest = tuple(p for p in parents if p != parent)
        if matches(case, below[0], parent, trial) and assign(case, below[1:], rest, trial):
            met |= trial
            return True
    return False


def within_last_decimal(number: str, value: float) -> bool:
    """Whether a printed number is `value` to within one unit of its last decimal."""
    mantissa, _, exponent = number.partition("e")
    decimals = len(mantissa.partition(".")[2]) - int(exponent or 0)
    return abs(float(number) - value) <= 10.0**-decimals * (1 + 1e-9)


def expected_text(case: Case, slot: int) -> str:
    """One right way to print the graph."""
    met: set[int] = set()
    text: list[str] = []

    def walk(at: int, level: int) -> None:
        want = case.expected(at)
        text.append(f"{'  ' * level}Value(data={want.value or 0.0:.2f}) op={want.op or 'leaf'}")
        if at not in met:
            met.add(at)
            for parent in case.parents(at):
                walk(parent, level + 1)

    walk(slot, 0)
    return "\n".join(text)
