from .engine import Value


def print_graph(value: Value):
    expanded = []

    def lines(node, indent):
        yield f"{indent}Value(data={node.data:.2f}) op={node._op if node._op else 'leaf'}"
        if not any(node is other for other in expanded):
            expanded.append(node)
            for parent in sorted(node._prev, key=lambda n: n.data):
                yield from lines(parent, indent + "  ")

    print("\n".join(lines(value, "")))


def count_nodes(value: Value) -> int:
    return len(trace(value)[0])


def trace(root: Value):
    nodes = set(root.ordered())
    edges = {(p, n) for n in nodes for p in n._prev}
    return nodes, edges


def draw_dot(root: Value, format="svg", rankdir="LR"):
    from graphviz import Digraph

    if rankdir not in ("LR", "TB"):
        raise ValueError("rankdir must be LR or TB")
    dot = Digraph(format=format, graph_attr={"rankdir": rankdir})
    for node in root.ordered():
        me = f"value{id(node)}"
        dot.node(name=me, label=f"{{ {node.label} | data {node.data:.4f} | grad {node.grad:.4f} }}", shape="record")
        if node._op:
            op = f"op{id(node)}"
            dot.node(name=op, label=node._op)
            dot.edge(op, me)
            for parent in node._prev:
                dot.edge(f"value{id(parent)}", op)
    return dot
