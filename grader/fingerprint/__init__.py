"""What an engine answered, as far as it was judged: one number a program, alike for alike mistakes.

Two engines with one mistake answer alike under the aspect that is asked, and only there:
one keeps ints and the other floats, one walks the graph in another order, one labels its
nodes in its own way. So each aspect has a *view* of the observation that holds what the
aspect judges and nothing else, numbers rounded; the fingerprint is a hash of the view.
The views stand in modules that go with those of `grader.judge`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping

from grader.fingerprint import building, calls, drawing, numbers
from grader.judge.common import Case
from grader.observation import Crashed, Observed, Raised, Stalled
from grader.oracle import Answer
from grader.tally import RIGHT, SILENT, Trial

__all__ = ["VIEWS", "fingerprint"]

QUOTED = re.compile(r"'([^']*)'")
NAMED = re.compile(r"'[^']*'|[\w.<>]+\(\)")

VIEWS: Mapping[str, Callable[[Case], object]] = {
    "numbers": numbers.numbers,
    "birth": numbers.birth,
    "own": numbers.numbers,
    "text": numbers.results,
    "arguments": numbers.arguments,
    "refusal": building.refusal,
    "structure": building.structure,
    "labels": building.labels,
    "container": building.container,
    "wrapping": building.wrapping,
    "built": building.built,
    "linked": numbers.numbers,
    "formula": building.formula,
    "callable": numbers.results,
    "seed": calls.seed,
    "once": calls.once,
    "order": calls.order,
    "others": calls.others,
    "lines": drawing.lines,
    "traced-nodes": drawing.traced,
    "traced-edges": drawing.traced,
    "values": drawing.drawn(drawing.values),
    "operations": drawing.drawn(drawing.operations),
    "edges": drawing.drawn(drawing.edges),
    "rankdir": drawing.drawn(drawing.rankdir),
}
"""The view of every aspect that `grader.judge` knows."""


def fingerprint(trial: Trial, answer: Answer, loading: str = "") -> int:
    """A number for one trial: RIGHT, SILENT, or 32 bits (from 2 on) of what was wrong.

    `loading`: what kept files from being loaded, since a name that is missing for it looks the same whatever it was.
    """
    if trial.waiting_for:
        return SILENT
    if trial.fault is None:
        return RIGHT
    if trial.unwritten:
        return _hashed("unwritten")
    seen = trial.observation
    if isinstance(seen, Stalled | Crashed):
        return _hashed("ended")
    if not isinstance(seen, Observed):
        return SILENT
    if seen.raised is not None:
        return _hashed((*_raised(seen.raised), loading if trial.fault.clause == "missing-file" else ""))
    view = numbers.linked if trial.fault.clause == "cut" else VIEWS[trial.about]
    return _hashed(view(Case(trial.program, answer, seen)))


def _hashed(view: object) -> int:
    digest = hashlib.blake2b(repr(view).encode(), digest_size=4).digest()
    return max(int.from_bytes(digest, "little"), 2)


def _raised(raised: Raised) -> tuple[object, ...]:
    """Where it stopped and why: of a TypeError the words without names (the student's own), of others the names."""
    if raised.type == "TypeError":
        return ("raised", raised.step, raised.type, *NAMED.sub("", raised.message).split())
    return ("raised", raised.step, raised.type, *QUOTED.findall(raised.message))
