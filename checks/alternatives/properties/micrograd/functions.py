def my_tanh(x, *, factor=2):
    e = (x * factor).exp()
    return (e - 1) / (e + 1)


def slope(f, args, i, h=1e-4, central=True):
    up, down = list(args), list(args)
    up[i] += h
    if not central:
        return (f(*up) - f(*down)) / h
    down[i] -= h
    return (f(*up) - f(*down)) / (up[i] - down[i])
