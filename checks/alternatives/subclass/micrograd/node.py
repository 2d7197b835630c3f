"""The graph alone: nodes, parents, order. What they compute is the subclass's business."""


class Node:
    def __init__(self, parents, op):
        self._prev = set(parents)
        self._op = op
        self._backward = lambda: None

    def ancestors(self):
        """Every node below this one, itself included, parents first."""
        order, seen = [], set()

        def collect(node):
            seen.add(node)
            for parent in node._prev:
                if parent not in seen:
                    collect(parent)
            order.append(node)

        collect(self)
        return order
