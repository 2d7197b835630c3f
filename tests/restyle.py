"""The same code in another hand: other names, other containers, methods written elsewhere. What it computes stays."""

from __future__ import annotations

import ast
from collections.abc import Callable

import msgspec

from grader.submission import Submission

NAMES = {
    "out": "result",
    "other": "rhs",
    "_backward": "push",
    "order": "topo",
    "visit": "walk",
    "seen": "visited",
    "node": "n",
    "k": "power",
}

Style = Callable[[str], str]


def restyled(submission: Submission, style: Style) -> Submission:
    """A submission with every file in another style."""
    files = tuple(msgspec.structs.replace(f, cells=tuple(style(cell) for cell in f.cells)) for f in submission.files)
    return msgspec.structs.replace(submission, files=files)


class _Renamed(ast.NodeTransformer):
    """Other names for everything local."""

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = NAMES.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = NAMES.get(node.arg, node.arg)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.name = NAMES.get(node.name, node.name)
        return node


def renamed(source: str) -> str:
    """Other local names, a frozenset of parents, gradients that begin at 0.0, one attribute more."""
    text = ast.unparse(_Renamed().visit(ast.parse(source)))
    text = text.replace("self._prev = set(", "self._prev = frozenset(")
    return text.replace("self.grad = 0\n", "self.grad = 0.0\n        self.born = True\n")


def taken_apart(source: str) -> str:
    """Every method but the constructor stands outside of the class, and is put in afterwards; ReLU by `if`."""
    tree = ast.parse(source)
    body: list[ast.stmt] = []
    for statement in tree.body:
        body.append(statement)
        if isinstance(statement, ast.ClassDef):
            moved = [m for m in statement.body if isinstance(m, ast.FunctionDef) and m.name != "__init__"]
            statement.body = [m for m in statement.body if m not in moved]
            for method in moved:
                name, method.name = method.name, "value_" + method.name.strip("_")
                body += [method, *ast.parse(f"{statement.name}.{name} = {method.name}").body]
    tree.body = body
    text = ast.unparse(ast.fix_missing_locations(tree))
    return text.replace("(out.data > 0) * out.grad", "out.grad if out.data > 0 else 0.0")
