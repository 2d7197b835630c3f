from micrograd.engine import Value
from micrograd.functions import my_tanh, slope
from micrograd.graph import count_nodes, print_graph


def main():
    cost = (Value(50) + Value(3) * Value(15) + Value(12) * Value(2) + Value(-8)).relu()
    print_graph(cost)
    print(count_nodes(cost), "nodes")
    cost.backward()
    print(my_tanh(Value(0.5)), slope(lambda a, b, c: a * b + c, [3.0, -2.0, 12.0], 2))


if __name__ == "__main__":
    main()
