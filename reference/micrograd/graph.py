"""Looking at the graph that a Value remembers: printed, counted, drawn."""


def print_graph(value):
    """Print `value` and all that it was computed from, one line a node.

    A line is `Value(data=111.00) op=ReLU`, or `op=leaf` for a leaf, with two spaces before it for every level below
    `value`. A node met again is printed again, but what lies below it is not.
    """
    # solution graph: print a line for the node, then its parents one level deeper
    seen = set()

    def show(node, depth):
        print(f"{'  ' * depth}Value(data={node.data:.2f}) op={node._op or 'leaf'}")
        if node not in seen:
            seen.add(node)
            for parent in node._prev:
                show(parent, depth + 1)

    show(value, 0)


def count_nodes(value):
    """Return how many different nodes are reachable from `value`, the leaves and `value` itself included."""
    # solution graph: walk along _prev and count every node once
    seen, waiting = {value}, [value]
    while waiting:
        for parent in waiting.pop()._prev:
            if parent not in seen:
                seen.add(parent)
                waiting.append(parent)
    return len(seen)


def trace(root):
    """Return two sets: the nodes reachable from `root`, itself included, and the edges, pairs (operand, result)."""
    # solution draw: walk along _prev, collecting nodes and edges
    nodes, edges = set(), set()

    def visit(node):
        if node not in nodes:
            nodes.add(node)
            for parent in node._prev:
                edges.add((parent, node))
                visit(parent)

    visit(root)
    return nodes, edges


def draw_dot(root, format="svg", rankdir="LR"):
    """Return a `graphviz.Digraph` of everything `root` was computed from.

    Each Value is a node of shape 'record' labelled `{ label | data 2.0000 | grad 0.0000 }`; the operation that made it
    is a node of its own, labelled with its name. Edges lead from the operands to the operation and from there to the
    Value. `rankdir` is 'LR' (left to right) or 'TB' (top to bottom); anything else is refused with a ValueError.
    """
    # solution draw: draw every Value, every operation and the edges with graphviz
    if rankdir not in ("LR", "TB"):
        raise ValueError(f"rankdir is 'LR' or 'TB', not {rankdir!r}")
    from graphviz import Digraph

    dot = Digraph(format=format, graph_attr={"rankdir": rankdir})
    nodes, edges = trace(root)
    for node in nodes:
        name = str(id(node))
        dot.node(name, label=f"{{ {node.label} | data {node.data:.4f} | grad {node.grad:.4f} }}", shape="record")
        if node._op:
            dot.node(name + node._op, label=node._op)
            dot.edge(name + node._op, name)
    for operand, result in edges:
        dot.edge(str(id(operand)), str(id(result)) + result._op)
    return dot
