"""my_tanh and slope."""


def my_tanh(x):
    """(e^2x - 1) / (e^2x + 1)"""
    return ((x * 2).exp() - 1) / ((x * 2).exp() + 1)


def slope(f, args, i, h=1e-4):
    """A central difference."""
    up, down = list(args), list(args)
    up[i] += h / 2
    down[i] -= h / 2
    return (f(*up) - f(*down)) / h
