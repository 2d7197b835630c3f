"""The pytest plugin's hooks, and nothing else: everything they need is in `grader.session`, imported late.

Every pytest run on a machine with micrograde installed loads this module, so it stays
small and does nothing without `--submission` (or `--record`, by which seeds are recorded).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from grader.session import Subject


def pytest_addoption(parser: pytest.Parser) -> None:
    """Name the submission on the command line; without it the plugin is inert."""
    group = parser.getgroup("micrograde")
    group.addoption("--submission", metavar="PATH", help="grade this submission with the checks that are collected")
    group.addoption("--lesson-lang", metavar="LANG", default="en", help="the language of the scored summary: en or ru")
    group.addoption("--record", metavar="FILE", help="record what the checks ask into a corpus, grading nothing")
    group.addoption("--checks", metavar="IDS", help="only these checks, separated by commas")
    group.addoption("--report-json", metavar="FILE", help="write the report of the run, as JSON")


def pytest_configure(config: pytest.Config) -> None:
    """Know the marker everywhere, for `--strict-markers`; hook in a session only where one is asked for."""
    config.addinivalue_line("markers", "check(id): which check of lesson.toml a test states the programs of")
    if config.getoption("--record"):
        from grader.session import Recording

        config.pluginmanager.register(Recording(config), "micrograde-session")
    elif config.getoption("--submission"):
        from grader.session import Live

        config.pluginmanager.register(Live(config), "micrograde-session")


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> Subject:
    """What a check asks: the submission under test, or the recorder."""
    from grader.session import subject_of

    return subject_of(request)
