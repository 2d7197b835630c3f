def print_graph(value):
    stack, opened = [(value, 0)], set()
    while stack:
        node, level = stack.pop()
        print('  ' * level + 'Value(data=%.2f) op=%s' % (node.data, node._op or 'leaf'))
        if node in opened:
            continue
        opened.add(node)
        for parent in node._prev:
            stack.append((parent, level + 1))


def count_nodes(value):
    seen, stack = set(), [value]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            stack.extend(node._prev)
    return len(seen)


def trace(root):
    nodes, edges, stack = {root}, set(), [root]
    while stack:
        result = stack.pop()
        for operand in result._prev:
            edges.add((operand, result))
            if operand not in nodes:
                nodes.add(operand)
                stack.append(operand)
    return nodes, edges


def draw_dot(root, format='svg', rankdir='LR'):
    from graphviz import Digraph

    assert rankdir in ['LR', 'TB']
    nodes, edges = trace(root)
    dot = Digraph(format=format)
    dot.attr(rankdir=rankdir)
    for n in nodes:
        dot.node(str(id(n)), label='{ %s | data %.4f | grad %.4f }' % (n.label, n.data, n.grad), shape='record')
        if n._op != '':
            dot.node(str(id(n)) + n._op, label=n._op)
            dot.edge(str(id(n)) + n._op, str(id(n)))
    for operand, result in edges:
        dot.edge(str(id(operand)), str(id(result)) + result._op)
    return dot
