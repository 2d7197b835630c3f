"""The oracle against 50-digit arithmetic, forward mode, PyTorch, an engine written differently, and the lesson."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator

import mpmath
import pytest

from grader import decode, handmade
from grader.draft import METHODS, SMALL
from grader.errors import LessonError
from grader.oracle import Answer, Expected, OutOfDomain, answer, in_domain
from grader.parse import parse
from grader.programs import Program, Step, makes_node, references, to_python

# ---------------------------------------------------------------- programs by a fixed seed


def decoders(rng: random.Random) -> dict[str, Callable[[], Program]]:
    """One source of programs for each kind that the checks draw."""

    def n() -> int:
        return rng.randrange(SMALL)

    def rows(most: int) -> list[tuple[int, int, int]]:
        return [(n(), n(), n()) for _ in range(rng.randint(1, most))]

    signs = ("+", "*", "**", *METHODS)
    return {
        "construction": lambda: decode.construction(n(), n(), n(), n()),
        "operation": lambda: decode.operation(rng.choice(signs), n(), n()),
        "with_number": lambda: decode.with_number(rng.choice("+*"), n(), n()),
        "local": lambda: decode.local(rng.choice(signs), n(), n(), n(), n()),
        "derived": lambda: decode.derived(rng.choice(sorted(decode.SIGNS)), n(), n()),
        "own": lambda: decode.own(rng.choice(("neg", "sub", "div")), n(), n(), n(), n()),
        "built": lambda: decode.built(rng.choice(("neg", "sub", "div")), n(), n()),
        "summed": lambda: decode.summed(n(), [n() for _ in range(rng.randint(1, 5))]),
        "one_leaf": lambda: decode.one_leaf("my_tanh", n()),
        "slope": lambda: decode.slope(rows(4), n(), n(), n()),
        "recorded": lambda: handmade.recorded(rows(5), n()),
        "graph": lambda: handmade.graph(rng.choice(("count_nodes", "draw_dot")), rows(5), n(), n()),
        "gradients": lambda: decode.gradients(rows(8)),
        "expression": lambda: decode.expression(rows(12)),
    }


def drawn(seed: int, count: int, *names: str) -> Iterator[Program]:
    """`count` programs of each named kind (of all kinds if none is named)."""
    sources = decoders(random.Random(seed))
    for name in names or sources:
        for _ in range(count):
            yield sources[name]()


# ---------------------------------------------------------------- 50 digits


class Precise:
    """A program at 50 digits: values, local derivatives, and gradients by a sweep of its own."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.values: list[mpmath.mpf | None] = []
        self.locals: list[list[tuple[int, mpmath.mpf]]] = []
        self.grads: list[mpmath.mpf] = []
        for step in program.steps:
            value, edges = self.step(step)
            self.values.append(value)
            self.locals.append(edges)
            self.grads.append(mpmath.mpf(0))

    def step(self, step: Step) -> tuple[mpmath.mpf | None, list[tuple[int, mpmath.mpf]]]:  # noqa: C901 a table
        """The value of a step, and the operands with the local derivatives; or what the step does to gradients."""
        match step.op, step.args:
            case (("number" | "leaf" | "node" | "labelled"), (x, *_)):
                return mpmath.mpf(x), []
            case "binary", (sign, i, j):
                return self.binary(sign, i, j)
            case "negate", (i,):
                return -self.values[i], [(i, mpmath.mpf(-1))]
            case "sum", (items,):
                return mpmath.fsum(self.values[i] for i in items), [(i, mpmath.mpf(1)) for i in items]
            case (("method" | "call"), (name, i)) if name not in {"count_nodes", "trace"}:
                return self.method(name, i)
            case "slope", (rpn, xs, index):
                h = mpmath.mpf(1e-4)
                moved = [mpmath.mpf(x) + (h if k == index else 0) for k, x in enumerate(xs)]
                return (evaluate(rpn, moved) - evaluate(rpn, [mpmath.mpf(x) for x in xs])) / h, []
            case "set", (i, "grad", x):
                self.grads[i] = mpmath.mpf(x)
            case "record", (i,):
                self.locals[i] = []
            case "push", (i,):
                self.push(i)
            case "backward", (root,):
                self.grads[root] = mpmath.mpf(1)
                for i in range(root, -1, -1):
                    if i in self.below(root):
                        self.push(i)
        return None, []

    def binary(self, sign: str, i: int, j: int) -> tuple[mpmath.mpf, list[tuple[int, mpmath.mpf]]]:
        """An operator; the exponent of ** has no derivative."""
        x, y = self.values[i], self.values[j]
        if sign == "+":
            return x + y, [(i, mpmath.mpf(1)), (j, mpmath.mpf(1))]
        if sign == "-":
            return x - y, [(i, mpmath.mpf(1)), (j, mpmath.mpf(-1))]
        if sign == "*":
            return x * y, [(i, y), (j, x)]
        if sign == "/":
            return x / y, [(i, 1 / y), (j, -x / y**2)]
        return mpmath.re(mpmath.power(x, y)), [(i, mpmath.re(y * mpmath.power(x, y - 1)))]

    def method(self, name: str, i: int) -> tuple[mpmath.mpf, list[tuple[int, mpmath.mpf]]]:
        """relu, exp, or one of the two tanh."""
        x = self.values[i]
        if name == "relu":
            return (x, [(i, mpmath.mpf(1))]) if x > 0 else (mpmath.mpf(0), [(i, mpmath.mpf(0))])
        if name == "exp":
            return mpmath.exp(x), [(i, mpmath.exp(x))]
        return mpmath.tanh(x), [(i, 1 / mpmath.cosh(x) ** 2)]

    def push(self, i: int) -> None:
        """One node's `_backward`."""
        for operand, local in self.locals[i]:
            self.grads[operand] += local * self.grads[i]

    def below(self, root: int) -> set[int]:
        """Every slot that a gradient at `root` flows to."""
        found = {root}
        for i in range(root, -1, -1):
            if i in found:
                found.update(operand for operand, _ in self.locals[i])
        return found

    def derivative(self, root: int, by: int) -> mpmath.mpf:
        """Forward mode: how `root` moves when the result of step `by` does."""
        moves = [mpmath.mpf(0)] * (root + 1)
        moves[by] = mpmath.mpf(1)
        for i in range(by + 1, root + 1):
            moves[i] += mpmath.fsum(local * moves[operand] for operand, local in self.locals[i])
        return moves[root]


