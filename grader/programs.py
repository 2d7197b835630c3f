"""Straight-line programs over `Value`: what a check asks an engine to run.

A program is a tuple of steps; *slot* ``i`` is the result of step ``i``, so later
steps name earlier results by number and nodes can be shared. Programs are plain
values: they can be stored, sent to a worker, handed to the oracle, made smaller,
and printed as Python that a student can paste (`to_python`).

The steps, with the Python each stands for::

    number    (x,)                          2.0             a plain number, printed where it is used
    leaf      (x,)                          Value(2.0)
    node      (x, (i, …), op)               Value(6.0, (a, b), '*')
    labelled  (x, (i, …), op, label)        Value(6.0, (a, b), '*', label='c')
    binary    (sign, i, j)                  a + b           sign is one of + - * / **
    negate    (i,)                          -a
    sum       ((i, …),)                     sum([a, b, c])
    method    (name, i)                     a.relu()        relu, exp or tanh
    backward  (i,)                          a.backward()
    get       (i, attribute)                a.grad
    set       (i, attribute, x)             a.grad = 0.5
    push      (i,)                          a._backward()
    record    (i,)                          a._backward = <a recorder>
    call      (function, i)                 my_tanh(a), count_nodes(a), trace(a)
    print     (i,)                          print_graph(a)  what it prints is observed
    draw      (i, rankdir or '')            draw_dot(a), draw_dot(a, rankdir='TB')
    slope     (rpn, (x, …), index)          slope(lambda x, y: x * y, [2.0, 3.0], 0)     perhaps with a step h
    repr      (i,)                          repr(a)

``rpn`` is a float function in reverse Polish order: an int names a parameter, a
float is a constant, a string is one of ``+ - *``.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

Arg = int | float | str | tuple[int | float | str, ...]


class Step(msgspec.Struct, frozen=True, array_like=True, cache_hash=True):
    """One line of a program."""

    op: str
    """The kind of step: a row of the table above."""
    args: tuple[Arg, ...] = ()
    """Its arguments; slots are ints, numbers keep their type."""


class Program(msgspec.Struct, frozen=True, array_like=True, cache_hash=True):
    """A straight-line program; slot ``i`` is the result of ``steps[i]``."""

    steps: tuple[Step, ...]

    def __len__(self) -> int:
        return len(self.steps)


NODE_MAKERS = frozenset({"leaf", "node", "labelled", "binary", "negate", "sum", "method"})
"""Steps whose result is a `Value` (a ``call`` of ``my_tanh`` is one more)."""

CONSTRUCTORS = frozenset({"leaf", "node", "labelled"})
"""Steps that call the constructor themselves."""

FUNCTION_FILES = {
    "my_tanh": "functions",
    "slope": "functions",
    "print_graph": "graph",
    "count_nodes": "graph",
    "trace": "graph",
    "draw_dot": "graph",
}
"""The file of a submission that is the home of each function of the lesson."""


def makes_node(step: Step) -> bool:
    """Whether the step's result is a `Value`."""
    return step.op in NODE_MAKERS or (step.op == "call" and step.args[0] == "my_tanh")


def references(step: Step) -> tuple[int, ...]:
    """The slots that a step reads, in the order they are written."""
    match step.op, step.args:
        case (("node" | "labelled"), (_, tuple() as parents, *_)):
            return tuple(p for p in parents if isinstance(p, int))
        case "sum", (tuple() as items,):
            return tuple(p for p in items if isinstance(p, int))
        case "binary", (_, int(i), int(j)):
            return (i, j)
        case (("method" | "call"), (_, int(i))):
            return (i,)
        case (("number" | "leaf" | "slope"), _):
            return ()
        case _, (int(i), *_):
            return (i,)
    message = f"a step that programs do not know: {step!r}; see the table in grader/programs.py"
    raise ValueError(message)


def function_of(step: Step) -> str | None:
    """The lesson's function that a step calls, if it calls one."""
    match step.op:
        case "call":
            return str(step.args[0])
        case "print":
            return "print_graph"
        case "draw":
            return "draw_dot"
        case "slope":
            return "slope"
    return None


def kinds(program: Program) -> frozenset[str]:
    """What a program exercises: signs, methods, functions, and whether `_backward` or `backward` is called."""
    found = set()
    for step in program.steps:
        if step.op in ("binary", "method", "call"):
            found.add(str(step.args[0]))
        elif step.op not in ("number", "leaf", "node", "set", "record"):
            found.add(step.op)
    return frozenset(found)


def functions(program: Program) -> Iterator[str]:
    """The lesson's functions that a program calls, in order."""
    for step in program.steps:
        name = function_of(step)
        if name is not None:
            yield name


