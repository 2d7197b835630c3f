def print_graph(value):
    level = 0
    seen = []
    rest = [[value]]
    while rest:
        if not rest[-1]:
            rest.pop()
            level -= 1
            continue
        node = rest[-1].pop()
        print('%sValue(data=%.2f) op=%s' % ('  ' * level, node.data, node._op or 'leaf'))
        if node not in seen:
            seen.append(node)
            rest.append(list(node._prev))
            level += 1


def count_nodes(value):
    return len(value.below([]))


def trace(root):
    nodes = root.below([])
    return set(nodes), {(a, b) for b in nodes for a in b._prev}


def draw_dot(root, format='svg', rankdir='LR'):
    from graphviz import Digraph
    if rankdir not in ('LR', 'TB'):
        raise ValueError('направление %s неизвестно' % rankdir)
    dot = Digraph(format=format, graph_attr={'rankdir': rankdir})
    nodes = root.below([])
    names = ['№%d' % i for i in range(len(nodes))]
    for name, node in zip(names, nodes):
        dot.node(name, '{%s | data %.4f | grad %.4f}' % (node.label, node.data, node.grad), shape='record')
        if node._op:
            dot.node(name + ' ' + node._op, node._op)
            dot.edge(name + ' ' + node._op, name)
            for parent in node._prev:
                dot.edge(names[nodes.index(parent)], name + ' ' + node._op)
    return dot
