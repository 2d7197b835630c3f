"""The reference and every right engine of the alternatives bank reproduce the lesson's facts.

Each is loaded by a small driver in a process of its own, without any of the grader: so
these tests would notice a reference and a grader that are wrong together.
"""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.support import ROOT

if TYPE_CHECKING:
    from pathlib import Path

ALTERNATIVES = sorted(p for p in (ROOT / "checks" / "alternatives").iterdir() if not p.name.startswith((".", "_")))
SUBMISSIONS = [ROOT / "reference", *ALTERNATIVES]

DRIVER = r'''
import contextlib, importlib, importlib.util, io, json, re, sys, types
from pathlib import Path

class Digraph:
    """A stand-in that remembers what is drawn."""
    def __init__(self, *args, graph_attr=(), node_attr=(), **rest):
        self.graph_attr, self.node_attr, self.labels, self.lines = dict(graph_attr), dict(node_attr), {}, []
    def attr(self, kind="graph", **attributes):
        self.graph_attr.update(attributes)
    def node(self, name, label=None, _attributes=None, **attributes):
        assert name not in self.labels
        self.labels[name] = label.replace(" ", ""), {**self.node_attr, **(_attributes or {}), **attributes}.get("shape")
    def edge(self, tail, head):
        self.lines.append((tail, head))
    def edges(self, pairs):
        self.lines += pairs
    def records(self):
        return sorted(text for text, shape in self.labels.values() if text.startswith("{") and shape == "record")
    def operations(self):
        return sorted(text for text, shape in self.labels.values() if not text.startswith("{"))
    def arrows(self):
        return sorted([self.labels[tail][0], self.labels[head][0]] for tail, head in self.lines)

sys.modules["graphviz"] = types.SimpleNamespace(Digraph=Digraph)

def cells(path):
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            yield "".join(line for line in cell["source"] if not line.startswith(("%", "!")))

def names(path):
    if path.is_dir():
        sys.path.insert(0, str(path))
        package = "micrograd." if (path / "micrograd").is_dir() else ""
        modules = [importlib.import_module(package + name) for name in ("engine", "functions", "graph")]
        return {name: value for module in modules for name, value in vars(module).items()}
    found = {"__name__": "notebook"}
    if path.suffix == ".ipynb":
        for cell in cells(path):
            with contextlib.suppress(Exception):
                exec(cell, found)
        return found
    spec = importlib.util.spec_from_file_location("work", path)
    sys.modules["work"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return vars(module)

def printed(function, *args):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        function(*args)
    lines = out.getvalue().splitlines()
    return [re.sub(r"data=(-?[\d.]+)", lambda m: f"data={float(m[1]):.2f}", line) for line in lines]

def refused(function, *args):
    try:
        function(*args)
    except Exception as error:
        return type(error) is not NotImplementedError
    return False

def answer(lines, found):
    space = {**found, "printed": printed, "refused": refused}
    try:
        exec("\n".join(lines[:-1]), space)
        return eval(lines[-1], space)
    except BaseException as error:
        return f"{type(error).__name__}: {error}"

with contextlib.redirect_stdout(io.StringIO()):
    found = names(Path(sys.argv[1]))
    answers = {title: answer(lines, found) for title, lines in json.load(sys.stdin).items()}
print(json.dumps(answers, default=str))
'''

