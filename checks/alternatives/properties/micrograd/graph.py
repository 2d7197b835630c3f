from graphviz import Digraph


def print_graph(value, *, places=2):
    def show(node, depth):
        print("  " * depth, end="")
        print("Value(data=", format(node.data, f".{places}f"), ")", sep="", end=" ")
        print("op=leaf" if not node._prev and not node._op else f"op={node._op}")
        if node not in expanded:
            expanded.add(node)
            for parent in node._prev:
                show(parent, depth + 1)

    expanded = set()
    show(value, 0)
    return value


def count_nodes(value):
    def reach(node, found):
        if node not in found:
            found.add(node)
            for parent in node._prev:
                reach(parent, found)
        return found

    return len(reach(value, set()))


def trace(root):
    edges = set()
    nodes = {root}

    def build(node):
        for parent in node._prev:
            if (parent, node) not in edges:
                edges.add((parent, node))
                nodes.add(parent)
                build(parent)

    build(root)
    return frozenset(nodes), frozenset(edges)


def draw_dot(root, format="svg", rankdir="LR", **attributes):
    rankdir = {"LR": "LR", "TB": "TB"}[rankdir]
    dot = Digraph(format=format, graph_attr={"rankdir": rankdir, **attributes}, node_attr={"fontsize": "10"})
    nodes, edges = trace(root)
    for node in nodes:
        dot.node(
            str(id(node)),
            label=f"{{{node.label} | data {node.data:.4f} | grad {node.grad:.4f}}}",
            shape="record",
        )
    for node in nodes:
        if node._op:
            dot.node(f"op {id(node)}", label=node._op, shape="circle")
            dot.edge(f"op {id(node)}", str(id(node)))
    for operand, result in edges:
        dot.edge(str(id(operand)), f"op {id(result)}")
    return dot
