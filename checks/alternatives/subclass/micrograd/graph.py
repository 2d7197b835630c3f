import graphviz


def print_graph(value):
    printed = {}

    def show(node, depth=0):
        kind = node._op if len(node._op) > 0 else "leaf"
        print("  " * depth + f"Value(data={round(node.data, 2):.2f}) op={kind}")
        if not printed.get(node):
            printed[node] = True
            [show(parent, depth + 1) for parent in node._prev]

    show(value)


def count_nodes(value):
    found = {value}
    while True:
        more = found | {parent for node in found for parent in node._prev}
        if len(more) == len(found):
            return len(found)
        found = more


def trace(root):
    nodes, edges = set(), set()

    def build(node):
        if node not in nodes:
            nodes.add(node)
            edges.update((parent, node) for parent in node._prev)
            for parent in node._prev:
                build(parent)

    build(root)
    return nodes, edges


def draw_dot(root, format="svg", rankdir="LR"):
    assert rankdir in ["LR", "TB"]
    g = graphviz.Digraph(format=format, graph_attr={"rankdir": rankdir})
    nodes, edges = trace(root)
    for n in nodes:
        g.node(name=str(id(n)), label="{ " + f"{n.label} | data {n.data:.4f} | grad {n.grad:.4f}" + " }", shape="record")
        if n._op:
            g.node(name=str(id(n)) + n._op, label=n._op)
            g.edge(str(id(n)) + n._op, str(id(n)))
    for n1, n2 in edges:
        g.edge(str(id(n1)), str(id(n2)) + n2._op)
    return g
