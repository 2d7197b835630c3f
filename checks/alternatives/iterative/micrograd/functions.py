def my_tanh(x):
    up = (2 * x).exp()
    return (up - 1) / (up + 1)


def slope(f, args, i, h=1e-4):
    moved = args[:i] + [args[i] + h] + args[i + 1:]
    return (f(*moved) - f(*args)) / h