def evaluate(rpn: tuple[int | float | str, ...], xs: list[mpmath.mpf]) -> mpmath.mpf:
    """A float function at 50 digits."""
    stack: list[mpmath.mpf] = []
    for token in rpn:
        if isinstance(token, str):
            y, x = stack.pop(), stack.pop()
            stack.append({"+": x + y, "-": x - y, "*": x * y}[token])
        else:
            stack.append(xs[token] if isinstance(token, int) else mpmath.mpf(token))
    return stack.pop()


def worst(program: Program, given: Answer) -> float:
    """The largest error of an answer as a part of its bound; infinite where an exact number is off."""
    precise = Precise(program)
    ratios = [0.0]
    for slot, step in enumerate(program.steps):
        expected = given.slots[slot]
        if precise.values[slot] is not None:
            ratios.append(ratio(expected.value, precise.values[slot], expected.value_bound))
        if makes_node(step):
            ratios.append(ratio(expected.grad, precise.grads[slot], expected.grad_bound))
    return max(ratios)


def ratio(got: float | None, want: mpmath.mpf, bound: float) -> float:
    """An error as a part of its bound."""
    assert got is not None
    error = abs(mpmath.mpf(got) - want)
    return 0.0 if error == 0 else float(error / bound) if bound else math.inf


def test_the_oracle_agrees_with_50_digits_within_its_own_bound():
    """On 22,000 programs of every kind each number and gradient is within its own bound of the truth."""
    count = 0
    with mpmath.workdps(50):
        for program in drawn(1, 1572):
            count += 1
            assert worst(program, answer(program)) <= 1.0, to_python(program)
    assert count >= 20_000


def test_bounds_are_tight_enough_to_mean_something():
    """Bounds stay near rounding: under 1e-9 of the largest number in the program."""
    for program in drawn(2, 300, "expression", "gradients", "local", "derived"):
        slots = answer(program).slots
        largest = max(max(abs(slot.value or 0.0), abs(slot.grad), 1.0) for slot in slots)
        assert max(max(slot.value_bound, slot.grad_bound) for slot in slots) <= 1e-9 * largest**2, to_python(program)


