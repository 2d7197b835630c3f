"""What a worker says it saw: typed, capped, and trusted by nobody.

An answer is one JSON line. Numbers that are finite floats or small ints stand as
themselves; anything else is a short string whose first character says what it is:

``=text``  a real `str`        ``?T``  an object of type ``T``
``!E``     reading it raised ``E``      ``~nan`` ``~inf`` ``~-inf`` ``~big``  those numbers

`decode` refuses whatever is not exactly of this shape.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

Text = Annotated[str, msgspec.Meta(max_length=200)]
Scalar = float | int | Text
Index = Annotated[int, msgspec.Meta(ge=-1, le=20_000)]
Small = Annotated[int, msgspec.Meta(ge=0, le=20_000)]


class Node(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A `Value` as it stood after the program."""

    value: Scalar
    """`data`."""
    grad: Scalar
    container: Text
    """The type of `_prev` ('set', 'frozenset', 'tuple', 'list'), or '?T', or '!E'."""
    parents: Annotated[tuple[Index, ...], msgspec.Meta(max_length=300)]
    """What `_prev` holds, as places in `Observed.nodes`; -1 for what is not a `Value`."""
    op: Text
    """`_op`."""


class Call(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A recorded call of a node's `_backward`."""

    slot: Small
    grad: Scalar
    """The node's gradient when it was called."""


class Dot(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A recorded `graphviz.Digraph`: what a student's `draw_dot` drew."""

    rankdir: Text
    """The graph attribute, '' if never set."""
    nodes: Annotated[
        tuple[tuple[Small, Annotated[str, msgspec.Meta(max_length=400)], Text], ...], msgspec.Meta(max_length=2000)
    ]
    """(place of the name, label, shape), in order of drawing; equal names share a place."""
    edges: Annotated[tuple[tuple[Small, Small], ...], msgspec.Meta(max_length=4000)]
    """(tail, head), by place of the name."""


class Traced(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What a student's `trace` returned, as places in `Observed.nodes` (-1: not a `Value`)."""

    containers: tuple[Text, Text]
    """The types of the two collections."""
    nodes: Annotated[tuple[Index, ...], msgspec.Meta(max_length=2000)]
    edges: Annotated[tuple[tuple[Index, Index], ...], msgspec.Meta(max_length=4000)]


class Raised(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The exception that ended a program."""

    step: Small
    """The slot of the step that raised."""
    type: Text
    """The exception's type name."""
    message: Text
    """Its text where it is a plain string of a built-in exception, else ''."""
    file: Text
    """The submission's file whose line was running, '' if none was."""
    line: Small


class Place(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A `Value` that a step gave.

    Not a plain `tuple[int]`: in a union beside a constrained `str` that crashes msgspec 0.23.
    """

    index: Small
    """Its place in `Observed.nodes`."""


class Observed(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One program's answer. Where `raised` is set, later slots are missing."""

    results: Annotated[tuple[Scalar | Place | None, ...], msgspec.Meta(max_length=2000)]
    """One entry a step that ran: a number or a string as above, a place for a `Value`, None for nothing."""
    nodes: Annotated[tuple[Node, ...], msgspec.Meta(max_length=20_000)]
    """Every `Value` seen: those in slots first, then what hangs from them."""
    raised: Raised | None = None
    calls: Annotated[tuple[Call, ...], msgspec.Meta(max_length=2000)] = ()
    printed: Annotated[str, msgspec.Meta(max_length=8192)] | None = None
    """What `print_graph` printed."""
    dot: Dot | None = None
    traced: Traced | None = None
    arguments: Annotated[tuple[Scalar, ...], msgspec.Meta(max_length=8)] | None = None
    """The list handed to `slope`, as it stands afterwards."""


class Stalled(msgspec.Struct, frozen=True):
    """A limit ended the program: 'cpu', 'wall', 'memory' or 'output'."""

    limit: str


class Crashed(msgspec.Struct, frozen=True):
    """The worker died, or broke the protocol, while it ran the program."""

    how: str
    """'exited 0', 'killed by signal 11', 'protocol'."""


class Unasked(msgspec.Struct, frozen=True):
    """The program never ran: the submission had used up its restarts, or its time."""


Observation = Observed | Stalled | Crashed | Unasked
