import itertools

from engine import topological
from graphviz import Digraph


def print_graph(value, indent=0, seen=frozenset()):
    """Hands the nodes seen so far on, and back."""
    print(' ' * indent + 'Value(data={:.2f}) op={}'.format(value.data, value._op or 'leaf'))
    if value in seen:
        return seen
    seen |= {value}
    for operand in value._prev:
        seen = print_graph(operand, indent + 2, seen)
    return seen


def count_nodes(value):
    return len(topological(value))


def trace(root):
    nodes = topological(root)
    return set(nodes), set((a, b) for b in nodes for a in b._prev)


def draw_dot(root, format='svg', rankdir='LR'):
    assert rankdir in ('LR', 'TB'), rankdir
    dot = Digraph(format=format, graph_attr={'rankdir': rankdir})
    counter = itertools.count(1)
    names = {}
    for node in reversed(topological(root)):
        names[node] = name = 'n%d' % next(counter)
        dot.node(name, label='{%s | data %.4f | grad %.4f}' % (node.label, node.data, node.grad), shape='record')
        if node._op:
            op = 'n%d' % next(counter)
            dot.node(op, label=node._op)
            dot.edge(op, name)
            for operand in node._prev:
                dot.edge(names[operand], op)
    return dot