def test_reverse_mode_agrees_with_forward_mode():
    """Each gradient is the derivative found by moving that node alone."""
    with mpmath.workdps(50):
        for program in drawn(3, 150, "expression", "gradients"):
            precise, root = Precise(program), program.steps[-1].args[0]
            for slot, expected in enumerate(answer(program).slots[: root + 1]):
                if makes_node(program.steps[slot]):
                    moved = precise.derivative(root, slot)
                    assert ratio(expected.grad, moved, expected.grad_bound) <= 1.0, to_python(program)


# ---------------------------------------------------------------- PyTorch


def test_the_oracle_agrees_with_pytorch():
    """Data and every gradient are those of PyTorch in double precision, both sides rounding."""
    torch = pytest.importorskip("torch")
    for program in drawn(4, 700, "expression", "gradients", "operation"):
        nodes = torch_nodes(torch, program)
        for slot, expected in enumerate(answer(program).slots):
            if makes_node(program.steps[slot]):
                assert abs(nodes[slot].item() - expected.value) <= 2 * expected.value_bound, to_python(program)
                grad = 0.0 if nodes[slot].grad is None else nodes[slot].grad.item()
                assert abs(grad - expected.grad) <= 2 * expected.grad_bound, to_python(program)


def torch_nodes(torch, program):
    """What each step of a program is in PyTorch."""
    made = []
    for step in program.steps:
        match step.op, step.args:
            case "number", (x,):
                made.append(x)
            case (("leaf" | "node"), (x, *_)):
                made.append(torch.tensor(float(x), dtype=torch.float64, requires_grad=True))
            case "backward", (root,):
                made.append(made[root].backward())
            case _:
                made.append(applied(step, made))
                made[-1].retain_grad()
    return made


def applied(step, made):
    """An operation by Python's own operators on whatever was made."""
    match step.op, step.args:
        case "binary", (sign, i, j):
            x, y = made[i], made[j]
            return {"+": lambda: x + y, "-": lambda: x - y, "*": lambda: x * y, "/": lambda: x / y, "**": lambda: x**y}[
                sign
            ]()
        case "negate", (i,):
            return -made[i]
        case "sum", (items,):
            return sum([made[i] for i in items])
        case (("method" | "call"), (name, i)):
            return getattr(made[i], name)()


# ---------------------------------------------------------------- an engine that does it differently


class Other:
    """A right engine that rounds elsewhere: a / b by a power, tanh by its formula, gradients added up backwards."""

    def __init__(self, data, moves=()):
        self.data, self.grad, self.moves = data, 0.0, moves

    def __add__(self, other):
        other = other if isinstance(other, Other) else Other(other)
        return Other(other.data + self.data, ((other, 1.0), (self, 1.0)))

    def __mul__(self, other):
        other = other if isinstance(other, Other) else Other(other)
        return Other(self.data * other.data, ((other, self.data), (self, other.data)))

    def __pow__(self, k):
        return Other(self.data**k, ((self, k * self.data ** (k - 1)),))

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)

    def __rsub__(self, other):
        return (-self) + other

    def __truediv__(self, other):
        return self * other**-1

    def __rtruediv__(self, other):
        return self**-1 * other

    __radd__, __rmul__ = __add__, __mul__

    def relu(self):
        """0 below 0."""
        return Other(max(self.data, 0.0), ((self, float(self.data > 0)),))

    def exp(self):
        """A power of e, not `math.exp`."""
        out = math.e**self.data
        return Other(out, ((self, out),))

    def tanh(self):
        """One operation, by the formula."""
        big = math.exp(2 * self.data)
        out = (big - 1) / (big + 1)
        return Other(out, ((self, 1 - out**2),))

    def my_tanh(self):
        """The formula in nodes."""
        big = (self + self).exp()
        return (big - 1) / (big + 1)

    def backward(self):
        """Depth first."""
        order, seen = [], set()

        def visit(node):
            if id(node) not in seen:
                seen.add(id(node))
                for parent, _ in node.moves:
                    visit(parent)
                order.append(node)

        visit(self)
        self.grad = 1.0
        for node in reversed(order):
            for parent, local in node.moves:
                parent.grad += local * node.grad


def other_nodes(program: Program) -> list[Other | float | None]:
    """What each step of a program is in the other engine."""
    made: list[Other | float | None] = []
    for step in program.steps:
        if step.op == "number":
            made.append(step.args[0])
        elif step.op in {"leaf", "node"}:
            made.append(Other(step.args[0]))
        elif step.op == "backward":
            made.append(made[step.args[0]].backward())
        else:
            made.append(applied(step, made))
    return made