FACTS = r"""
## a leaf
a = Value(2.0)
[a.data, a.grad, len(a._prev), a._op]
=> [2, 0, 0, ""]

## odd data
[Value(x).data for x in (0.125, 0.1, 1e-3, -12.0625, 3, 10**6)]
=> [0.125, 0.1, 0.001, -12.0625, 3, 1000000]

## a node
a, b = Value(2.0), Value(2.0)
c = Value(4.0, (a, b), '+')
[c.data, set(c._prev) == {a, b}, c._op]
=> [4, true, "+"]

## the container of the parents
isinstance(Value(1.0)._prev, (set, frozenset))
=> true

## a label
[Value(1.0, label='a').label, Value(1.0).label]
=> ["a", ""]

## a sum
a, b = Value(2.0), Value(-3.5)
c = a + b
[c.data, c._prev == {a, b}, c._op, a.data, b.data]
=> [-1.5, true, "+", 2, -3.5]

## a product
a, b = Value(2.0), Value(-3.5)
c = a * b
[c.data, c._prev == {a, b}, c._op, a.data, b.data]
=> [-7, true, "*", 2, -3.5]

## one node used twice is one parent
a = Value(3.0)
[(a * a)._prev == {a}, (a + a)._prev == {a}]
=> [true, true]

## two equal numbers are two parents
len((Value(2.0) + Value(2.0))._prev)
=> 2

## plain numbers on the right
a = Value(2.0)
[(a + 1).data, (a * 2.5).data, sorted(p.data for p in (a * 2.5)._prev)]
=> [3, 5, [2, 2.5]]

## powers
a = Value(4.0)
[[(a**k).data, (a**k)._op, (a**k)._prev == {a}] for k in (2, -1, 0.5)]
=> [[16, "**2", true], [0.25, "**-1", true], [2, "**0.5", true]]

## no Value as an exponent
refused(lambda: Value(2.0) ** Value(2.0))
=> true

## relu
[[r.data, r._op, r._prev == {a}, a.data] for a in map(Value, (2.5, -2.5, 0.5, 0.0)) for r in [a.relu()]]
=> [[2.5, "ReLU", true, 2.5], [0, "ReLU", true, -2.5], [0.5, "ReLU", true, 0.5], [0, "ReLU", true, 0]]

## exp
a = Value(1.0)
e = a.exp()
[e.data, e._op, e._prev == {a}]
=> [2.718281828459045, "exp", true]

## tanh
a = Value(0.5)
t = a.tanh()
[t.data, t._op, t._prev == {a}]
=> [0.46211715726000975, "tanh", true]

## minus
a = Value(3.0)
b = -a
[b.data, b._op, sorted(p.data for p in b._prev)]
=> [-3, "*", [-1, 3]]

## a difference
a, b = Value(3.0), Value(5.0)
c = a - b
[c.data, c._op, sorted(p.data for p in c._prev)]
=> [-2, "+", [-5, 3]]

## a quotient
a, b = Value(3.0), Value(4.0)
c = a / b
[c.data, c._op, sorted(p._op for p in c._prev)]
=> [0.75, "*", ["", "**-1"]]

## differences and quotients with plain numbers
a = Value(3.0)
[(a - 5).data, (a - 0.5).data, (a / 4).data]
=> [-2, 2.5, 0.75]

## plain numbers on the left, and what they remember
a = Value(4.0)
left = [2 + a, 2 - a, 2.5 * a, 6 / a]
[[v.data for v in left], [a in trace(v)[0] for v in left]]
=> [[6, -2, 10, 1.5], [true, true, true, true]]

## sums
a, b = Value(1.5), Value(2.0)
[sum([a]).data, sum([a, b, 3, b]).data]
=> [1.5, 8.5]

## the delivery cost
cost = (Value(50) + Value(3) * Value(15) + Value(12) * Value(2) + Value(-8)).relu()
[cost.data, count_nodes(cost)]
=> [111, 12]

## a * b + c
a, b, c = Value(3.0), Value(-2.0), Value(12.0)
d = a * b + c
[d.data, sorted(p.data for p in d._prev), d._op]
=> [6, [-6, 12], "+"]

## the gradient of a sum
a, b = Value(3.0), Value(-2.0)
c = a + b
a.grad, b.grad, c.grad = 0.5, 7.0, 3.0
c._backward()
[a.grad, b.grad]
=> [3.5, 10]

## the gradient of a product
a, b = Value(3.0), Value(-2.0)
c = a * b
a.grad, b.grad, c.grad = 0.5, 7.0, 2.0
c._backward()
[a.grad, b.grad]
=> [-3.5, 13]

## the gradient of a power
a = Value(2.0)
c = a**3
a.grad, c.grad = 1.0, 0.5
c._backward()
a.grad
=> 7

## the gradient of relu: passed, stopped, passed, stopped at 0
operands = [Value(x) for x in (2.0, -2.0, 0.5, 0.0)]
for a in operands:
    r = a.relu()
    a.grad, r.grad = 1.0, 4.0
    r._backward()
[a.grad for a in operands]
=> [5, 1, 5, 1]

## the gradient of exp
a = Value(0.0)
e = a.exp()
a.grad, e.grad = 1.0, 3.0
e._backward()
a.grad
=> 4

## the gradient of tanh
a = Value(0.5)
t = a.tanh()
a.grad, t.grad = 1.0, 2.0
t._backward()
a.grad
=> 2.5728954659318548

## a + a
a = Value(2.0)
(a + a).backward()
a.grad
=> 2

## a**2 + a**3
a = Value(2.0)
(a**2 + a**3).backward()
a.grad
=> 16

## tanh(a) * a
a = Value(0.7)
(a.tanh() * a).backward()
round(a.grad, 6)
=> 1.048685

## exp(a) + exp(a)
a = Value(0.0)
(a.exp() + a.exp()).backward()
a.grad
=> 2

## relu(a) * a
a = Value(1.5)
(a.relu() * a).backward()
a.grad
=> 3

## b + b * a, where b is a * a
a = Value(1.5)
b = a * a
(b + b * a).backward()
a.grad
=> 9.75

## c + a, where c is made from a
x = Value(5.0)
a = x * 2
c = a * 3 * 4
(c + a).backward()
x.grad
=> 26

## a + c, where c is made from a
x = Value(5.0)
a = x * 2
c = a * 3 * 4
(a + c).backward()
x.grad
=> 26

## six steps, each with a node used twice
x = a = Value(0.5)
for _ in range(6):
    x = x * x * 0.5 + x
x.backward()
round(a.grad, 6)
=> 121.490337

## through a relu
a = Value(3.0)
(a * 2).relu().backward()
a.grad
=> 2

## through derived operators
a, b, c = Value(2.0), Value(2.0), Value(2.0)
for output in (-a, 5 - b, 6 / c):
    output.backward()
[a.grad, b.grad, c.grad]
=> [-1, -1, -1.5]

## the long expression
a, b = Value(-4.0), Value(2.0)
c = a + b
d = b * c
c += 1 + c + (-a)
d += d * 2 + (b + a).tanh()
g = c - d
g.backward()
[round(x, 4) for x in (g.data, a.grad, b.grad)]
=> [13.9640, -5.0707, 1.9293]

## the neuron
x1, x2, w1, w2, b = Value(2.0), Value(0.0), Value(-3.0), Value(1.0), Value(7.0)
o = (x1 * w1 + x2 * w2 + b).tanh()
o.backward()
[count_nodes(o), round(o.data, 4), [round(v.grad, 6) for v in (x1, x2, w1, w2, b)]]
=> [10, 0.7616, [-1.259923, 0.419974, 0.839949, 0, 0.419974]]

## the neuron, one _backward after the other
x1, x2, w1, w2, b = Value(2.0), Value(0.0), Value(-3.0), Value(1.0), Value(7.0)
x1w1, x2w2 = x1 * w1, x2 * w2
both = x1w1 + x2w2
n = both + b
o = n.tanh()
o.grad = 1.0
for node in (o, n, both, x2w2, x1w1):
    node._backward()
[round(v.grad, 6) for v in (x1, x2, w1, w2, b)]
=> [-1.259923, 0.419974, 0.839949, 0, 0.419974]

## recorded calls
calls = []
a = Value(1.0)
b = Value(2.0, (a,), '+')
c = Value(2.0, (b,), '+')
d = Value(4.0, (b, c), '+')
for name, node in (('b', b), ('c', c), ('d', d)):
    node._backward = lambda name=name: calls.append(name)
d.backward()
[calls, d.grad]
=> [["d", "c", "b"], 1]

## another output is left alone
a, b = Value(2.0), Value(3.0)
c, other = a * b, a + b
other.grad = 5.0
c.backward()
[a.grad, b.grad, other.grad]
=> [3, 2, 5]

## a chain of 200 nodes
x = start = Value(1.0)
step = Value(0.5)
for _ in range(198):
    x = x + step
x.backward()
[start.grad, step.grad, count_nodes(x), len(printed(print_graph, x)), len(draw_dot(x).records())]
=> [1, 198, 200, 397, 200]

## my_tanh
[round(my_tanh(Value(x)).data, 9) for x in (0, 0.5, 20, -20)]
=> [0, 0.462117157, 1, -1]

## my_tanh keeps the graph
x = Value(0.5)
y = my_tanh(x)
operations = {node._op for node in trace(y)[0]}
y.backward()
[x in trace(y)[0], 'exp' in operations, 'tanh' in operations, round(x.grad, 6)]
=> [true, true, false, 0.786448]

## slope
args = [3.0, -2.0, 12.0]
[[round(slope(lambda a, b, c: a * b + c, args, i), 6) for i in range(3)], args]
=> [[-2, 3, 1], [3, -2, 12]]

## slope of a square
round(slope(lambda x: x * x, [3.0], 0), 3)
=> 6

## printed: every line
a = Value(2.0)
b = Value(4.0, (a,), '**2')
c = Value(6.0, (a, b), '+')
lines = printed(print_graph, c)
[lines[0], sorted(lines[1:])]
=> ["Value(data=6.00) op=+",
    ["    Value(data=2.00) op=leaf", "  Value(data=2.00) op=leaf", "  Value(data=4.00) op=**2"]]

## printed: a node met again is not opened again
a = Value(2.0)
b = Value(4.0, (a,), '**2')
c = Value(4.0, (b,), 'ReLU')
d = Value(8.0, (b, c), '+')
len(printed(print_graph, d))
=> 5

## counted
a = Value(1.0)
b = Value(1.0, (a,), '+')
c = Value(1.0, (a, b), '+')
[count_nodes(node) for node in (a, b, c)]
=> [1, 2, 3]

## traced
a, b = Value(1.0), Value(1.0)
c = Value(2.0, (a, b), '+')
d = Value(3.0, (c, a), '+')
nodes, edges = trace(d)
[nodes == {a, b, c, d}, edges == {(a, c), (b, c), (c, d), (a, d)}]
=> [true, true]

## drawn
a, b = Value(2.0, label='a'), Value(2.0, label='b')
c = Value(4.0, (a, b), '*', label='c')
a.grad, b.grad, c.grad = -3.0, 2.0, 1.0
dot = draw_dot(c)
[dot.records(), dot.operations(), dot.arrows()]
=> [["{a|data2.0000|grad-3.0000}", "{b|data2.0000|grad2.0000}", "{c|data4.0000|grad1.0000}"],
    ["*"],
    [["*", "{c|data4.0000|grad1.0000}"], ["{a|data2.0000|grad-3.0000}", "*"], ["{b|data2.0000|grad2.0000}", "*"]]]

## operations of one kind are drawn apart
a = Value(1.0)
b = Value(2.0, (a,), '+')
c = Value(3.0, (b, a), '+')
dot = draw_dot(c)
[dot.operations(), len(dot.arrows())]
=> [["+", "+"], 5]

## drawing directions
a = Value(1.0)
[draw_dot(a).graph_attr['rankdir'], draw_dot(a, rankdir='TB').graph_attr['rankdir'], refused(draw_dot, a, 'svg', 'RL')]
=> ["LR", "TB", true]
"""
"""What is right, each with its right answer as JSON: the lesson's own examples, and the smallest programs that show the
mistakes of real engines."""


