"""The engine answers whatever the student's code does: one observation a program, in order."""

from __future__ import annotations

import msgspec
import pytest

from grader.engine import FRAMES, Engine
from grader.lesson import Limits
from grader.observation import Crashed, Observed, Stalled, Unasked
from grader.programs import Program, Step
from tests.support import reference_files, submission, with_edit

LIMITS = Limits(program_cpu=0.3, program_wall=2.0, import_cpu=0.5, submission_wall=30.0, memory=512 << 20, restarts=3)

ADD = Program((Step("leaf", (2.0,)), Step("leaf", (3.0,)), Step("binary", ("+", 0, 1))))
MUL = Program((Step("leaf", (2.0,)), Step("leaf", (3.0,)), Step("binary", ("*", 0, 1))))
TANH = Program((Step("leaf", (0.5,)), Step("call", ("my_tanh", 0))))

SUM = "self.data + other.data"


def ask(files, *programs, limits=LIMITS):
    """The observations of programs, and the engine that made them."""
    with Engine(submission(files), limits) as engine:
        return engine.ask(programs), engine


def data(observation):
    """The data of the last node that a program made."""
    assert isinstance(observation, Observed), observation
    return observation.nodes[observation.results[-1].index].value


def test_right_engine_is_observed_exactly():
    """Numbers come back as the very floats, parents by identity, labels as text."""
    (seen, other), engine = ask(reference_files(), ADD, MUL)
    assert (data(seen), data(other)) == (5.0, 6.0)
    assert seen.nodes[2].parents == (0, 1)
    assert seen.nodes[2].op == "=+"
    assert engine.problems == []


@pytest.mark.parametrize(
    ("what", "seen"),
    [
        ("(_ for _ in ()).throw(KeyboardInterrupt)", "KeyboardInterrupt"),
        ("__import__('sys').exit(3)", "SystemExit"),
        ("[0] * 10**10", "MemoryError"),
        ("(lambda f: f(f))(lambda f: f(f))", "RecursionError"),
        ("input()", "EOFError"),
    ],
)
def test_whatever_is_raised_is_an_answer(what, seen):
    """No exception of a student ends the worker, not even those that end Python."""
    (first, second), _ = ask(with_edit(SUM, what), ADD, MUL)
    assert isinstance(first, Observed)
    assert first.raised.type == seen
    assert data(second) == 6.0


@pytest.mark.parametrize(
    ("what", "seen"),
    [
        ("[0 for _ in iter(int, 1)]", Stalled("cpu")),
        ("__import__('time').sleep(100)", Stalled("wall")),
        ("__import__('os')._exit(7)", Crashed("exit 7")),
        ("__import__('os').kill(__import__('os').getpid(), 11)", Crashed("signal 11")),
        ("[print('x' * 9999) for _ in iter(int, 1)]", Stalled("output")),
    ],
)
def test_losing_the_worker_costs_one_program(what, seen):
    """A hang, a crash or a flood costs the program that was running; the next is asked of a fresh worker."""
    (first, second), _ = ask(with_edit(SUM, what), ADD, MUL)
    assert first == seen
    assert data(second) == 6.0


def test_swallowing_every_exception_does_not_help():
    """A loop that catches BaseException for ever ends with its worker."""
    files = with_edit(SUM, "spin()")
    files["micrograd/engine.py"] += """

def spin():
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
"""
    (first, second), _ = ask(files, ADD, MUL)
    assert (first, data(second)) == (Stalled("cpu"), 6.0)


def test_restarts_are_capped():
    """After the lesson's number of restarts the rest is not asked: no answer, no points."""
    answers, _ = ask(with_edit(SUM, "__import__('os')._exit(0)"), *[ADD] * 6)
    assert answers == [Crashed("exit 0")] * 4 + [Unasked()] * 2


def test_a_file_that_hangs_costs_only_itself():
    """Each file loads by itself: the others answer, and one problem names the file."""
    files = reference_files() | {"micrograd/functions.py": "while True:\n    pass\n"}
    (first, second), engine = ask(files, ADD, TANH)
    assert data(first) == 5.0
    assert second.raised.type == "NameError"
    assert [(p.kind, p.blame, p.file) for p in engine.problems] == [("hang", "student", "micrograd/functions.py")]


