"""Strategies: what they draw is in the domain, has the shape that its check needs, and shrinks."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

from grader import decode, handmade, strategies
from grader.draft import NUMBERS, SMALL, Draft
from grader.oracle import OutOfDomain, answer, in_domain
from grader.programs import CONSTRUCTORS, Program, makes_node, references, to_python
from tests.test_oracle import drawn

SIGNS = ("+", "*", "**", "relu", "exp", "tanh")

KINDS = ("neg", "sub", "div", "radd", "rmul", "rsub", "rdiv", "sum")

FUNCTIONS = ("print_graph", "count_nodes", "trace", "draw_dot")

ALL = {
    "constructions": strategies.constructions(),
    **{f"operation {sign}": strategies.operation(sign) for sign in SIGNS},
    **{f"with_number {sign}": strategies.with_number(sign) for sign in "+*"},
    **{f"local {sign}": strategies.local(sign) for sign in SIGNS},
    **{f"derived {kind}": strategies.derived(kind) for kind in KINDS},
    **{f"built {kind}": strategies.built(kind) for kind in KINDS[:3]},
    **{f"own {kind}": strategies.own(kind) for kind in KINDS[:3]},
    **{f"graphs {function}": strategies.graphs(function) for function in FUNCTIONS},
    **{f"trees {function}": strategies.trees(function) for function in FUNCTIONS},
    "refused_powers": strategies.refused_powers(),
    "one_leaf": strategies.one_leaf("my_tanh"),
    "recorded": strategies.recorded(),
    "gradients": strategies.gradients(),
    "expressions": strategies.expressions(),
    "labels": strategies.labels(),
    "slopes": strategies.slopes(),
    "only": strategies.only("a = Value(2.0)"),
}

quietly = settings(
    max_examples=60,
    database=None,
    deadline=None,
    derandomize=True,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),
)


def smallest(strategy, condition=lambda _: True):
    """What a strategy shrinks to."""
    return find(
        strategy, condition, settings=settings(quietly, max_examples=2000, phases=(Phase.generate, Phase.shrink))
    )


def last(program: Program):
    """A program's last step."""
    return program.steps[-1]


def sets(program: Program) -> dict[int, float]:
    """The gradients that a program sets."""
    return {step.args[0]: step.args[2] for step in program.steps if step.op == "set"}


def operation_of(program: Program) -> int:
    """The slot of the last node that was not made by the constructor."""
    return max(i for i, step in enumerate(program.steps) if makes_node(step) and step.op not in CONSTRUCTORS)


@pytest.mark.parametrize("name", ALL)
def test_what_is_drawn_may_be_asked(name):
    """Every program of every strategy is in the lesson's domain, and prints."""

    @quietly
    @given(ALL[name])
    def check(program):
        assert in_domain(program), to_python(program)

    check()


def test_no_small_numbers_leave_the_domain():
    """All decoders, 30,000 programs by a fixed seed, and the two ends of the numbers."""
    for program in drawn(31, 2150):
        assert in_domain(program), to_python(program)
    for n in (0, SMALL - 1):
        rows = [(n, n, n)] * 12
        assert in_domain(decode.expression(rows))
        assert in_domain(handmade.recorded(rows, n))


@pytest.mark.parametrize("sign", SIGNS)
@quietly
@given(data=st.data())
def test_local_programs_preset_every_operand(sign, data):
    """Operands carry distinct gradients other than 0, the result one other than 0 and 1, and one push comes last."""
    program = data.draw(strategies.local(sign))
    result, given_gradients = operation_of(program), sets(program)
    operands = {i for i in references(program.steps[result]) if makes_node(program.steps[i])}
    assert set(given_gradients) == operands | {result}
    assert len(set(given_gradients.values())) == len(given_gradients)
    assert 0 not in given_gradients.values()
    assert given_gradients[result] != 1
    assert (last(program).op, last(program).args) == ("push", (result,))


