"""Printing, counting and drawing, all on one breadth-first walk."""

from collections import deque


def walk(root):
    """Every node once."""
    met, queue = {root}, deque([root])
    while queue:
        node = queue.popleft()
        yield node
        fresh = node._prev - met
        met |= fresh
        queue.extend(fresh)


def print_graph(value, level=0, met=None):
    met = set() if met is None else met
    print(2 * level * " " + f"Value(data={value.data:.2f}) op={value._op or 'leaf'}")
    if value not in met:
        met.add(value)
        for parent in value._prev:
            print_graph(parent, level + 1, met)


def count_nodes(value):
    return sum(1 for _ in walk(value))


def trace(root):
    nodes = set(walk(root))
    return nodes, {(operand, result) for result in nodes for operand in result._prev}


def draw_dot(root, format="svg", rankdir="LR"):
    if rankdir not in {"LR", "TB"}:
        raise ValueError(rankdir)
    import graphviz

    dot = graphviz.Digraph(format=format, graph_attr=dict(rankdir=rankdir), node_attr=dict(shape="record"))
    nodes, edges = trace(root)
    number = {node: str(n) for n, node in enumerate(nodes)}
    for node, name in number.items():
        dot.node(name, f"{{{node.label}|data {node.data:.4f}|grad {node.grad:.4f}}}")
        if node._op:
            dot.node("op" + name, node._op, shape="ellipse")
            dot.edge("op" + name, name)
    dot.edges((number[operand], "op" + number[result]) for operand, result in edges)
    return dot
