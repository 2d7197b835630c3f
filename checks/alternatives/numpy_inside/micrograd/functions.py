import numpy as np


def my_tanh(x):
    e = (x * 2).exp()
    return (e - 1) / (e + 1)


def slope(f, args, i, h=1e-4):
    unit = np.zeros(len(args))
    unit[i] = h
    return (f(*(np.array(args) + unit)) - f(*args)) / h
