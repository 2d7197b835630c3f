class Printer:
    def __init__(self):
        self.met = set()

    def show(self, node, level):
        print(f"{level * '  '}Value(data={node.data:.2f}) op={node._op or 'leaf'}")
        first_time = node not in self.met
        self.met.add(node)
        if first_time:
            for parent in node._prev:
                self.show(parent, level + 1)


def print_graph(value):
    Printer().show(value, 0)


class Walk:
    def __init__(self, root):
        self.nodes, self.edges = set(), set()
        self.visit(root)

    def visit(self, node):
        if node in self.nodes:
            return
        self.nodes.add(node)
        for parent in node._prev:
            self.edges.add((parent, node))
            self.visit(parent)


def count_nodes(value):
    return len(Walk(value).nodes)


def trace(root):
    walk = Walk(root)
    return walk.nodes, walk.edges


def draw_dot(root, format="svg", rankdir="LR"):
    if rankdir not in ("LR", "TB"):
        raise KeyError(rankdir)
    from graphviz import Digraph

    dot = Digraph(format=format, graph_attr={"rankdir": rankdir})
    nodes, edges = trace(root)
    for node in nodes:
        uid = str(id(node))
        dot.node(uid, label="{ %s | data %.4f | grad %.4f }" % (node.label, node.data, node.grad), shape="record")
        if node._op:
            dot.node(name=uid + node._op, label=node._op)
            dot.edge(uid + node._op, uid)
    for a, b in edges:
        dot.edge(str(id(a)), str(id(b)) + b._op)
    return dot
