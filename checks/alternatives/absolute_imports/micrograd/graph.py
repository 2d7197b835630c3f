from __future__ import annotations

from micrograd.engine import Value


def print_graph(value: Value) -> None:
    def _print(node: Value, level: int, seen: set[int]) -> None:
        op = node._op
        if op == "":
            op = "leaf"
        print("  " * level, f"Value(data={node.data:.2f}) op={op}", sep="")
        if id(node) in seen:
            return
        seen.add(id(node))
        for child in node._prev:
            _print(child, level + 1, seen)

    _print(value, 0, set())


def count_nodes(value: Value) -> int:
    def visit(node: Value, seen: set[int]) -> int:
        if id(node) in seen:
            return 0
        seen.add(id(node))
        return 1 + sum(visit(child, seen) for child in node._prev)

    return visit(value, set())


def trace(root: Value) -> tuple[set[Value], set[tuple[Value, Value]]]:
    nodes: set[Value] = set()
    edges: set[tuple[Value, Value]] = set()

    def build(v: Value) -> None:
        if v not in nodes:
            nodes.add(v)
            for child in v._prev:
                edges.add((child, v))
                build(child)

    build(root)
    return nodes, edges


def draw_dot(root: Value, format: str = "svg", rankdir: str = "LR"):
    import uuid

    import graphviz

    if rankdir != "LR" and rankdir != "TB":
        raise ValueError(f"unknown rankdir {rankdir}")
    dot = graphviz.Digraph("graph", format=format)
    dot.graph_attr["rankdir"] = rankdir
    dot.node_attr["shape"] = "record"
    names = {}
    nodes, edges = trace(root)
    for v in nodes:
        names[v] = uuid.uuid4().hex
        dot.node(names[v], label="{ " + v.label + " | data " + format_number(v.data) + " | grad " + format_number(v.grad) + " }")
    for v in nodes:
        if v._op:
            op = uuid.uuid4().hex
            dot.node(op, label=v._op, shape="circle")
            dot.edge(op, names[v])
            for child in v._prev:
                dot.edge(names[child], op)
    return dot


def format_number(x: float) -> str:
    return f"{x:.4f}"
