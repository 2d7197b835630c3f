"""An audit as an author reads it: what is right, what is not, and which check catches which mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.audit import agreeing, differing, matrix
from grader.i18n import _, ngettext
from grader.render.text import WIDTH, fold_code, padded, wrap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from grader.audit import Audit, BugResult
    from grader.lesson import Lesson

__all__ = ["kills", "misses", "summary"]


def misses(audits: Sequence[Audit]) -> list[str]:
    """All that is amiss, under each seed and between seeds; the same sentence is told once."""
    return list(dict.fromkeys([*(miss for audit in audits for miss in audit.misses), *differing(audits)]))


def summary(lesson: Lesson, audits: Sequence[Audit]) -> str:
    """The result of an audit in at most 80 columns; with one seed, also what each check catches."""
    blocks = ["\n".join(_standing(audit)) for audit in audits]
    if len(audits) == 1:
        blocks.append("\n".join(_checks(lesson, audits[0])))
        blocks += ["\n".join(_sentences(lesson, audits[0]))]
    blocks.append("\n".join(_misses(misses(audits))))
    return "\n\n".join(block for block in blocks if block) + "\n"


def _standing(audit: Audit) -> Iterator[str]:
    yield _("seed {n}").format(n=audit.seed)
    rows = [
        (_("reference"), f"{audit.reference.score}/{audit.reference.max_score}"),
        (_("template"), f"{audit.template.score}/{audit.template.max_score}"),
    ]
    full = sum(a.score == audit.reference.max_score for a in audit.alternatives)
    text = _("{n} of {all} keep every point").format(n=full, all=len(audit.alternatives))
    rows.append((_("right engines"), text))
    exact = sum(set(m.lost) == set(m.expected) for m in audit.bug_models)
    text = _("{n} of {all} lose what they declare, and nothing else").format(n=exact, all=len(audit.bug_models))
    rows.append((_("bug models"), text))
    room = max(len(name) for name, _text in rows)
    yield from (f"  {padded(name, room)}  {text}" for name, text in rows)


def _checks(lesson: Lesson, audit: Audit) -> Iterator[str]:
    """One line a check: how many bug models it catches, and how many of them no other check does."""
    columns = matrix(lesson, audit)
    room = max(len(check) for check in columns)
    heading, catches, alone = _("check"), _("catches"), _("alone")
    yield f"{padded(heading, room + 2)}{catches:>10}{alone:>8}"
    single = {m.id for m in audit.bug_models if len(m.caught_by) == 1}
    for check, caught in columns.items():
        yield f"  {padded(check, room)}{len(caught):>10}{sum(m in single for m in caught):>8}"


def _sentences(lesson: Lesson, audit: Audit) -> Iterator[str]:
    idle = [check for check, caught in matrix(lesson, audit).items() if not caught]
    if idle:
        yield from wrap(_("Checks that catch nothing: {checks}.").format(checks=", ".join(idle)), WIDTH)
    for one, other in agreeing(lesson, audit):
        yield from wrap(_("{one} and {other} catch the same mistakes.").format(one=one, other=other), WIDTH)


def _misses(found: Sequence[str]) -> Iterator[str]:
    if not found:
        yield _("Everything is as it should be.")
        return
    yield ngettext("{n} miss:", "{n} misses:", len(found)).format(n=len(found))
    for miss in found:
        first, *rest = wrap(miss, WIDTH - 4)
        yield f"  ✗ {first}"
        yield from (f"    {line}" for line in rest)


# ---------------------------------------------------------------- the kill matrix


def kills(lesson: Lesson, audit: Audit) -> str:
    """The kill matrix, exercise by exercise, with each mistake's smallest program."""
    blocks = []
    for exercise in lesson.exercises:
        caught = [m for m in audit.bug_models if any(c.split(".")[0] == exercise.id for c in m.caught_by)]
        if caught:
            blocks.append("\n".join(_block([check.id for check in exercise.checks], caught)))
    return "\n\n".join(blocks) + "\n"


def _block(checks: list[str], models: list[BugResult]) -> Iterator[str]:
    for number, check in enumerate(checks, 1):
        yield f"{number:>3}  {check}"
    room = max(len(model.id) for model in models)
    yield f"\n  {' ' * room}{''.join(f'{n:>3}' for n in range(1, len(checks) + 1))}"
    for model in models:
        yield f"  {padded(model.id, room)}{''.join('  x' if c in model.caught_by else '  .' for c in checks)}"
        for statement in model.program.splitlines():
            yield from (f"      {line}" for line in fold_code(statement, WIDTH - 6))
