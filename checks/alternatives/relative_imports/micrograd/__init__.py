from .engine import Value
from .functions import my_tanh, slope
from .graph import count_nodes, draw_dot, print_graph, trace

__all__ = ["Value", "my_tanh", "slope", "count_nodes", "draw_dot", "print_graph", "trace"]