# ---------------------------------------------------------------- as Python


def names(program: Program) -> tuple[str, ...]:
    """A variable name for each slot: a, b, c, … in order, then v26, v27, …; numbers have none ('')."""
    result, count = [], 0
    for step in program.steps:
        if step.op in ("number", "set", "push", "record", "backward", "print"):
            result.append("")
            continue
        result.append(chr(ord("a") + count) if count < 26 else f"v{count}")
        count += 1
    return tuple(result)


def to_python(program: Program) -> str:
    """The program as Python text, one statement a line, pasteable beside the student's engine."""
    name = names(program)
    recorded = {step.args[0] for step in program.steps if step.op == "record"}
    lines = [RECORDER] if recorded else []
    for slot, step in enumerate(program.steps):
        text = _statement(program, step, name)
        if text:
            line = f"{name[slot]} = {text}" if name[slot] else text
            if slot in recorded:
                line += f"; {name[slot]}._backward = call({name[slot]}, {name[slot]!r})"
            lines.append(line)
    return "\n".join(lines)


RECORDER = "calls = []; call = lambda n, s: lambda: calls.append((s, n.grad))"
"""The line that a pasted program with recorders begins with; a node gets its recorder where it is made."""


def operand(program: Program, slot: int, name: tuple[str, ...]) -> str:
    """How slot `slot` is written inside an expression: its name, or the number itself."""
    step = program.steps[slot]
    return _number(step.args[0]) if step.op == "number" else name[slot]


def _statement(program: Program, step: Step, name: tuple[str, ...]) -> str:  # noqa: C901, PLR0911, PLR0912 one line a row of the table
    def ref(slot: Arg) -> str:
        assert isinstance(slot, int)
        return operand(program, slot, name)

    match step.op, step.args:
        case (("number" | "record"), _):
            return ""
        case "leaf", (x,):
            return f"Value({_number(x)})"
        case "node", (x, tuple() as parents, op):
            return f"Value({_number(x)}, {_tuple(ref(p) for p in parents)}, {op!r})"
        case "labelled", (x, tuple() as parents, op, label):
            rest = f", {_tuple(ref(p) for p in parents)}, {op!r}" if parents else ""
            return f"Value({_number(x)}{rest}, label={label!r})"
        case "binary", (sign, i, j):
            left = ref(i)
            left = f"({left})" if sign == "**" and left.startswith("-") else left
            return f"{left} {sign} {ref(j)}"
        case "negate", (i,):
            return f"-{ref(i)}"
        case "sum", (tuple() as items,):
            return f"sum([{', '.join(ref(i) for i in items)}])"
        case ("method", (method, i)):
            return f"{ref(i)}.{method}()"
        case "backward", (i,):
            return f"{ref(i)}.backward()"
        case "get", (i, attribute):
            return f"{ref(i)}.{attribute}"
        case "set", (i, attribute, x):
            return f"{ref(i)}.{attribute} = {x!r}"
        case "push", (i,):
            return f"{ref(i)}._backward()"
        case "call", (function, i):
            return f"{function}({ref(i)})"
        case "print", (i,):
            return f"print_graph({ref(i)})"
        case "draw", (i, rankdir):
            return f"draw_dot({ref(i)}, rankdir={rankdir!r})" if rankdir else f"draw_dot({ref(i)})"
        case "slope", (tuple() as rpn, tuple() as xs, index, *h):
            parameters = ", ".join("xyzuvw"[k] for k in range(len(xs)))
            rest = ", ".join(str(x) for x in (index, *h))
            return f"slope(lambda {parameters}: {rpn_to_python(rpn)}, args := {[float(x) for x in xs]!r}, {rest})"
        case "repr", (i,):
            return f"repr({ref(i)})"
    message = f"a step that cannot be printed: {step!r}; add it to _statement in grader/programs.py"
    raise ValueError(message)


def _number(x: Arg) -> str:
    return repr(x)


def _tuple(items: Iterator[str]) -> str:
    listed = list(items)
    return f"({listed[0]},)" if len(listed) == 1 else f"({', '.join(listed)})"


def rpn_to_python(rpn: tuple[int | float | str, ...]) -> str:
    """A float function in reverse Polish order, as a Python expression over x, y, z, u, v, w."""
    stack: list[str] = []
    for token in rpn:
        if isinstance(token, str):
            right, left = stack.pop(), stack.pop()
            stack.append(f"({left} {token} {right})")
        else:
            stack.append("xyzuvw"[token] if isinstance(token, int) else repr(token))
    text = stack.pop()
    return text[1:-1] if text.startswith("(") else text