def test_definitions_before_an_exception_stay():
    """Demonstrations that fail at the end of a file do not undo its classes."""
    files = reference_files()
    files["micrograd/engine.py"] += "\n\nraise RuntimeError('demo')\n"
    (first,), engine = ask(files, ADD)
    assert data(first) == 5.0
    assert [(p.kind, p.line) for p in engine.problems] == [("exception", files["micrograd/engine.py"].count("\n"))]


def test_a_missing_library_hurts_only_where_it_is_used():
    """Importing torch is fine; the line that uses it is left out and named, and the rest of the file runs."""
    files = reference_files()
    files["micrograd/engine.py"] = "import torch\nfrom torch import nn\ntorch.manual_seed(0)\n" + files[
        "micrograd/engine.py"
    ].replace("from __future__ import annotations\n", "")
    (first,), engine = ask(files, ADD)
    assert data(first) == 5.0
    assert [(p.kind, p.line) for p in engine.problems] == [("unavailable", 3)]


def test_numpy_is_real_where_imported():
    """Numpy's scalars and 0-d arrays count as the numbers they hold."""
    files = with_edit(SUM, "np.float64(self.data) + np.array(other.data)")
    files["micrograd/engine.py"] = "import numpy as np\n" + files["micrograd/engine.py"].replace(
        "from __future__ import annotations\n", ""
    )
    (first,), engine = ask(files, ADD)
    assert data(first) == 5.0
    assert engine.problems == []


def test_syntax_error_names_line_and_column():
    """The problem says what the parser said, and where."""
    files = reference_files() | {"micrograd/functions.py": "def my_tanh(x):\n    return (x\n"}
    _, engine = ask(files, ADD)
    (problem,) = engine.problems
    assert (problem.kind, problem.file, problem.line) == ("syntax", "micrograd/functions.py", 2)
    assert "column 12" in problem.message


def test_unsolicited_bytes_are_a_protocol_fault():
    """A submission that writes to the grader's pipe itself loses the program, not the grader."""
    files = with_edit(SUM, "forge()")
    files["micrograd/engine.py"] += (
        "\n\ndef forge():\n    import os\n    for fd in range(3, 9):\n        try:\n"
        "            os.write(fd, b'[\"answer\",0,[]]\\n')\n        except OSError:\n            pass\n    return 0\n"
    )
    (first, second), _ = ask(files, ADD, MUL)
    assert first == Crashed("protocol")
    assert isinstance(second, Observed)


def test_sets_of_nodes_iterate_alike_in_every_process():
    """Nodes hash by order of first hashing: an answer that depends on set order is the same each time."""
    files = with_edit(SUM, "float([id(n) for n in {self, other}][0] == id(self))")
    assert {data(ask(files, ADD)[0][0]) for _ in range(6)} == {1.0}


def test_an_engine_with_its_own_hash_keeps_it():
    """Hashing by value is a student's own doing, and its effect must show."""
    own = """def __eq__(self, other):
        return self.data == other.data

    def __hash__(self):
        return hash(self.data)

    def __add__("""
    files = with_edit("def __add__(", own)
    twins = Program((Step("leaf", (2.0,)), Step("leaf", (2.0,)), Step("binary", ("+", 0, 1))))
    (first,), _ = ask(files, twins)
    assert len(first.nodes[first.results[-1].index].parents) == 1


@pytest.mark.parametrize(
    "line",
    [
        b"{}",
        b"[]",
        b'["answer"]',
        b'["answer",0,[[NaN],[]]]',
        b'["answer",-1,[[],[]]]',
        b'["answer",0,[[],[],null,[],null,null,null,null,1]]',
        b"\xff",
        b'["answer",0,[[1e999],[]]]',
    ],
)
def test_decoder_refuses_other_shapes(line):
    """Only frames of exactly the agreed shape are read."""
    with pytest.raises((msgspec.MsgspecError, UnicodeDecodeError)):
        FRAMES.decode(line)