def test_a_right_engine_that_rounds_elsewhere_is_right():
    """Twice the bound covers an engine of other formulas and another order, in 12,000 programs."""
    for program in drawn(5, 3000, "expression", "gradients", "derived", "one_leaf"):
        ran = (
            Program((*program.steps, Step("backward", (len(program) - 1,))))
            if program.steps[-1].op == "call"
            else program
        )
        nodes = other_nodes(ran)
        for slot, expected in enumerate(answer(ran).slots):
            if makes_node(ran.steps[slot]):
                assert abs(nodes[slot].data - expected.value) <= 2 * expected.value_bound, to_python(ran)
                assert abs(nodes[slot].grad - expected.grad) <= 2 * expected.grad_bound, to_python(ran)


@pytest.mark.parametrize("x", [0.0, 1e-9, -1e-3, 0.1, 1.0, -2.5, 8.0, 15.0, -19.0, 20.0, -20.0])
@pytest.mark.parametrize("function", ["a.tanh()", "my_tanh(a)"])
def test_tanh_near_0_and_near_saturation_is_judged_by_absolute_bounds(function, x):
    """Where the formulas cancel, every way of writing them is still within twice the bound, and a fault is not."""
    program = parse(f"a = Value({x!r})\nb = {function}\nb.backward()")
    nodes, slots = other_nodes(program), answer(program).slots
    assert abs(nodes[1].data - slots[1].value) <= 2 * slots[1].value_bound < 1e-14
    assert abs(nodes[0].grad - slots[0].grad) <= 2 * slots[0].grad_bound < 3e-14


def test_adding_up_in_any_order_is_right():
    """A gradient of 200 parts that cancel may be added up in any order."""
    rng = random.Random(6)
    factors = [rng.uniform(-50, 50) for _ in range(60)]
    lines = ["x = Value(1.7)", "s = x * 0.3"]
    for factor in factors:
        lines += [f"s = s + x * {factor!r}"]
    expected = answer(parse("\n".join([*lines, "s.backward()"]))).slots[0]
    for _ in range(50):
        rng.shuffle(factors)
        total = 0.0
        for factor in [0.3, *factors]:
            total += factor
        assert abs(total - expected.grad) <= 2 * expected.grad_bound


# ---------------------------------------------------------------- each kind of step


def slots_of(text: str) -> tuple[Expected, ...]:
    """The answer to a program given as text."""
    return answer(parse(text)).slots


def test_a_leaf_keeps_its_number():
    """A new Value has its number, gradient 0, no parents and the label ''."""
    assert slots_of("a = Value(3)") == (Expected(3.0, parents=(), op="", exact=True),)


def test_a_node_made_by_hand_has_its_parents_once():
    """Parents are the distinct nodes passed, in order, and the operation is what was passed."""
    c = slots_of("a = Value(2.0)\nb = Value(3.0)\nc = Value(6.0, (b, a, b), '*')")[2]
    assert (c.value, c.parents, c.op, c.wrapped) == (6.0, (1, 0), "*", ())


@pytest.mark.parametrize(
    ("operation", "value", "parents", "wrapped", "op"),
    [
        ("a + b", -1.0, (0, 1), (), "+"),
        ("a * b", -6.0, (0, 1), (), "*"),
        ("a * a", 4.0, (0,), (), "*"),
        ("a + 2.5", 4.5, (0,), (2.5,), "+"),
        ("3 * a", 6.0, (0,), (3,), "*"),
        ("a ** 2", 4.0, (0,), (), "**2"),
        ("a ** -1", 0.5, (0,), (), "**-1"),
        ("a ** 2.0", 4.0, (0,), (), "**2.0"),
        ("b.relu()", 0.0, (1,), (), "ReLU"),
        ("a.exp()", math.exp(2), (0,), (), "exp"),
        ("a.tanh()", math.tanh(2), (0,), (), "tanh"),
        ("-a", -2.0, None, (), None),
        ("a - b", 5.0, None, (), None),
        ("a / b", 2 / -3, None, (), None),
        ("1 - a", -1.0, None, (), None),
        ("1 / a", 0.5, None, (), None),
        ("sum([a, b, 2.0])", 1.0, None, (), None),
        ("my_tanh(a)", math.tanh(2), None, (), None),
    ],
)
def test_an_operation_gives_value_parents_hidden_leaves_and_label(operation, value, parents, wrapped, op):
    """What the lesson specifies of each operation is told; the making of derived operators is not."""
    made = slots_of(f"a = Value(2.0)\nb = Value(-3.0)\nc = {operation}")[-1]
    assert (made.value, made.parents, made.wrapped, made.op) == (pytest.approx(value, rel=1e-15), parents, wrapped, op)


