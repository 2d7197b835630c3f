def my_tanh(x):
    p, m = x.exp(), (-x).exp()
    return (p - m) / (p + m)


def slope(f, args, i, h=1e-4):
    left, right = list(args), list(args)
    left[i], right[i] = args[i] - h, args[i] + h
    return (f(*right) - f(*left)) / (right[i] - left[i])
