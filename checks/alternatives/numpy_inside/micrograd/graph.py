import numpy as np


def print_graph(value):
    seen = set()

    def go(node, depth):
        print('  ' * depth + f"Value(data={np.round(node.data, 2)}) op={node._op or 'leaf'}")
        if node not in seen:
            seen.add(node)
            for parent in node._prev:
                go(parent, depth + 1)

    go(value, 0)


def count_nodes(value):
    nodes, _ = trace(value)
    return len(nodes)


def trace(root):
    nodes, edges = set(), set()

    def build(v):
        if v not in nodes:
            nodes.add(v)
            for child in v._prev:
                edges.add((child, v))
                build(child)

    build(root)
    return nodes, edges


def draw_dot(root, format='svg', rankdir='LR'):
    from graphviz import Digraph
    if rankdir not in np.array(['LR', 'TB']):
        raise ValueError(rankdir)
    nodes, edges = trace(root)
    dot = Digraph(format=format, graph_attr={'rankdir': rankdir})
    for n in nodes:
        dot.node(name=str(id(n)), label='{ %s | data %.4f | grad %.4f }' % (n.label, n.data, n.grad), shape='record')
        if n._op:
            dot.node(name=str(id(n)) + n._op, label=n._op)
            dot.edge(str(id(n)) + n._op, str(id(n)))
    for n1, n2 in edges:
        dot.edge(str(id(n1)), str(id(n2)) + n2._op)
    return dot
