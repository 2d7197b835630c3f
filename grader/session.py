"""pytest lives here: recording what checks ask, and asking a submission live.

A check's module states programs and calls `agrees`. Who listens depends on the run: a
recorder that writes a corpus, or a submission in its worker (`grader.runs` starts such runs as processes of their own).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, Protocol

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis.strategies import SearchStrategy

from grader import corpus as corpora
from grader.corpus import Ask, Corpus
from grader.engine import Engine
from grader.errors import UsageError
from grader.examination import Examination
from grader.i18n import language
from grader.lesson import Lesson, load
from grader.needs import needs
from grader.oracle import answer
from grader.parse import parse
from grader.programs import Program, to_python
from grader.report import Report, encode
from grader.runs import record
from grader.scoring import build
from grader.smallest import WHOLE, make_small
from grader.submission import Problem, Submission, read
from grader.tally import SECONDARY, Tally
from grader.verdict import Fault, Verdict


class Subject(Protocol):
    """Whom a check asks."""

    def ask(self, program: Program, about: str) -> Fault | None:
        """What is wrong with the answer to a program under one aspect, or None."""


class Disagreement(AssertionError):
    """A submission's answer is not what arithmetic says."""


def agrees(engine: Subject, program: Program, *, about: str) -> None:
    """A check's one assertion: the engine's answer to `program` is right under the aspect `about`."""
    __tracebackhide__ = True
    fault = engine.ask(program, about)
    if fault is not None:
        lines = [to_python(program), f"{fault.expression}  # expected {fault.expected}, got {fault.got}"]
        raise Disagreement("\n".join(lines))


