from .engine import Value


def my_tanh(x: Value) -> Value:
    if not isinstance(x, Value):
        x = Value(x)
    double = x + x
    power = double.exp()
    return (power - Value(1)) / (power + Value(1))


def slope(f, args, i, h=1e-4):
    nudged = [x + h if k == i else x for k, x in enumerate(args)]
    return (f(*nudged) - f(*args)) / h
