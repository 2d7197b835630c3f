"""Looking at the graph that a Value remembers: printed, counted, drawn."""


def print_graph(value):
    """Print `value` and all that it was computed from, one line a node.

    A line is `Value(data=111.00) op=ReLU`, or `op=leaf` for a leaf, with two spaces before it for every level below
    `value`. A node met again is printed again, but what lies below it is not.
    """
    raise NotImplementedError("graph: print a line for the node, then its parents one level deeper")


def count_nodes(value):
    """Return how many different nodes are reachable from `value`, the leaves and `value` itself included."""
    raise NotImplementedError("graph: walk along _prev and count every node once")


def trace(root):
    """Return two sets: the nodes reachable from `root`, itself included, and the edges, pairs (operand, result)."""
    raise NotImplementedError("draw: walk along _prev, collecting nodes and edges")


def draw_dot(root, format="svg", rankdir="LR"):
    """Return a `graphviz.Digraph` of everything `root` was computed from.

    Each Value is a node of shape 'record' labelled `{ label | data 2.0000 | grad 0.0000 }`; the operation that made it
    is a node of its own, labelled with its name. Edges lead from the operands to the operation and from there to the
    Value. `rankdir` is 'LR' (left to right) or 'TB' (top to bottom); anything else is refused with a ValueError.
    """
    raise NotImplementedError("draw: draw every Value, every operation and the edges with graphviz")