@pytest.mark.parametrize(
    ("operation", "a", "b"),
    [
        ("a + b", 2.5, 1.0),
        ("a * b", 0.5 - 6.0, -1.0 + 4.0),
        ("a * a", 0.5 + 8.0, -1.0),
        ("a ** 3", 0.5 + 24.0, -1.0),
        ("a.relu()", 2.5, -1.0),
        ("b.relu()", 0.5, -1.0),
        ("a.exp()", 0.5 + 2 * math.exp(2.0), -1.0),
        ("a - b", 2.5, -3.0),
        ("a / b", 0.5 - 2 / 3, -1.0 - 4 / 9),
        ("-b", 0.5, -3.0),
    ],
)
def test_a_push_adds_local_derivatives_to_what_is_there(operation, a, b):
    """One `_backward` hands out.grad on to the operands, onto their gradients; other nodes keep theirs."""
    slots = slots_of(
        f"a = Value(2.0)\nb = Value(-3.0)\na.grad = 0.5\nb.grad = -1.0\nc = {operation}\nc.grad = 2.0\nc._backward()"
    )
    assert (slots[0].grad, slots[1].grad) == (pytest.approx(a, rel=1e-15), pytest.approx(b, rel=1e-15))
    assert slots[-3].grad == 2.0


def test_pushing_by_hand_gives_what_backward_gives():
    """The lesson's neuron: calling `_backward` by hand from the output gives the same gradients."""
    text = """\
x1 = Value(2.0)
x2 = Value(0.0)
w1 = Value(-3.0)
w2 = Value(1.0)
b = Value(7.0)
p = x1 * w1
q = x2 * w2
s = p + q
n = s + b
o = n.tanh()
"""
    by_hand = slots_of(text + "o.grad = 1.0\no._backward()\nn._backward()\ns._backward()\nq._backward()\np._backward()")
    swept = slots_of(text + "k = count_nodes(o)\no.backward()")
    assert [slot.grad for slot in by_hand[:10]] == [slot.grad for slot in swept[:10]]
    assert [slot.grad for slot in swept[:5]] == pytest.approx([-1.2599, 0.42, 0.84, 0.0, 0.42], abs=1e-4)
    assert (round(swept[9].value, 4), swept[10].value) == (0.7616, 10)


def test_the_long_expression_of_the_lesson():
    """`g.data`, `a.grad` and `b.grad` are the lesson's numbers."""
    text = "a = Value(-4)\nb = Value(2)\nc = a + b\nd = b * c\nc += 1 + c + (-a)\n"
    text += "d += d * 2 + (b + a).tanh()\ng = c - d\ng.backward()"
    slots = slots_of(text)
    assert (round(slots[-2].value, 4), round(slots[0].grad, 4), round(slots[1].grad, 4)) == (13.964, -5.0707, 1.9293)


def test_the_delivery_cost_of_the_lesson():
    """111, and 12 nodes, leaves included."""
    lines = ["base = Value(50)", "weight = Value(3)", "kilo = Value(15)", "distance = Value(12)", "road = Value(2)"]
    lines += [
        "discount = Value(-8)",
        "cost = (base + weight * kilo + distance * road + discount).relu()",
        "n = count_nodes(cost)",
    ]
    slots = slots_of("\n".join(lines))
    assert (slots[-2].value, slots[-1].value) == (111.0, 12)


def test_counting_takes_hidden_leaves_in_and_refuses_to_guess():
    """A wrapped number is a node; below a derived operator the number of nodes is not specified."""
    assert slots_of("a = Value(2.0)\nb = a * 3\nc = b + b\nd = count_nodes(c)")[-1].value == 4
    assert slots_of("a = Value(2.0)\nb = a - a\nc = count_nodes(b)")[-1].value is None


