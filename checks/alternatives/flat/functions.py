from engine import Value


def my_tanh(x):
    e = (x * 2.0).exp()
    numerator = e + Value(-1.0)
    denominator = e + Value(1.0)
    return numerator / denominator


def slope(f, args, i, h=1e-4):
    args = [*args]
    before = f(*args)
    args[i] = args[i] + h
    return (f(*args) - before) / h