def asks(
    drawn: SearchStrategy[Program], *canonical: str | Program, examples: int = 10
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a check its programs: the canonical ones first, as Python text, then `examples` drawn ones.

    Settings are explicit: with `CI` in the environment Hypothesis's default profile would
    derandomize and silently ignore the seed.
    """

    def give(check: Callable[..., None]) -> Callable[..., None]:
        test: Any = given(program=drawn)(check)
        for given_program in reversed(canonical):
            program = parse(given_program) if isinstance(given_program, str) else given_program
            test = example(program=program)(test)
        decorated: Callable[..., None] = settings(
            max_examples=examples,
            database=None,
            deadline=None,
            derandomize=False,
            report_multiple_bugs=False,
            phases=(Phase.explicit, Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        )(test)
        return decorated

    return give


def subject_of(request: pytest.FixtureRequest) -> Subject:
    """The subject of the test that asks for the `engine` fixture."""
    session = request.config.pluginmanager.get_plugin("micrograde-session")
    marker = request.node.get_closest_marker("check")
    if session is None:
        pytest.exit("the checks need a submission: run `pytest checks --submission PATH`", returncode=4)
    if marker is None or not marker.args:
        message = f"{request.node.nodeid}: mark it with @pytest.mark.check('EXERCISE.OPERATION.ASPECT')"
        raise pytest.UsageError(message)
    found: Subject = session.subject(marker.args[0])
    return found


# ---------------------------------------------------------------- recording


def tick() -> None:
    """Say on a line of its own that one more check is done."""
    sys.stdout.write("+\n")
    sys.stdout.flush()


class Recording:
    """A run that answers nothing and writes down what is asked."""

    def __init__(self, config: pytest.Config) -> None:
        self.lesson = load(_lesson_root(config))
        self.file = Path(config.getoption("--record"))
        self.places: dict[Program, int] = {}
        self.asks: dict[str, list[Ask]] = {}

    def subject(self, check_id: str) -> Subject:
        """The recorder of one check."""
        return Scribe(self, check_id)

    def pytest_runtest_logfinish(self) -> None:
        """Whoever started the run shows progress."""
        tick()

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the corpus, if every check could be recorded."""
        if session.testsfailed or not self.asks:
            return
        import hypothesis

        seed = int(session.config.getoption("--hypothesis-seed", default=None) or 0)
        ordered = {check.id: tuple(self.asks[check.id]) for check in self.lesson.checks if check.id in self.asks}
        answers = tuple(answer(program) for program in self.places)
        found = Corpus(self.lesson.digest, seed, hypothesis.__version__, tuple(self.places), answers, ordered)
        self.file.write_bytes(corpora.encode(found))


class Scribe:
    """Writes down the programs of one check; a program asked twice is kept once."""

    def __init__(self, recording: Recording, check_id: str) -> None:
        self.recording, self.check = recording, recording.lesson.check(check_id)
        self.asks = recording.asks.setdefault(check_id, [])

    def ask(self, program: Program, about: str) -> Fault | None:
        """Nothing is wrong with a program that was only written down."""
        places, lesson = self.recording.places, self.recording.lesson
        wanted = needs(lesson, self.check, program, about)
        stands_on = tuple(place for place, check in enumerate(lesson.checks) if check.id in wanted)
        ask = Ask(places.setdefault(program, len(places)), about, stands_on)
        if ask not in self.asks:
            self.asks.append(ask)
        return None


# ---------------------------------------------------------------- live


LIVE_RESTARTS, LIVE_WALL = 60, 600.0
"""A live run asks each check by itself, so that each may lose a worker, and it shrinks, which takes time (seconds)."""


class Live:
    """A run that asks a submission; the verdicts decide what pytest says of each test."""

    def __init__(self, config: pytest.Config) -> None:
        language(config.getoption("--lesson-lang"))
        self.lesson = load(_lesson_root(config))
        self.seed = int(config.getoption("--hypothesis-seed", default=None) or 0)
        try:
            self.submission = read(Path(config.getoption("--submission")))
        except UsageError as error:
            raise pytest.UsageError(str(error)) from None
        self.config = config
        self.verdicts: dict[str, Verdict] = {}
        self.engine: Engine | None = None
        self.tally: Tally | None = None

    @property
    def examination(self) -> Examination:
        """The submission's examination; its worker starts with the first check."""
        if self.engine is None:
            found = corpora.read(self.lesson, self.seed) or corpora.read(self.lesson, corpora.PUBLIC_SEED)
            if found is None:
                found = record(self.lesson, corpora.PUBLIC_SEED)
            limits = msgspec.structs.replace(self.lesson.limits, restarts=LIVE_RESTARTS, submission_wall=LIVE_WALL)
            self.engine = Engine(self.submission, limits)
            self.engine.load()
            self._examination = Examination(self.submission, self.lesson, found, self.engine)
            self._examination.ask_all(self.lesson.checks)  # what else a check stands on is judged by the corpus
        return self._examination

    def subject(self, check_id: str) -> Subject:
        """The submission, asked for one check."""
        self.tally = Tally(self.lesson.check(check_id), "", [])
        return Asked(self.examination, self.tally)

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Generator[None, object, object]:
        """Let the verdict decide: a fault that is carried forward or has to wait is no failure of the test."""
        error: BaseException | None = None
        try:
            yield
        except Exception as raised:  # noqa: BLE001 whatever the check raised, the verdict is what counts
            error = raised
        tally, self.tally = self.tally, None
        if tally is None:
            if error is not None:
                raise error
            return True
        verdict = self.conclude(tally, error)
        pyfuncitem.user_properties.append(("micrograde", msgspec.json.encode(verdict).decode()))
        if verdict.outcome == "passed":
            return True
        if verdict.outcome in ("blocked", "not-started"):
            pytest.skip(f"{verdict.outcome}: {', '.join(verdict.waiting_for)}".rstrip(": "))
        raise error or Disagreement(f"{verdict.check.id}: {verdict.outcome}")

    def conclude(self, tally: Tally, error: BaseException | None) -> Verdict:
        """The verdict of a live check: of what was asked, or, if the check itself broke, 'broken'."""
        examination = self.examination
        if error is not None and not isinstance(error, AssertionError) and not any(t.fault for t in tally.trials):
            return Verdict(tally.check, "broken")
        examination.tallies[tally.check.id] = tally
        verdict = examination.settled(examination.conclude(tally.check, tally))
        return make_small(examination, verdict)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Collect verdicts where the summary is written; with xdist they come from other processes."""
        for name, value in report.user_properties:
            if name == "micrograde" and report.when == "call":
                verdict = msgspec.json.decode(str(value), type=Verdict)
                self.verdicts[verdict.check.id] = verdict

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the checks that were asked for, if some were."""
        wanted = set(filter(None, (self.config.getoption("--checks") or "").split(",")))
        if wanted:
            items[:] = [i for i in items if (m := i.get_closest_marker("check")) and m.args[0] in wanted]

    def pytest_runtest_logfinish(self) -> None:
        """Whoever started the run shows progress."""
        if self.config.getoption("--report-json"):
            tick()

    def pytest_sessionfinish(self) -> None:
        """Leave no worker behind."""
        if self.engine is not None:
            self._examination.close()
            self.engine.close()

    def report(self) -> Report:
        """The report on the checks that ran."""
        problems = self.engine.problems if self.engine else _problems(self.submission, self.lesson)
        lang = self.config.getoption("--lesson-lang")
        return build(self.submission, self.lesson, self.verdicts, problems, seed=self.seed, lang=lang)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The scored summary, and the report for whoever started the run."""
        if not self.verdicts:
            return
        report = self.report()
        target = self.config.getoption("--report-json")
        if target:
            Path(target).write_text(encode(report), encoding="utf-8")
        from grader.render import terminal

        terminalreporter.write_line("")
        terminalreporter.write_line(terminal.render(report, color=terminalreporter.hasmarkup))


class Asked:
    """One check's conversation with the submission."""

    def __init__(self, examination: Examination, tally: Tally) -> None:
        self.examination, self.tally = examination, tally

    def ask(self, program: Program, about: str) -> Fault | None:
        """The fault of a program that may speak; what has to wait, or has nothing to look at, is only counted."""
        self.tally.about = about
        dead = next((t.fault for t in self.tally.trials if t.fault and t.fault.clause in WHOLE), None)
        if dead:  # one hang a check is enough: shrinking must not multiply it
            return dead
        trial = self.examination.trial(self.tally.check, program, about)
        self.tally.trials.append(trial)
        silent = about in SECONDARY and trial.fault is not None and (trial.unwritten or trial.fault.no_result)
        return None if silent else trial.fault


def _problems(submission: Submission, lesson: Lesson) -> list[Problem]:
    with Engine(submission, lesson.limits) as engine:
        engine.load()
        return list(engine.problems)


def _lesson_root(config: pytest.Config) -> Path | None:
    """The lesson whose checks are collected: the folder above `checks`."""
    for argument in config.args:
        path = Path(argument.split("::")[0]).absolute()
        for folder in (path, *path.parents):
            if (folder / "checks" / "lesson.toml").is_file():
                return folder
    return None