def test_nothing_flows_through_recorders_and_nodes_made_by_hand():
    """The output's gradient is 1, what records keeps 0, and nodes that are not reached keep theirs."""
    text = "a = Value(2.0)\nb = Value(4.0, (a,), '+')\nc = Value(8.0, (b, a), '*')\nd = b * a\n"
    text += "record(b)\nrecord(c)\nd.grad = 5.0\nc.backward()"
    assert [slot.grad for slot in slots_of(text)[:4]] == [0.0, 0.0, 1.0, 5.0]
    assert [slot.grad for slot in slots_of("a = Value(2.0)\nb = a * a\nrecord(b)\nc = b * a\nc.backward()")[:2]] == [
        4.0,
        2.0,
    ]


def test_reading_gives_what_stands_at_that_moment():
    """`get` sees data, gradient and label as they are when it runs; the node shows them as they end."""
    slots = slots_of("a = Value(2.0)\nb = a.data\nc = a.grad\na.data = 5.0\na.grad = 0.5\nd = a.grad\ne = a.data")
    assert [slots[i].value for i in (0, 1, 2, 5, 6)] == [5.0, 2.0, 0.0, 0.5, 5.0]
    assert slots[0].grad == 0.5
    assert answer(parse("a = Value(2.0)\na.data = 5.0")).data_after == (5.0, None)
    labels = slots_of("a = Value(2.0, label='x1')\nb = a.label\nc = Value(3.0)\nd = c.label\nc.label = 'y'")
    assert [slot.label for slot in labels] == ["x1", "x1", "y", "", ""]


def test_a_training_step_is_asked():
    """Data may be set between two graphs, once the gradients were zeroed."""
    text = "p = Value(2.0)\na = p * p\na.backward()\np.data = 1.0\np.grad = 0.0\nb = p * 3.0\nb.backward()"
    assert slots_of(text)[0].grad == 3.0
    assert not in_domain(parse("p = Value(2.0)\na = p * p\np.data = 1.0\na.backward()"))


@pytest.mark.parametrize("text", ["repr(a)", "print_graph(a)", "draw_dot(a)", "trace(a)", "a.grad = 0.5", "record(a)"])
def test_what_is_judged_elsewhere_has_no_number(text):
    """Printing, drawing and setting give nothing to compare."""
    assert slots_of(f"a = Value(2.0)\n{text}")[1] == Expected()


def test_a_power_of_a_value_is_asked_and_has_no_answer():
    """An engine must refuse `a ** b`; whatever comes after it makes no sense."""
    assert slots_of("a = Value(2.0)\nb = Value(3.0)\nc = a ** b")[2].value is None
    assert not in_domain(parse("a = Value(2.0)\nb = Value(3.0)\nc = a ** b\nd = c + a"))


def test_slope_is_a_difference_quotient_forward_or_central():
    """The forward quotient is the value, the central ones are alternatives, the bound is that of cancelling."""
    made = slots_of("a = slope(lambda x, y, z: x * y + z, [3.0, -2.0, 12.0], 2)")[0]
    assert abs(made.value - 0.9999999999976694) <= made.value_bound < 1e-9
    cube = slots_of("a = slope(lambda x: x * x * x, [2.0], 0)")[0]
    assert cube.value == pytest.approx(12 + 6e-4, abs=1e-7)
    assert all(abs(each - 12) < 2e-8 for each in cube.alternatives)
    assert len(cube.alternatives) == 2


# ---------------------------------------------------------------- exactness


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("a + b", True),
        ("a * b - a * b", True),
        ("a * 0.75 + 2", True),
        ("sum([a, b, a])", True),
        ("a * 0.1", False),
        ("a / 3", False),
        ("a ** 2", False),
        ("a.tanh()", False),
        ("a * 1.00000095367431640625 * 1.00000095367431640625", True),
        ("a * 1.00000095367431640625 * 1.00000095367431640625 * 1.00000095367431640625", False),
    ],
)
def test_exact_numbers_are_known_to_be(text, exact):
    """Sums and products of short binary fractions carry no error; whatever may round says so."""
    made = slots_of(f"a = Value(2.25)\nb = Value(-3.5)\nc = {text}")[-1]
    assert made.exact is exact
    assert (made.value_bound == 0.0) is exact


def test_relu_of_a_computed_exact_0_is_asked():
    """Where 0 is exact the output and the gradient are 0; where it is rounded nothing is asked."""
    exact = slots_of("a = Value(2.25)\nb = a * 4 - 9\nc = b.relu()\nc.backward()")
    assert [slot.grad for slot in exact if slot.op is not None] == [0.0, 0.0, 1.0]
    assert not in_domain(parse("a = Value(0.1)\nb = a + 0.2\nc = b - 0.3\nd = c.relu()"))


