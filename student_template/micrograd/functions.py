"""Two functions: a hyperbolic tangent built from simpler operations, and the slope of any function."""


def my_tanh(x):
    """Return the hyperbolic tangent of the Value `x`, a Value, from `+ - * /` and `exp()` only.

    The formula is (e^{2x} - 1) / (e^{2x} + 1).
    """
    raise NotImplementedError("my-tanh: write the formula with operators of Value and its exp()")


def slope(f, args, i, h=1e-4):
    """Return how fast `f(*args)`, a float, grows with `args[i]`: the difference quotient with the step `h`.

    `args` is a list of floats and is left as it was.
    """
    raise NotImplementedError("slope: move one argument by h, and divide the change of f by h")