class Fact(NamedTuple):
    """A program whose last line is an expression, and the value that this has to have."""

    program: list[str]
    answer: Any


def read_facts(text: str) -> dict[str, Fact]:
    """The facts by title."""
    facts = {}
    for block in text.strip().split("\n\n"):
        program, answer = block.split("\n=> ")
        title, *lines = program.splitlines()
        facts[title.removeprefix("## ")] = Fact(lines, json.loads(answer))
    return facts


@functools.cache
def answers(path: Path) -> dict[str, Any]:
    """What a submission answers to every fact, in a fresh process."""
    asked = json.dumps({title: fact.program for title, fact in read_facts(FACTS).items()})
    command = [sys.executable, "-I", "-B", "-c", DRIVER, str(path)]
    run = subprocess.run(command, input=asked.encode(), capture_output=True, timeout=60, check=False)
    assert run.returncode == 0, run.stderr.decode(errors="replace")
    return dict(json.loads(run.stdout))


def agrees(got: object, want: object) -> bool:
    """Numbers agree to nine digits, everything else exactly."""
    if isinstance(want, list):
        return isinstance(got, list) and len(got) == len(want) and all(map(agrees, got, want))
    if isinstance(want, bool | str):
        return got == want
    return isinstance(got, int | float) and got == pytest.approx(want, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("path", SUBMISSIONS, ids=lambda path: path.name)
def test_right_engines_agree_with_every_fact(path: Path) -> None:
    """The reference and each alternative give the lesson's answers, forward, backward and drawn."""
    if path.name == "numpy_inside":
        pytest.importorskip("numpy")
    found = answers(path)
    facts = read_facts(FACTS)
    assert {title: found[title] for title, fact in facts.items() if not agrees(found[title], fact.answer)} == {}


def test_there_are_many_alternatives_in_every_layout() -> None:
    """Packages, flat folders, single files and notebooks are all in the bank."""
    layouts = Counter("package" if (path / "micrograd").is_dir() else path.suffix or "flat" for path in ALTERNATIVES)
    assert sum(layouts.values()) >= 26
    assert set(layouts) == {"package", "flat", ".py", ".ipynb"}


def test_no_alternative_repeats_another() -> None:
    """Every file of the bank but the empty ones is its own: the engines are written differently, not renamed."""
    files = [p for p in (ROOT / "checks" / "alternatives").rglob("*.py") if p.stat().st_size > 1]
    texts = Counter(p.read_bytes() for p in files)
    assert [p.name for p in files if texts[p.read_bytes()] > 1] == []


def test_encodings_of_the_bank_are_kept() -> None:
    """One alternative begins with a byte order mark and has CRLF, one is in a declared code page."""
    bank = ROOT / "checks" / "alternatives"
    marked = (bank / "bom_and_crlf" / "micrograd" / "engine.py").read_bytes()
    assert marked.startswith(b"\xef\xbb\xbf")
    assert marked.count(b"\r\n") == marked.count(b"\n") > 100
    coded = (bank / "cp1251.py").read_bytes()
    assert coded.startswith(b"# -*- coding: cp1251 -*-")
    with pytest.raises(UnicodeDecodeError):
        coded.decode("utf-8")