# ---------------------------------------------------------------- what is never asked


@pytest.mark.parametrize(
    "text",
    [
        "b = Value(0.0)\nc = b ** 2",
        "c = a / 0",
        "b = a - a\nc = a / b",
        "b = Value(-2.0)\nc = b ** 0.5",
        "b = Value(20.5)\nc = b.tanh()",
        "b = Value(-21)\nc = my_tanh(b)",
        "b = Value(51.0)\nc = b.exp()",
        "b = Value(14.0)\nc = b.exp()",
        "b = Value(1000001)",
        "b = Value(1000.0)\nc = b * b\nd = c + 1",
        "b = Value(0.001)\nc = b ** -3",
        "b = Value(1e-4)\nc = b ** -1\nd = c * 90.0\nd.backward()",
        "a.grad = 2000000.0",
        "b = a * 1000\na.grad = 1000000.0\nb.grad = 1000.0\nb._backward()",
        "b = sum([])",
        "b = sum([1.0, 2.0])",
        "b = a * a\nb.backward()\nb.backward()",
        "b = a * a\nc = a + b\nc.backward()\nb.backward()",
        "a.grad = 0.5\nb = a * a\nb.backward()",
        "b = a * a\nb.grad = 2.0\nb.backward()",
        "b = a * a\nb.grad = 2.0\nb._backward()\nb.backward()",
        "b = 2.0\nc = b.relu()",
        "b = 2.0\nc = b + 3.0",
        "b = slope(lambda x: x * x, [10000.0], 0)",
        "b = slope(lambda x: x * x, [1.0], 1)",
    ],
)
def test_what_the_lesson_never_asks_is_out_of_the_domain(text):
    """Each rule of the lesson, and each program that makes no sense, is refused."""
    with pytest.raises(OutOfDomain):
        answer(parse("a = Value(2.0)\n" + text))


@pytest.mark.parametrize(
    "text",
    [
        "b = Value(-2.0)\nc = b ** 2.0",
        "b = Value(20)\nc = b.tanh()",
        "b = Value(1000000)",
        "b = Value(0)\nc = b.relu()",
        "b = a * a\nc = Value(3.0)\nc.grad = 5.0\nb.backward()",
        "b = a * a\nb.backward()\nc = Value(1.0)\nd = c * c\nd.backward()",
        "a.grad = 0.0\nb = a * a\nb.backward()",
    ],
)
def test_what_the_lesson_allows_is_in_the_domain(text):
    """The limits themselves may be asked."""
    assert in_domain(parse("a = Value(2.0)\n" + text))


@pytest.mark.parametrize(("depth", "fine"), [(200, True), (201, False)])
def test_a_path_has_at_most_200_nodes(depth, fine):
    """Chains of 200 nodes are asked, longer ones are not, computed or made by hand."""
    assert in_domain(decode.chain(depth)) is fine
    assert in_domain(handmade.chain(depth)) is fine


def test_a_long_sum_is_a_deep_graph():
    """sum() adds one at a time: 300 items are 300 nodes, one above the other."""
    assert in_domain(parse(f"a = Value(2.0)\nb = sum([{', '.join(['a'] * 150)}])"))
    assert not in_domain(parse(f"a = Value(2.0)\nb = sum([{', '.join(['a'] * 300)}])"))


@pytest.mark.parametrize(
    "step",
    [Step("binary", ("+", 0, 7)), Step("binary", ("%", 0, 0)), Step("method", ("sin", 0)), Step("dance", (0,))],
)
def test_a_step_that_makes_no_sense_is_refused_in_words(step):
    """A slot, sign, name or kind that does not exist is an error of the lesson, not a crash."""
    with pytest.raises(LessonError):
        answer(Program((Step("leaf", (2.0,)), step)))


def test_an_unknown_attribute_is_an_error_of_the_lesson():
    """Programs read and set data, grad and label."""
    with pytest.raises(LessonError, match="colour"):
        answer(Program((Step("leaf", (2.0,)), Step("get", (0, "colour")))))


def test_every_reference_of_a_drawn_program_points_backwards():
    """Slots are in topological order, on which the sweep relies."""
    for program in drawn(7, 100):
        assert all(i < slot for slot, step in enumerate(program.steps) for i in references(step))