@pytest.mark.parametrize("sign", SIGNS)
@quietly
@given(data=st.data())
def test_operation_programs_hold_one_operation(sign, data):
    """One operation, on leaves or on nodes made by hand with the label '+'."""
    program = data.draw(strategies.operation(sign))
    nodes = [step for step in program.steps if makes_node(step)]
    assert [step.args[0] for step in nodes if step.op not in CONSTRUCTORS] == [sign]
    assert all(step.args[2] == "+" for step in nodes if step.op == "node")


def test_operations_meet_the_cases_that_tell_faults():
    """Among 400 programs: the same operand twice, nodes made by hand, ints and floats, relu at and around 0."""
    squares = [p for p in drawn(32, 400, "operation") if last(p).op == "binary" and last(p).args[1] == last(p).args[2]]
    by_hand = [p for p in drawn(32, 400, "operation") if any(step.op == "node" for step in p.steps)]
    zeros = [n for n in range(SMALL) if answer(decode.operation("relu", n, 0)).slots[-1].grad_bound == 0]
    assert squares
    assert by_hand
    assert zeros
    relu = {decode.operation("relu", n, 0).steps[0].args[0] for n in range(32)}
    assert {0.0, 0.125, 0.5, -0.5} <= relu
    exponents = {decode.operation("**", 0, n).steps[1].args[0] for n in range(16)}
    assert {-3, -2, -1, 0, 1, 2, 3, 4, 0.5, 1.5} <= exponents
    assert {type(x) for x in exponents} == {int, float}


@pytest.mark.parametrize(("kind", "side"), [("radd", 1), ("rmul", 1), ("rsub", 1), ("rdiv", 1)])
@quietly
@given(data=st.data())
def test_reflected_operators_have_the_number_on_the_left(kind, side, data):
    """`2 - a`: a plain number, then a Value."""
    program = data.draw(strategies.derived(kind))
    assert program.steps[last(program).args[side]].op == "number"
    assert makes_node(program.steps[last(program).args[side + 1]])


@pytest.mark.parametrize("kind", ["sub", "div"])
def test_minus_and_division_are_asked_of_values_and_of_numbers(kind):
    """Two Values, one Value twice, and a plain int or float on the right."""
    rights = [decode.derived(kind, 0, n) for n in range(SMALL)]
    found = {program.steps[last(program).args[2]].op for program in rights}
    assert {"leaf", "node", "number"} <= found
    assert any(last(program).args[1] == last(program).args[2] for program in rights)
    numbers = {type(p.steps[-2].args[0]) for p in rights if p.steps[-2].op == "number"}
    assert numbers == {int, float}


@quietly
@given(strategies.derived("sum"))
def test_sums_hold_one_to_five_items_and_a_value(program):
    """A list of 1 to 5, plain numbers among them, with at least one Value; numbers stand just before the sum."""
    items = last(program).args[0]
    assert 1 <= len(items) <= 5
    assert any(makes_node(program.steps[i]) for i in items)


def test_sums_are_of_values_alone_and_mixed():
    """A number may be first in the list, and a Value may occur twice."""
    programs = list(drawn(33, 600, "summed"))
    kinds = [[p.steps[i].op == "number" for i in last(p).args[0]] for p in programs]
    assert [False] in kinds
    assert any(k[0] and len(k) > 1 for k in kinds)
    assert any(any(k) and not k[0] for k in kinds)
    assert any(len(set(last(p).args[0])) < len(last(p).args[0]) for p in programs)


