"""Programs written by hand: the small part of Python that `programs.to_python` prints, read back.

A plain number becomes a slot of its own just before the step that uses it, and a
nested expression one slot for each operation, in the order that Python evaluates.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from grader.errors import LessonError
from grader.programs import Arg, Program, Step

ALLOWED = (
    "write assignments, like `c = a * b + 2.0`, `c += a`, `a.grad = 0.5`, and calls, like `c.backward()`, with"
    " Value(x, (a, b), op, label=name), numbers, + - * / **, relu(), exp(), tanh(), sum([a, b]), backward(),"
    " _backward(), record(a), a.data, a.grad, a.label, my_tanh, count_nodes, trace, print_graph, draw_dot, slope, repr"
)

SIGNS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}

METHODS = {"relu": "method", "exp": "method", "tanh": "method", "backward": "backward", "_backward": "push"}
"""The step that each method of a `Value` is; relu, exp and tanh carry their name."""

FUNCTIONS = {
    "my_tanh": "call",
    "count_nodes": "call",
    "trace": "call",
    "print_graph": "print",
    "repr": "repr",
    "record": "record",
}
"""The step that each function of one Value is; a call carries its name."""


class NotUnderstood(Exception):
    """A piece of the text that programs have no step for; `parse` tells its line."""


def parse(text: str) -> Program:
    """The program that a text says. Raises `LessonError` with the line for anything else."""
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise _error(text, error.lineno or 1, error.msg) from None
    reader = _Reader()
    for statement in tree.body:
        try:
            reader.statement(statement)
        except NotUnderstood as error:
            raise _error(text, statement.lineno, str(error)) from None
    return Program(tuple(reader.steps))


def _error(text: str, number: int, problem: str) -> LessonError:
    lines = text.splitlines() or [""]
    line = lines[min(number, len(lines)) - 1].strip()
    return LessonError(f"line {number} of a program, `{line}`: {problem}; {ALLOWED}")


class _Reader:
    """Steps read so far, and the slot that each variable names."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.slots: dict[str, int] = {}

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign([ast.Name("calls")], ast.List([])) | ast.Assign([ast.Name("call")], ast.Lambda()):
                return
            case ast.Assign([ast.Name(name)], value):
                self.slots[name] = self.expression(value)
            case ast.AugAssign(ast.Name(name) as target, operator, value):
                read = ast.copy_location(ast.BinOp(ast.Name(name, ast.Load()), operator, value), target)
                self.slots[name] = self.expression(read)
            case ast.Assign([ast.Attribute(ast.Name(name), "_backward")], ast.Call(ast.Name("call"))):
                self.add("record", self.named(name))
            case ast.Assign([ast.Attribute(ast.Name(name), "grad" | "data" | "label" as attribute)], value):
                self.add("set", self.named(name), attribute, _constant(value))
            case ast.Expr(value):
                self.expression(value)
            case _:
                raise NotUnderstood("this statement is not one of a program's")

    def add(self, op: str, *args: Arg) -> int:
        self.steps.append(Step(op, args))
        return len(self.steps) - 1

    def named(self, name: str) -> int:
        if name not in self.slots:
            raise NotUnderstood(f"{name} is not defined on an earlier line")
        return self.slots[name]

    def expression(self, node: ast.expr) -> int:
        """The slot of an expression's result."""
        number = _number(node)
        if number is not None:
            return self.add("number", number)
        match node:
            case ast.Name(name):
                return self.named(name)
            case ast.BinOp(left, operator, right) if type(operator) in SIGNS:
                return self.binary(SIGNS[type(operator)], left, right)
            case ast.UnaryOp(ast.USub(), operand):
                return self.add("negate", self.expression(operand))
            case ast.Attribute(of, "grad" | "data" | "label" as attribute):
                return self.add("get", self.expression(of), attribute)
            case ast.Call(ast.Attribute(of, name), [], []) if name in METHODS:
                slot = self.expression(of)
                return self.add("method", name, slot) if METHODS[name] == "method" else self.add(METHODS[name], slot)
            case ast.Call(ast.Name(name), args, keywords):
                return self.call(name, args, {each.arg or "**": each.value for each in keywords})
        raise NotUnderstood(f"`{ast.unparse(node)}` is not an expression of a program")

    def binary(self, sign: str, left: ast.expr, right: ast.expr) -> int:
        return self.add("binary", sign, *self.several([left, right]))

    def several(self, nodes: Sequence[ast.expr]) -> list[int]:
        """The slots of operands: numbers go last, just before the step that uses them."""
        slots = {place: self.expression(node) for place, node in enumerate(nodes) if _number(node) is None}
        return [slots[place] if place in slots else self.expression(node) for place, node in enumerate(nodes)]

    def call(self, name: str, args: list[ast.expr], keywords: dict[str, ast.expr]) -> int:
        match name, args, keywords:
            case "Value", [x, *rest], _:
                return self.construct(_plain(x), rest, keywords)
            case "sum", [ast.List(items)], {} if not keywords:
                return self.add("sum", tuple(self.several(items)))
            case "draw_dot", [of], _ if keywords.keys() <= {"rankdir"}:
                rankdir = _text(keywords["rankdir"]) if keywords else ""
                return self.add("draw", self.expression(of), rankdir)
            case "slope", [ast.Lambda(), ast.NamedExpr(value=ast.List() as xs), *rest], {}:
                return self.call(name, [args[0], xs, *rest], keywords)
            case "slope", [ast.Lambda(arguments, body), ast.List(xs), index, *h], {} if not keywords and len(h) < 2:
                rpn = tuple(_rpn(body, [each.arg for each in arguments.args]))
                step = [float(_plain(x)) for x in h]
                return self.add("slope", rpn, tuple(float(_plain(x)) for x in xs), int(_plain(index)), *step)
            case _, [of], {} if name in FUNCTIONS and not keywords:
                slot = self.expression(of)
                return self.add("call", name, slot) if FUNCTIONS[name] == "call" else self.add(FUNCTIONS[name], slot)
        raise NotUnderstood(f"{name}(...) is not called like that in a program")

    def construct(self, x: float, rest: list[ast.expr], keywords: dict[str, ast.expr]) -> int:
        parents: tuple[int, ...] = ()
        op = ""
        match rest:
            case []:
                pass
            case [ast.Tuple(items), label]:
                parents, op = tuple(self.expression(item) for item in items), _text(label)
            case _:
                raise NotUnderstood("Value takes a number, a tuple of parents and an operation")
        if keywords.keys() == {"label"}:
            return self.add("labelled", x, parents, op, _text(keywords["label"]))
        if keywords:
            raise NotUnderstood("Value takes no keyword but label")
        return self.add("node", x, parents, op) if rest else self.add("leaf", x)


