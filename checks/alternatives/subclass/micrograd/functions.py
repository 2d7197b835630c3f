def my_tanh(x):
    # divided through by e^2x: (1 - e^-2x) / (1 + e^-2x)
    e = (-2 * x).exp()
    return (1 - e) / (1 + e)


def slope(f, args, i, h=1e-4):
    x = list(args)
    y0 = f(*x)
    x[i] = x[i] + h
    y1 = f(*x)
    return (y1 - y0) / h
