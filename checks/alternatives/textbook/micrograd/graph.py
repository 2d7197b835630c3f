def print_graph(value):
    seen = set()

    def helper(v, depth):
        print("  " * depth + f"Value(data={v.data:.2f}) op={v._op if v._op else 'leaf'}")
        if v in seen:
            return
        seen.add(v)
        for child in v._prev:
            helper(child, depth + 1)
    helper(value, 0)


def count_nodes(value):
    seen = set()

    def helper(v):
        if v in seen:
            return
        seen.add(v)
        for child in v._prev:
            helper(child)
    helper(value)
    return len(seen)


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
    """
    format: png | svg | ...
    rankdir: TB (top to bottom) | LR (left to right)
    """
    from graphviz import Digraph
    assert rankdir in ['LR', 'TB']
    nodes, edges = trace(root)
    dot = Digraph(format=format, graph_attr={'rankdir': rankdir})

    for n in nodes:
        uid = str(id(n))
        dot.node(name=uid, label="{ %s | data %.4f | grad %.4f }" % (n.label, n.data, n.grad), shape='record')
        if n._op:
            dot.node(name=uid + n._op, label=n._op)
            dot.edge(uid + n._op, uid)

    for n1, n2 in edges:
        dot.edge(str(id(n1)), str(id(n2)) + n2._op)

    return dot
