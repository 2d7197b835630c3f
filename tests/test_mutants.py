"""Nearly every small change of the reference is caught; what is not caught changes nothing that the lesson asks."""

from __future__ import annotations

import json
from pathlib import Path

from grader.lesson import load
from tests.mutants import mutants, survivors

LESSON = load()
MUTANTS = mutants()

EQUIVALENT = json.loads(Path(__file__).with_name("survivors.json").read_text(encoding="utf-8"))
"""Every mutant that survives, and why it may."""


def test_there_are_many_mutants_and_each_is_another():
    """The changes reach every file and every function of the reference."""
    assert len(MUTANTS) >= 400
    assert len({str(sorted(m.files.items())) for m in MUTANTS}) == len(MUTANTS)
    functions = {m.id.split(":")[0] for m in MUTANTS}
    for name in ("engine.py, relu._backward", "engine.py, backward.visit", "functions.py, slope", "graph.py, draw_dot"):
        assert f"micrograd/{name}" in functions


def test_what_is_excused_is_a_mutant():
    """No excuse outlives the code that it was for."""
    assert EQUIVALENT.keys() <= {m.id for m in MUTANTS}


def test_mutants_die():
    """One in nine is graded here; `python -m tests.mutants` grades all, of which 448 of 474 die."""
    assert set(survivors(MUTANTS[::9], LESSON)) <= EQUIVALENT.keys()
