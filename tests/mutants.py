"""Mechanical mutants of the reference: every small change of its code, whether a student would make it or not.

`python -m tests.mutants` grades them all (a minute or two) and lists the survivors: each is
either equivalent to the reference, as far as the lesson goes, or a check is missing.
"""

from __future__ import annotations

import ast
import copy
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import takewhile
from typing import NamedTuple

from grader.grading import grade
from grader.lesson import Lesson, load
from tests.support import reference_files, submission

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt,),
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt,),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult,),
    ast.Pow: (ast.Mult,),
}
NAMES = {"self": "other", "other": "self", "node": "parent", "parent": "node", "operand": "result", "result": "operand"}


class Mutant(NamedTuple):
    """The reference with one change."""

    id: str
    """FILE, FUNCTION: before → after."""
    files: dict[str, str]


def mutants() -> list[Mutant]:
    """All mutants of the reference, file by file, in the order of their lines."""
    files = reference_files()
    changed = ((name, told, text) for name, source in files.items() for told, text in _of_file(name, source))
    return [Mutant(told, files | {name: text}) for name, told, text in changed]


def _of_file(name: str, source: str) -> Iterator[tuple[str, str]]:
    tree = ast.parse(source)
    seen = {ast.unparse(tree)}
    docstrings = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.stmt) and _is_text(n)}
    for place, node in enumerate(ast.walk(tree)):
        if id(node) in docstrings:
            continue
        for change in _changes(node):
            other = copy.deepcopy(tree)
            twin = next(n for i, n in enumerate(ast.walk(other)) if i == place)
            if not change(twin):
                continue
            text = ast.unparse(ast.fix_missing_locations(other))
            if text not in seen:
                seen.add(text)
                yield f"{name}, {_where(tree, node)}: {_difference(tree, other)}", text


def _where(tree: ast.Module, node: ast.AST) -> str:
    line = getattr(node, "lineno", 0)
    around = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.lineno <= line <= (n.end_lineno or 0)]
    return ".".join(n.name for n in around) or "top"


def _difference(before: ast.Module, after: ast.Module) -> str:
    old, new = ast.unparse(before).splitlines(), ast.unparse(after).splitlines()
    start = _alike(old, new)
    end = min(_alike(old[::-1], new[::-1]), min(len(old), len(new)) - start)
    gone, come = old[start : max(start, len(old) - end)], new[start : max(start, len(new) - end)]
    return f"{' / '.join(map(str.strip, gone))} → {' / '.join(map(str.strip, come)) or 'nothing'}"


def _alike(one: list[str], other: list[str]) -> int:
    """How many lines are the same from the beginning on."""
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))))


# ---------------------------------------------------------------- the changes; each says whether it was made

Change = Callable[[ast.AST], bool]


def _changes(node: ast.AST) -> Iterator[Change]:
    """Every change that can be made to this very node."""
    match node:
        case ast.Compare(ops=[op]):
            yield from (_set("ops", [new()]) for new in COMPARISONS[type(op)])
        case ast.BinOp(op=op):
            yield from (_set("op", new()) for new in ARITHMETIC.get(type(op), ()))
        case ast.AugAssign(op=ast.Add()):
            yield _set("op", ast.Sub())
        case ast.Constant(value=value) if not isinstance(value, bool):
            yield from _of_constants(value)
        case ast.Name(id=name) if name in NAMES:
            yield _set("id", NAMES[name])
        case ast.IfExp() | ast.BoolOp() | ast.UnaryOp() | ast.Return() | ast.Call():
            yield from _of_expressions(node)
    for field in ("body", "orelse"):
        block = getattr(node, field, None)
        if isinstance(block, list):
            yield from (
                _of_statement(field, i, new) for i, s in enumerate(block) if not _is_text(s) for new in _instead(s)
            )


def _of_constants(value: object) -> Iterator[Change]:
    match value:
        case int() | float():
            yield from (_set("value", value + 1), _set("value", value * 2))
        case str():
            yield _set("value", value + "x")


def _of_expressions(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Return(value=ast.expr()):
            yield _set("value", ast.Constant(None))
        case ast.Call(args=[_, _, *_] as args):
            yield from (_set("args", args[:i] + args[i + 1 :]) for i in range(len(args)))
        case ast.BoolOp(op=op):
            yield _set("op", ast.And() if isinstance(op, ast.Or) else ast.Or())
        case ast.IfExp(body=body, orelse=orelse):
            yield from (_set("test", ast.Constant(value)) for value in (True, False))
            yield from (_set("body", orelse), _set("orelse", body))
        case ast.UnaryOp():
            yield _set("op", ast.UAdd())


def _set(field: str, value: object) -> Change:
    def change(node: ast.AST) -> bool:
        setattr(node, field, copy.deepcopy(value))
        return True

    return change


def _of_statement(field: str, place: int, new: list[ast.stmt]) -> Change:
    def change(node: ast.AST) -> bool:
        block = getattr(node, field)
        block[place : place + 1] = copy.deepcopy(new)
        if not block and field == "body":
            block.append(ast.Pass())
        return True

    return change


def _instead(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """What may stand in a statement's place: nothing; its body alone; `=` for `+=`; itself twice."""
    yield []
    match statement:
        case ast.If(test=test, body=body, orelse=orelse):
            yield body
            yield [ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)]
        case ast.AugAssign(target=target, value=value):
            yield [ast.Assign([target], value, lineno=0)]
        case ast.For(target=target, iter=iterated, body=body):
            yield [ast.For(target, iterated, [*body, ast.Break()], [], lineno=0)]
    if isinstance(statement, ast.Expr | ast.AugAssign):
        yield [statement, statement]


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


# ---------------------------------------------------------------- grading them


def survives(mutant: Mutant, lesson: Lesson) -> bool:
    """Whether every check passes, those without points included."""
    report = grade(submission(mutant.files), lesson)
    return all(check.outcome == "passed" for exercise in report.exercises for check in exercise.checks)


def survivors(chosen: list[Mutant], lesson: Lesson) -> list[str]:
    """The ids of those that no check catches."""
    with ThreadPoolExecutor((os.cpu_count() or 1) + 1) as pool:
        return [m.id for m, alive in zip(chosen, pool.map(lambda m: survives(m, lesson), chosen), strict=True) if alive]


if __name__ == "__main__":
    every = mutants()
    left = survivors(every, load())
    sys.stdout.write("\n".join([*left, f"{len(every) - len(left)} of {len(every)} die"]) + "\n")
