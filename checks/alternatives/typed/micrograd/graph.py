from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphviz import Digraph

    from .engine import Value

Edge = tuple["Value", "Value"]


def _lines(node: Value, level: int, seen: set[Value]) -> Iterator[str]:
    yield f"{'  ' * level}Value(data={node.data:.2f}) op={node._op or 'leaf'}"
    if node not in seen:
        seen.add(node)
        for parent in node._prev:
            yield from _lines(parent, level + 1, seen)


def print_graph(value: Value) -> None:
    print(*_lines(value, 0, set()), sep="\n")


def count_nodes(value: Value) -> int:
    nodes, _ = trace(value)
    return len(nodes)


def trace(root: Value) -> tuple[set[Value], set[Edge]]:
    nodes: set[Value] = set()
    edges: set[Edge] = set()
    frontier: set[Value] = {root}
    while frontier:
        nodes |= frontier
        new_edges = {(operand, result) for result in frontier for operand in result._prev}
        edges |= new_edges
        frontier = {operand for operand, _ in new_edges} - nodes
    return nodes, edges


def draw_dot(root: Value, format: str = "svg", rankdir: str = "LR") -> Digraph:
    from graphviz import Digraph

    match rankdir:
        case "LR" | "TB":
            dot = Digraph(format=format, graph_attr={"rankdir": rankdir})
        case _:
            raise ValueError(f"{rankdir=}")
    nodes, edges = trace(root)
    for node in nodes:
        key = f"{id(node):x}"
        dot.node(key, label=f"{{ {node.label} | data {node.data:.4f} | grad {node.grad:.4f} }}", shape="record")
        if node._op:
            dot.node(f"{key}-op", label=node._op)
            dot.edge(f"{key}-op", key)
    for operand, result in edges:
        dot.edge(f"{id(operand):x}", f"{id(result):x}-op")
    return dot