def _number(node: ast.expr) -> float | None:
    """The number that an expression is, if it is one, perhaps with a minus sign."""
    match node:
        case ast.Constant(int() | float() as x) if not isinstance(x, bool):
            return x
        case ast.UnaryOp(ast.USub(), operand):
            size = _number(operand)
            return None if size is None else -size
    return None


def _plain(node: ast.expr) -> float:
    x = _number(node)
    if x is None:
        raise NotUnderstood(f"`{ast.unparse(node)}` should be a number")
    return x


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise NotUnderstood(f"`{ast.unparse(node)}` should be a text in quotes")


def _constant(node: ast.expr) -> float | str:
    return _text(node) if isinstance(node, ast.Constant) and isinstance(node.value, str) else _plain(node)


def _rpn(node: ast.expr, parameters: list[str]) -> list[int | float | str]:
    """A float function's body in reverse Polish order."""
    number = _number(node)
    if number is not None:
        return [float(number)]
    match node:
        case ast.Name(name) if name in parameters:
            return [parameters.index(name)]
        case ast.BinOp(left, ast.Add() | ast.Sub() | ast.Mult() as operator, right):
            return [*_rpn(left, parameters), *_rpn(right, parameters), SIGNS[type(operator)]]
    raise NotUnderstood(f"`{ast.unparse(node)}`: a function for slope has parameters, numbers, + - * and nothing else")
