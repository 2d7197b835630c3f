def my_tanh(x):
    e = (2 * x).exp()
    return (e - 1) / (e + 1)


def slope(f, args, i, h=1e-4):
    args2 = list(args)
    args2[i] += h
    return (f(*args2) - f(*args)) / h


if __name__ == '__main__':
    print(slope(lambda x: 3 * x ** 2 - 4 * x + 5, [3.0], 0))