@quietly
@given(strategies.recorded())
def test_recorded_graphs_are_made_by_the_constructor_alone(program):
    """Every node with parents records, one backward() is last, what it does not reach has a gradient other than 0."""
    nodes = [i for i, step in enumerate(program.steps) if makes_node(step)]
    assert all(program.steps[i].op in {"leaf", "node"} for i in nodes)
    recording = {step.args[0] for step in program.steps if step.op == "record"}
    assert recording == {i for i in nodes if program.steps[i].op == "node"}
    assert [step.op for step in program.steps].count("backward") == 1
    assert last(program).op == "backward"
    root = last(program).args[0]
    assert root in recording
    assert set(sets(program)) == set(nodes) - below(program, root)
    assert 0 not in sets(program).values()


def below(program: Program, root: int) -> set[int]:
    """The slots that a node was made from, itself included."""
    found = {root}
    for i in range(root, -1, -1):
        if i in found:
            found.update(references(program.steps[i]))
    return found


def test_recorded_graphs_meet_the_cases_that_tell_faults():
    """Among 500: nodes used twice, leaves of equal number, second outputs, an output that has one above it."""
    programs = list(drawn(34, 500, "recorded"))
    uses = [[i for step in p.steps for i in references(step) if step.op == "node"] for p in programs]
    assert sum(len(set(u)) < len(u) for u in uses) > 100
    leaves = [[step.args[0] for step in p.steps if step.op == "leaf"] for p in programs]
    assert sum(len(set(x)) < len(x) for x in leaves) > 50
    assert sum(bool(sets(p)) for p in programs) > 100
    assert sum(any(last(p).args[0] in references(step) for step in p.steps if step.op == "node") for p in programs) > 10


@quietly
@given(strategies.gradients())
def test_gradient_programs_are_plus_and_times_between_values(program):
    """Leaves, + and * between nodes, and one backward() from the last."""
    assert {step.op for step in program.steps} <= {"leaf", "binary", "backward"}
    assert {step.args[0] for step in program.steps if step.op == "binary"} <= {"+", "*"}
    assert last(program).args == (len(program) - 2,)


def test_expressions_use_the_whole_lesson_and_share_nodes():
    """Among 500: every operation, numbers on both sides, and nodes used more than once."""
    programs = list(drawn(35, 500, "expression"))
    used = {step.args[0] if step.op in {"binary", "method"} else step.op for p in programs for step in p.steps}
    assert {"+", "-", "*", "/", "**", "relu", "exp", "tanh", "negate", "sum", "number"} <= used
    assert sum(sum(len(references(s)) for s in p.steps) > len(p) for p in programs) > 100


@pytest.mark.parametrize("function", FUNCTIONS)
@quietly
@given(data=st.data())
def test_graphs_tell_nodes_apart_in_print(function, data):
    """All data lies 0.1 apart, and for a drawing gradients and labels are distinct too."""
    program = data.draw(strategies.graphs(function))
    values = sorted(step.args[0] for step in program.steps if makes_node(step))
    assert all(larger - smaller > handmade.APART for smaller, larger in pairwise(values))
    if function == "draw_dot":
        labels = [step.args[3] for step in program.steps if makes_node(step)]
        assert len(set(labels)) == len(labels) == len(values)
        assert sets(program)
        assert last(program).args[1] in {"", "LR", "TB"}


@quietly
@given(strategies.trees("print_graph"))
def test_trees_use_no_node_twice(program):
    """In a tree each node has at most one result made from it."""
    uses = [i for step in program.steps if step.op == "node" for i in references(step)]
    assert len(set(uses)) == len(uses)


def test_graphs_share_nodes_and_are_asked_of_inner_nodes():
    """Among 300 graphs many share nodes, and some are asked of a node that has others above it."""
    programs = list(drawn(36, 300, "graph"))
    uses = [[i for step in p.steps if step.op in {"node", "labelled"} for i in references(step)] for p in programs]
    assert sum(len(set(u)) < len(u) for u in uses) > 50
    roots = [references(last(p))[0] for p in programs]
    assert any(root in u for root, u in zip(roots, uses, strict=True))


