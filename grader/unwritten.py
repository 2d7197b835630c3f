"""Whether a student has not begun something, which is no fault.

A name is missing, or its call raises NotImplementedError, as the template's do. A name that
is written down in a file which could not be loaded is lost, not unwritten.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from grader.engine import Engine
from grader.observation import Observation, Observed
from grader.programs import FUNCTION_FILES, Program, Step, function_of

METHOD_OF = {"+": "__add__", "*": "__mul__", "**": "__pow__", "-": "__sub__", "/": "__truediv__"}
REFLECTED = {"+": "__radd__", "*": "__rmul__", "-": "__rsub__", "/": "__rtruediv__"}


def is_unwritten(engine: Engine, program: Program, observation: Observation) -> bool:
    """Whether a program ended because what it asks for has not been begun."""
    if not isinstance(observation, Observed) or observation.raised is None:
        return False
    raised = observation.raised
    if raised.type == "NotImplementedError":
        return True
    step = program.steps[raised.step]
    name = function_of(step) or ("Value" if "Value" not in engine.names else None)
    if name is not None:
        return name not in engine.names and not is_lost(engine, name)
    if step.op == "labelled":
        return raised.type == "TypeError" and "'label'" in raised.message
    method = method_of(program, step)
    return method is not None and method not in engine.methods


def lacks_names(engine: Engine, program: Program) -> bool:
    """Whether a program uses a method that `Value` does not have at all, so that there is nothing to wait for."""
    if "Value" not in engine.names:
        return False
    return any((m := method_of(program, step)) and m not in engine.methods and m != "label" for step in program.steps)


def method_of(program: Program, step: Step) -> str | None:
    """The method of `Value` that a step stands on."""
    match step.op, step.args:
        case "binary", (str(sign), int(i), _):
            return (REFLECTED if program.steps[i].op == "number" else METHOD_OF).get(sign)
        case "negate", _:
            return "__neg__"
        case "sum", _:
            return "__radd__"
        case "method", (str(name), _):
            return name
        case "backward", _:
            return "backward"
        case "get", (_, "label"):
            return "label"
    return None


def is_lost(engine: Engine, name: str) -> bool:
    """Whether a missing name is written down in a file that did not load, or belongs in one that cannot be read."""
    broken = [p.file for p in engine.problems if p.file and p.kind != "unavailable"]
    for file in engine.submission.files:
        if file.problem and is_home(file.name, name):
            return True
        stopped = any(b.startswith(file.name) for b in broken)
        if stopped and any(f"def {name}(" in cell or f"class {name}" in cell for cell in file.cells):
            return True
    return False


def is_home(file: str, name: str) -> bool:
    """Whether a name of the lesson belongs in a file; in a notebook they all do."""
    path = PurePosixPath(file)
    return path.suffix == ".ipynb" or path.stem == FUNCTION_FILES.get(name, "engine")
