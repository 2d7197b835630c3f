"""Examining: a submission and a corpus in, verdicts out.

`Examination` asks a submission the programs of the checks, one batch for all, and comes
to a verdict a check. Judging follows the lesson's order, so that what a check stands on
is known before it: programs that stand on something wrong are left out (`grader.needs`),
and a check that has none left is blocked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

import msgspec

from grader.corpus import Ask, Corpus
from grader.engine import Engine
from grader.judge import judge
from grader.lesson import Check, Lesson
from grader.needs import LEAF, PARENTS, needs
from grader.observation import Crashed, Observation, Observed, Stalled, Unasked
from grader.oracle import Answer, answer, in_domain
from grader.programs import CONSTRUCTORS, Program, Step, functions, kinds
from grader.submission import Submission
from grader.tally import Tally, Trial
from grader.unwritten import is_unwritten, lacks_names
from grader.variants import by_gradients, through_backward
from grader.verdict import Fault, Verdict

RECORDED = frozenset({"seed", "once", "order", "others"})


class Examination:
    """One submission before one lesson. `ask` and `verdict` serve replay and live runs alike."""

    def __init__(self, submission: Submission, lesson: Lesson, corpus: Corpus, engine: Engine) -> None:
        self.submission, self.lesson, self.corpus, self.engine = submission, lesson, corpus, engine
        self.verdicts: dict[str, Verdict] = {}
        self.tallies: dict[str, Tally] = {}
        self._seen: dict[Program, Observation] = {}
        self._seen_carried: dict[Program, Observation] = {}
        self._lost: dict[frozenset[str], str] = {}
        self._answers: dict[Program, Answer] = dict(zip(corpus.programs, corpus.answers, strict=True))
        self._carried: Engine | None = None

    # ------------------------------------------------------------ asking

    def wanted(self, selected: Iterable[str]) -> list[Check]:
        """The selected checks and all that they stand on, in the lesson's order."""
        ids = {*selected, LEAF, PARENTS}
        for check in reversed(self.lesson.checks):
            if check.id in ids:
                ids.update(need for ask in self.asks(check) for need in self.needed(ask))
                ids.update(filter(None, (check.follows,)))
        return [check for check in self.lesson.checks if check.id in ids]

    def asks(self, check: Check) -> tuple[Ask, ...]:
        """What the corpus asks for a check."""
        return self.corpus.asks.get(check.id, ())

    def _program(self, ask: Ask) -> Program:
        return self.corpus.programs[ask.program]

    def needed(self, ask: Ask) -> frozenset[str]:
        """The checks that an ask of the corpus stands on."""
        return frozenset(self.lesson.checks[place].id for place in ask.needs)

    def ask_all(self, checks: Sequence[Check]) -> None:
        """Ask every program of these checks in one batch; what hung is not asked again, nor what stands on it."""
        askers: dict[Program, list[tuple[str, Ask]]] = {}
        for check in checks:
            for ask in self.asks(check):
                askers.setdefault(self._program(ask), []).append((check.id, ask))
        programs = [p for p in askers if p not in self._seen]

        def keep(place: int, answers: list[Observation]) -> bool:
            lost = [p for p, a in zip(programs, answers, strict=True) if isinstance(a, Stalled | Crashed)]
            losers = {check_id for p in lost for check_id, _ in askers[p]}
            again = any(kinds(p) and kinds(p) <= kinds(programs[place]) for p in lost)
            return not again and any(not losers & self.needed(ask) for _, ask in askers[programs[place]])

        self._seen.update(zip(programs, self.engine.ask(programs, keep), strict=True))
        for program, found in zip(programs, (self._seen[p] for p in programs), strict=True):
            if isinstance(found, Stalled | Crashed):
                self._lost.setdefault(kinds(program), askers[program][0][0])

    def observe(self, programs: Sequence[Program], engine: Engine | None = None) -> list[Observation]:
        """Observations of programs, each asked once of an engine."""
        engine = engine or self.engine
        seen = self._seen if engine is self.engine else self._seen_carried
        new = [p for p in dict.fromkeys(programs) if p not in seen]
        if new:
            seen.update(zip(new, engine.ask(new), strict=True))
        return [seen[p] for p in programs]

    def expected(self, program: Program) -> Answer:
        """The oracle's answer, worked out once."""
        found = self._answers.get(program)
        if found is None:
            found = self._answers[program] = answer(program)
        return found

    # ------------------------------------------------------------ judging

    def examine(self, checks: Sequence[Check]) -> None:
        """Come to a verdict on each check; they are in the lesson's order."""
        if any(self.pushes(check) for check in checks):
            ids = {check.id for check in checks}
            checks = [c for c in self.lesson.checks if c.id in ids or self.pushes(c)]
        self.ask_all(checks)
        for check in checks:
            self.verdict(check)
            self.verdicts[check.id] = self.settled(self.verdicts[check.id])

    def verdict(self, check: Check) -> Verdict:
        """The verdict on one check by the corpus; what it needs is judged first."""
        if check.id not in self.verdicts:
            tally = Tally(check, "", [])
            for ask in self.asks(check):
                tally.about = ask.about
                tally.trials.append(self.trial(check, self._program(ask), ask.about, self.needed(ask)))
            self.tallies[check.id] = tally
            self.verdicts[check.id] = self.conclude(check, tally)
        return self.verdicts[check.id]

    def conclude(self, check: Check, tally: Tally) -> Verdict:
        """A tally's verdict, after that of a check that it follows."""
        if check.follows:
            leader = self.verdict(self.lesson.check(check.follows))
            if leader.outcome != "passed":
                return Verdict(check, leader.outcome, waiting_for=leader.waiting_for)
        verdict = tally.outcome()
        if verdict.outcome == "blocked" and all(self.lies_ahead(check, need) for need in verdict.waiting_for):
            return Verdict(check, "not-started")
        return msgspec.structs.replace(
            verdict, waiting_for=tuple(sorted(self.roots(verdict.waiting_for), key=self.place_of))
        )

    def roots(self, waiting_for: Iterable[str]) -> set[str]:
        """What is waited for in the end: a check that waits itself gives way to what it waits for."""
        found: set[str] = set()
        for need in waiting_for:
            verdict = self.verdicts.get(need)
            deeper = set(verdict.waiting_for) - {need} if verdict else set()
            found |= self.roots(deeper) or {need}
        return found

    def place_of(self, check_id: str) -> int:
        """A check's place in the lesson."""
        return self.lesson.checks.index(self.lesson.check(check_id))

    def lies_ahead(self, check: Check, need: str) -> bool:
        """Whether what a check waits for is of its own exercise, and not begun: then neither is the check."""
        found = self.verdicts.get(need)
        return need.split(".", maxsplit=1)[0] == check.exercise and found is not None and found.outcome == "not-started"

    def trial(self, check: Check, program: Program, about: str, needed: frozenset[str] | None = None) -> Trial:
        """One program for one check: left out, unwritten, right or at fault. `needed`: what it stands on, if known."""
        waiting = self.unmet(check, program, about) if needed is None else self.not_passed(needed)
        if waiting:
            return Trial(program, waiting_for=waiting, unwritten=lacks_names(self.engine, program))
        if not check.carried and (loser := self.lost_before(check, program)):
            return Trial(program, waiting_for=frozenset({loser}), spoils=True)
        observation = self.observe([program])[0]
        if check.carried:
            return self.carried_trial(program, about, observation)
        if isinstance(observation, Unasked):
            return Trial(program, waiting_for=frozenset(self._lost.values()) or frozenset({check.id}), spoils=True)
        other, observation, about = self.in_another_way(program, observation, about)
        if other is None:
            return Trial(program, waiting_for=frozenset({check.id}))
        waiting = self.built_on_sand(check, other, observation)
        if other is not program:
            waiting |= self.unmet(check, other, about)
        if waiting:
            return Trial(other, waiting_for=waiting)
        return self.excused(check, self.judged(other, observation, about, self.engine), about)

    def excused(self, check: Check, trial: Trial, about: str) -> Trial:
        """The trial, unless its fault is that of something which has lost its own points already."""
        if trial.fault is None or trial.unwritten or check.exercise == "value":
            return trial
        program = trial.program
        if trial.fault.clause in ("cut", "unwrapped") and self.unmet(check, program, "built"):
            return Trial(program)  # the number is right; it is an operation's parents that are wrong
        cause = self.caused_by_constructor(program, trial.fault, about)
        return Trial(program, waiting_for=frozenset({cause}), spoils=about in RECORDED) if cause else trial

    def caused_by_constructor(self, program: Program, fault: Fault, about: str) -> str | None:
        """The constructor's check that explains a fault of something built with it, if that has failed."""
        steps = program.steps
        leaf, parents = (self.verdict(self.lesson.check(i)) for i in (LEAF, PARENTS))
        if parents.outcome != "passed":
            raises = parents.fault is not None and parents.fault.no_result
            if any(step.op == "node" for step in steps) or (raises and fault.no_result):
                return PARENTS
        if leaf.outcome == "passed":
            return None
        at_birth = leaf.fault is not None and leaf.fault.expression.endswith(".grad")
        if at_birth and (about == "own" or any(step.op == "backward" for step in steps)):
            return LEAF  # the gradients of hidden leaves cannot be set beforehand
        if fault.expression.endswith(".data") and isinstance(fault.expected, float | int) and self.mangled(fault):
            return LEAF
        return None

    def mangled(self, fault: Fault) -> bool:
        """Whether a leaf made of the right number holds the wrong one that was got."""
        if isinstance(fault.expected, str | dict):
            return False
        observation = self.observe([Program((Step("leaf", (fault.expected,)),))])[0]
        return isinstance(observation, Observed) and bool(observation.nodes) and observation.nodes[0].value == fault.got

    def lost_before(self, check: Check, program: Program) -> str | None:
        """Another check that hung or crashed on what this program exercises too: it would only do so again."""
        found = (loser for what, loser in self._lost.items() if what and loser != check.id and what <= kinds(program))
        return next(found, None)

    def judged(self, program: Program, observation: Observation, about: str, engine: Engine) -> Trial:
        """The trial of a program that ran and may speak."""
        fault = judge(program, self.expected(program), observation, about)
        unwritten = fault is not None and is_unwritten(engine, program, observation)
        return Trial(program, fault, unwritten=unwritten, observation=observation, about=about)

    def carried_trial(self, program: Program, about: str, observation: Observation) -> Trial:
        """A program that calls a function: where it fails, it is asked again on the reference's `Value`."""
        trial = self.judged(program, observation, about, self.engine)
        absent = any(name not in self.engine.names for name in functions(program))
        if trial.fault is None or (trial.unwritten and absent):
            return trial
        engine = self.carried_engine()
        again = self.judged(program, self.observe([program], engine)[0], about, engine)
        if again.fault is None or again.unwritten:
            return again
        suspects = self.not_passed([LEAF, PARENTS])
        if suspects and again.fault.got == {"raised": "AttributeError"}:
            # It is written for the student's own fields, on which it cannot be asked.
            return Trial(program, waiting_for=suspects)
        told = again.fault.clause != "missing-file" and self.engine_is_wrong()
        again.fault = msgspec.structs.replace(again.fault, carried=told)
        return again

    def engine_is_wrong(self) -> bool:
        """Whether a check of the student's own `Value` has failed."""
        return any(v.outcome == "failed" and not v.check.carried for v in self.verdicts.values())

    def unmet(self, check: Check, program: Program, about: str) -> frozenset[str]:
        """What has to pass before a program can speak for a check, and has not."""
        return self.not_passed(needs(self.lesson, check, program, about))

    def not_passed(self, check_ids: Iterable[str]) -> frozenset[str]:
        """Those of some checks that have not passed."""
        return frozenset(i for i in check_ids if self.verdict(self.lesson.check(i)).outcome != "passed")

    def built_on_sand(self, check: Check, program: Program, observation: Observation) -> frozenset[str]:
        """The constructor's checks, where a node that a program begins with is wrong already."""
        if check.exercise == "value" or not isinstance(observation, Observed):
            return frozenset()
        suspects = frozenset(c for c in (LEAF, PARENTS) if self.verdict(self.lesson.check(c)).outcome != "passed")
        if not suspects:
            return frozenset()
        raised = observation.raised
        if raised is not None and raised.step < len(program.steps) and program.steps[raised.step].op in CONSTRUCTORS:
            return suspects
        for slot, step in enumerate(program.steps[: len(observation.results)]):
            if step.op in CONSTRUCTORS and judge(
                Program((*program.steps[: slot + 1],)), self.expected(program), cut(observation, slot), "numbers"
            ):
                return suspects
        return frozenset()

    def in_another_way(
        self, program: Program, observation: Observation, about: str
    ) -> tuple[Program | None, Observation, str]:
        """The same question by `backward()`, or by gradients, where an engine cannot be asked directly."""
        if not isinstance(observation, Observed):
            return program, observation, about
        raised = observation.raised
        at = program.steps[raised.step].op if raised is not None else ""
        if about in ("numbers", "own") and raised is not None and raised.type == "Uncallable":
            other = through_backward(program)
        elif about in RECORDED and not observation.calls and at in ("", "record", "backward"):
            other = by_gradients(program)
        else:
            return program, observation, about
        if other is None or not in_domain(other):
            return None, observation, about
        return other, self.observe([other])[0], "numbers"

    # ------------------------------------------------------------ carried forward

    def carried_engine(self) -> Engine:
        """A second worker, in which `Value` is the reference's."""
        if self._carried is None:
            source = (Path(self.lesson.root) / "reference" / "micrograd" / "engine.py").read_text(encoding="utf-8")
            values_in = self.engine.names.get("Value") or engine_file(self.submission)
            self._carried = Engine(self.submission, self.lesson.limits, reference=source, values_in=values_in)
            self._carried.names = dict(self.engine.names)
        return self._carried

    def engine_for(self, check: Check) -> Engine:
        """The worker whose answers decided a check that failed."""
        return self._carried if check.carried and self._carried is not None else self.engine

    def close(self) -> None:
        """Kill what was started here."""
        if self._carried is not None:
            self._carried.close()

    # ------------------------------------------------------------ afterwards

    def pushes(self, check: Check) -> bool:
        """Whether a check calls a result's `_backward` by hand."""
        return any(step.op == "push" for ask in self.asks(check) for step in self._program(ask).steps)

    @cached_property
    def gradients_begun(self) -> bool:
        """Whether any operation's `_backward` changes anything: if none does, they are not begun, not wrong."""
        judged = [
            check.id
            for check in self.lesson.checks
            if self.pushes(check)
            and check.aspect != "structure"
            and self.verdict(check).outcome in ("passed", "failed")
        ]
        return not judged or not all(self.tallies[i].idle() for i in judged)

    def settled(self, verdict: Verdict) -> Verdict:
        """The verdict, given whether local gradients have been begun at all."""
        late = (
            verdict.outcome in ("passed", "failed", "blocked")
            and self.pushes(verdict.check)
            and not self.gradients_begun
        )
        return msgspec.structs.replace(verdict, outcome="not-started") if late else verdict


def cut(observation: Observed, slot: int) -> Observed:
    """An observation as if the program had ended after `slot`."""
    return msgspec.structs.replace(observation, results=observation.results[: slot + 1], raised=None)


def engine_file(submission: Submission) -> str:
    """The file that should hold `Value`."""
    names = [file.name for file in submission.files]
    return next((n for n in names if Path(n).stem.lower() == "engine"), names[0])