@quietly
@given(strategies.constructions())
def test_constructions_have_at_most_three_parents(program):
    """A leaf, or a node of 1 to 3 distinct leaves; only the constructor is called."""
    assert all(step.op in {"leaf", "node"} for step in program.steps)
    assert len(references(last(program))) == len(program) - 1 <= 3


def test_constructions_hold_odd_data():
    """The lesson's odd numbers are all there, as int and as float."""
    held = {decode.construction(n, 0, 0, 0).steps[0].args[0] for n in range(SMALL)}
    assert {0.125, 0.1, 1e-3, -12.0625, 3, 10**6} <= held


def test_leaves_are_distinct_and_never_0():
    """Numbers for leaves: no two alike, none 0, mostly multiples of 1/4, some between 0 and 1, some int."""
    assert len(set(NUMBERS)) == len(NUMBERS)
    assert 0 not in NUMBERS
    assert sum((x * 4).is_integer() for x in map(float, NUMBERS)) >= 0.9 * len(NUMBERS)
    assert sum(0 < x < 1 for x in NUMBERS) >= 4
    assert {type(x) for x in NUMBERS} == {int, float}


def test_chains_have_the_depth_that_is_asked_for():
    """Both are one path of that many nodes; a short recorded one shares, a long one does not."""
    for depth in (6, 200):
        recorded, computed = strategies.chains(depth)
        assert sum(makes_node(step) for step in recorded.steps) == depth
        assert sum(step.op == "binary" for step in computed.steps) == depth - 1
        assert in_domain(recorded)
        assert in_domain(computed)
    short, long = strategies.chains(6)[0], strategies.chains(200)[0]
    assert max(len(references(step)) for step in short.steps) == 2
    assert max(len(references(step)) for step in long.steps) == 1


def test_a_draft_that_is_taken_back_is_as_it_was():
    """A step that leaves the domain changes nothing, and neither does a leaf that was added for it."""
    draft = Draft()
    a = draft.leaf(0)
    before = (list(draft.steps), list(draft.nodes), list(draft.loose), draft.run.numbers.copy())
    draft.operate("exp", 31, 0, numbers=False)  # a new leaf of 10, whose exp is not drawn
    with pytest.raises(OutOfDomain):
        draft.add("binary", "/", a, draft.make((), "leaf", 0.0))
    draft.back((1, [a], [a]))
    assert (draft.steps, draft.nodes, draft.loose, draft.run.numbers) == before


# ---------------------------------------------------------------- shrinking


@pytest.mark.parametrize("name", ALL)
def test_each_strategy_shrinks_to_a_few_lines(name):
    """The simplest program of each strategy is short."""
    assert len(to_python(smallest(ALL[name])).splitlines()) <= (
        6 if name.split()[0] in {"local", "own", "built", "recorded"} else 4
    )


@pytest.mark.parametrize(
    ("strategy", "condition", "text"),
    [
        (
            strategies.expressions(),
            lambda p: any(step.op == "method" and step.args[0] == "tanh" for step in p.steps),
            "a = Value(2.0)\nb = a.tanh()\nb.backward()",
        ),
        (
            strategies.gradients(),
            lambda p: any(step.op == "binary" and step.args[0] == "*" for step in p.steps),
            "a = Value(2.0)\nb = a * a\nb.backward()",
        ),
        (
            strategies.derived("sub"),
            lambda p: any(step.op == "number" for step in p.steps),
            "a = Value(2.0)\nb = a - 2.0",
        ),
        (strategies.constructions(), lambda p: len(p) > 1, "a = Value(2.0)\nb = Value(2.0, (a,), '+')"),
        (strategies.slopes(), lambda p: "*" in last(p).args[0], None),
    ],
)  # fmt: skip
def test_a_failing_program_shrinks_to_the_simplest_that_fails(strategy, condition, text):
    """Where one operation is at fault, hardly more than it is left, on the first numbers of the tables."""
    found = to_python(smallest(strategy, condition))
    assert found == text or (text is None and len(found) <= 55)
