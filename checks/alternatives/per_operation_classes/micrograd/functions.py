def my_tanh(x):
    e = (x + x).exp()
    return 1 - 2 / (e + 1)


def slope(f, args, i, h=1e-4):
    def along(t):
        point = list(args)
        point[i] += t
        return f(*point)

    return (along(h) - along(-h)) / (2 * h)
