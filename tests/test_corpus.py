"""The recorded programs: what is shipped is what is recorded, and only whole files are believed."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest

from grader import corpus as corpora
from grader.lesson import compiled_path, load, root
from grader.oracle import answer, in_domain
from grader.runs import record

LESSON = load()
SHIPPED = corpora.read(LESSON, corpora.PUBLIC_SEED)


def test_shipped_corpus_is_what_is_recorded(monkeypatch):
    """Recording the public seed again, with `CI` set, gives what is shipped: run `python -m grader.runs` if not."""
    monkeypatch.setenv("CI", "1")
    recorded = record(LESSON, corpora.PUBLIC_SEED)
    assert SHIPPED is not None
    assert SHIPPED.lesson == LESSON.digest
    if SHIPPED.hypothesis == recorded.hypothesis:
        assert recorded == SHIPPED
    else:  # another Hypothesis draws other programs; the canonical ones are the same
        assert set(recorded.asks) == set(SHIPPED.asks)


def test_every_check_has_programs():
    """No check of the lesson is without a question; scored ones have drawn programs beside the canonical."""
    assert set(SHIPPED.asks) == {check.id for check in LESSON.checks}
    assert [check.id for check in LESSON.checks if check.points and len(SHIPPED.asks[check.id]) < 5] == []


def test_programs_are_in_the_domain_and_answers_are_the_oracles():
    """Nothing is asked that the lesson forbids, and the recorded answers are those of the oracle."""
    assert all(in_domain(program) for program in SHIPPED.programs)
    assert SHIPPED.answers == tuple(answer(program) for program in SHIPPED.programs)


def test_equal_programs_are_kept_once():
    """One program judged under several aspects is sent once."""
    assert max(Counter(SHIPPED.programs).values()) == 1


@pytest.mark.parametrize("damage", [lambda b: b[:-1], lambda b: b[:40] + b"x" + b[41:], lambda b: b[:0]])
def test_damaged_files_are_not_believed(damage):
    """A corpus that is not whole is no corpus."""
    assert corpora.decode(damage(corpora.encode(SHIPPED))) is None


def test_another_lesson_or_seed_is_not_believed(tmp_path, monkeypatch):
    """A cached file counts only for its own lesson and seed."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    if sys.platform != "linux":
        monkeypatch.setattr(corpora, "cached_path", lambda _, seed: tmp_path / f"{seed}")
    corpora.keep(corpora.cached_path(LESSON, 5), corpora.encode(SHIPPED))
    assert corpora.read(LESSON, 5) is None


def test_a_cache_that_cannot_be_written_costs_nothing(tmp_path):
    """Where the cache is read-only a recording is simply not kept."""
    (tmp_path / "file").write_text("")
    corpora.keep(tmp_path / "file" / "corpus", corpora.encode(SHIPPED))
    assert not (tmp_path / "file" / "corpus").exists()


def test_seeds_differ_in_what_they_draw():
    """Another seed asks other programs."""
    assert record(LESSON, 1).programs != SHIPPED.programs


def test_the_compiled_lesson_is_shipped():
    """Start-up does not parse TOML."""
    assert compiled_path(root()).is_file()


INSTALLED = """
import sys
from grader import corpus, lesson
from grader.runs import record
found = lesson.load()
again = record(found, corpus.PUBLIC_SEED)
print(corpus.encode(again)[:32].hex(), again.hypothesis)
"""


def test_the_installed_package_records_the_same(tmp_path, monkeypatch):
    """From the package as it is installed, away from any checkout, the public seed gives the shipped programs."""
    monkeypatch.setenv("CI", "1")
    monkeypatch.delenv("PYTHONPATH", raising=False)
    found = subprocess.run(
        [sys.executable, "-P", "-c", INSTALLED], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=True
    )
    digest, hypothesis = found.stdout.split()
    if hypothesis == SHIPPED.hypothesis:
        assert digest == corpora.encode(SHIPPED)[:32].hex()
