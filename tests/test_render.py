"""Reports and their renderings. A case is a folder of `golden/`: `report.LANG.json` in, `terminal.LANG.txt` out.

`python tests/test_render.py` writes the `.txt` files anew; read their diff before you keep it.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import jsonschema
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader import i18n
from grader.render import FORMATS, renderer
from grader.render.text import STYLES, ascii_marks, columns, fold_code, padded, printable, shortened, styled, wrap
from grader.report import (
    CheckReport,
    Counterexample,
    ExerciseReport,
    Raises,
    Report,
    Shown,
    Submitted,
    decode,
    encode,
    schema,
)
from grader.submission import Problem

GOLDEN = Path(__file__).parent / "golden"
CASES = [(folder.name, lang) for folder in sorted(GOLDEN.iterdir()) for lang in i18n.LANGUAGES]
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def stored(case: str, lang: str) -> bytes:
    """The bytes of a case's `report.json`."""
    return (GOLDEN / case / f"report.{lang}.json").read_bytes()


def drawn(case: str, lang: str, *, color: bool = False) -> str:
    """A case's terminal report."""
    i18n.language(lang)
    try:
        return renderer("terminal")(decode(stored(case, lang)), color=color)
    finally:
        i18n.language("en")


def a_check(outcome: str, points: int = 2, message: str = "") -> CheckReport:
    """A check that ended so."""
    score = points if outcome == "passed" else 0
    return CheckReport(f"e.{outcome}.numbers", outcome, outcome, score, points, message)  # type: ignore[arg-type]


def a_report(*checks: CheckReport, problems: tuple[Problem, ...] = ()) -> Report:
    """A report on one exercise that has these checks."""
    return Report.of(
        lesson="micrograd",
        seed=0,
        sandbox="portable",
        submission=Submitted("anna", "sha256:0"),
        problems=problems,
        exercises=[ExerciseReport.of("e", "forward", "E", checks)],
    )


# ---------------------------------------------------------------- golden folders


@pytest.mark.parametrize(("case", "lang"), CASES)
def test_the_terminal_report_is_the_golden_one(case: str, lang: str) -> None:
    """A report is drawn exactly as its golden file says."""
    assert drawn(case, lang) == (GOLDEN / case / f"terminal.{lang}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(("case", "lang"), CASES)
def test_a_terminal_report_fits_80_columns_and_holds_no_control_codes(case: str, lang: str) -> None:
    """No line is wider than 80 columns, and nothing of a submission reaches the terminal as a control code."""
    for line in drawn(case, lang).splitlines():
        assert columns(line) <= 80
        assert line.isprintable()
        assert line == line.rstrip()


@pytest.mark.parametrize(("case", "lang"), CASES)
def test_colours_add_nothing_but_colours(case: str, lang: str) -> None:
    """Without its escape codes a coloured report is the plain one; without colours there are no codes."""
    plain, colored = drawn(case, lang), drawn(case, lang, color=True)
    assert "\x1b" in colored
    assert ESCAPE.sub("", colored) == plain


@pytest.mark.parametrize(("case", "lang"), CASES)
def test_a_report_ends_with_the_command_to_run_next(case: str, lang: str) -> None:
    """The last line names a command that exists."""
    assert re.search(r": grade (check|hint)( [\w-]+| --explore)?$", drawn(case, lang).rstrip("\n").splitlines()[-1])


@pytest.mark.parametrize(("case", "lang"), CASES)
def test_report_json_round_trips_to_the_same_bytes(case: str, lang: str) -> None:
    """What is decoded encodes to the same file, and the `json` format is that file."""
    text = stored(case, lang).decode()
    assert encode(decode(text)) == text
    assert renderer("json")(decode(text), color=False) == text


@pytest.mark.parametrize(("case", "lang"), CASES)
def test_report_json_meets_its_schema(case: str, lang: str) -> None:
    """The schema that is generated from the code holds for every golden report."""
    jsonschema.Draft202012Validator(schema()).validate(msgspec.json.decode(stored(case, lang)))


# ---------------------------------------------------------------- the report as a value


def test_the_keys_of_report_json_are_those_of_version_1_in_order() -> None:
    """The file's keys, at every level, are the documented ones in the documented order."""
    tree = msgspec.json.decode(stored("usual", "en"))
    exercise = next(e for e in tree["exercises"] if e["id"] == "add-mul")
    check = next(c for c in exercise["checks"] if c["counterexample"])
    diagnosed = next(c for e in tree["exercises"] for c in e["checks"] if c["diagnosis"])
    problem = msgspec.json.decode(stored("syntax-error", "en"))["problem"]
    assert " ".join(tree) == "schema lesson seed sandbox submission score max_score waiting problem problems exercises"
    assert tree["schema"] == "micrograde/report/v1"
    assert list(tree["submission"]) == ["name", "digest"]
    assert list(problem) == ["blame", "kind", "message", "file", "line"]
    assert list(exercise) == ["id", "lesson", "title", "score", "max_score", "outcome", "checks"]
    assert " ".join(check) == "id title outcome score max_score message counterexample hint diagnosis"
    assert list(check["counterexample"]) == ["program", "expression", "expected", "got"]
    assert list(diagnosed["diagnosis"]) == ["id", "title"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"micrograde/report/v1"', '"micrograde/report/v2"'),
        ('"outcome": "failed"', '"outcome": "wrong"'),
        ('"blame": "student"', '"blame": "nobody"'),
        ('"score": 9,', '"score": "9",'),
    ],
)
def test_a_report_of_another_shape_is_refused(old: str, new: str) -> None:
    """Neither the decoder nor the schema takes another version, an unknown word, or text for a number."""
    text = encode(
        msgspec.structs.replace(decode(stored("syntax-error", "en")), exercises=decode(stored("usual", "en")).exercises)
    )
    assert old in text
    with pytest.raises(msgspec.ValidationError):
        decode(text.replace(old, new, 1))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema()).validate(msgspec.json.decode(text.replace(old, new, 1)))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (float("nan"), "nan"),
        (float("inf"), "inf"),
        (float("-inf"), "-inf"),
        (2**60, str(2**60)),
        (2**53, 2**53),
        (2.0, 2.0),
        (-3, -3),
        ("+", "+"),
        (Raises("TypeError"), Raises("TypeError")),
    ],
)
def test_numbers_that_json_lacks_become_text(value: Shown, text: object) -> None:
    """NaN, infinities and whole numbers beyond 2**53 are strings in a report; all else is as it was."""
    example = Counterexample("", "a", value, value)
    again = msgspec.json.decode(msgspec.json.encode(example), type=Counterexample)
    assert (example.expected, example.got) == (text, text) == (again.expected, again.got)
    assert type(again.got) is type(text)


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ("passed passed", "passed"),
        ("passed failed broken", "partial"),
        ("not-started blocked failed broken", "broken"),
        ("not-started blocked failed", "failed"),
        ("not-started blocked", "blocked"),
        ("not-started", "not-started"),
    ],
)
def test_an_exercise_is_as_good_as_its_points_or_as_its_gravest_check(outcomes: str, expected: str) -> None:
    """Full is passed, some points are partial, and with none the gravest outcome stands for it."""
    exercise = ExerciseReport.of("e", "forward", "E", [a_check(o) for o in outcomes.split()])
    assert exercise.outcome == expected


def test_a_worked_fact_does_not_decide_how_an_exercise_stands() -> None:
    """A check without points turns neither a full exercise into a failed one nor an empty one into a partial one."""
    full = ExerciseReport.of("e", "forward", "E", [a_check("passed"), a_check("failed", 0)])
    empty = ExerciseReport.of("e", "forward", "E", [a_check("not-started"), a_check("passed", 0), a_check("failed", 0)])
    assert (full.outcome, empty.outcome) == ("passed", "not-started")


def test_every_point_lies_on_one_heap() -> None:
    """Earned, lost, waiting, not started and not judged add up to the points on offer."""
    outcomes = ("passed", "failed", "blocked", "not-started", "broken")
    report = a_report(*(a_check(outcome, points) for points, outcome in enumerate(outcomes, 1)))
    heaps = (report.earned, report.lost, report.waiting, report.unstarted, report.unjudged)
    assert heaps == (1, 2, 3, 4, 5)
    assert (report.score, report.max_score) == (1, 15)


def test_the_first_problem_is_the_problem() -> None:
    """`problem` is the first of `problems`, or nothing."""
    troubles = tuple(Problem("student", "import", name, f"{name}.py", 1) for name in ("engine", "graph"))
    assert a_report(a_check("failed"), problems=troubles).problem == troubles[0]
    assert a_report(a_check("failed")).problem is None


@pytest.mark.parametrize(
    ("outcome", "blames", "faulted"),
    [
        ("failed", (), False),
        ("failed", ("student",), False),
        ("failed", ("student", "environment"), True),
        ("passed", ("grader",), True),
        ("broken", (), True),
    ],
)
def test_a_fault_of_ours_is_told_from_the_students(outcome: str, blames: tuple[str, ...], faulted: bool) -> None:
    """A report is faulted by a check we could not judge, or a problem that is not the student's."""
    problems = tuple(Problem(blame, "k", "m", None, None) for blame in blames)  # type: ignore[arg-type]
    assert a_report(a_check(outcome), problems=problems).faulted is faulted


def test_hints_can_be_left_out() -> None:
    """Without hints a report differs in nothing but its hints."""
    report = decode(stored("usual", "en"))
    bare = report.without_hints()
    assert any(c.hint for e in report.exercises for c in e.checks)
    assert not any(c.hint for e in bare.exercises for c in e.checks)
    assert re.sub(r'"hint": .*', "", encode(bare)) == re.sub(r'"hint": .*', "", encode(report))


# ---------------------------------------------------------------- what the terminal report shows


def test_a_hint_is_given_once_and_only_if_there_is_one() -> None:
    """Two failing checks with one hint show it once; a report without hints shows none."""
    report = decode(stored("one-exercise", "en"))
    assert renderer("terminal")(report, color=False).count("Hint:") == 1
    assert "Hint:" not in renderer("terminal")(report.without_hints(), color=False)


def test_a_worked_fact_is_shown_only_where_nothing_else_of_its_exercise_fails() -> None:
    """A failing check without points is opened alone, never beside one that costs points."""
    alone = renderer("terminal")(a_report(a_check("passed"), a_check("failed", 0, "the fact")), color=False)
    beside = renderer("terminal")(
        a_report(a_check("failed", 2, "the sum"), a_check("failed", 0, "the fact")), color=False
    )
    assert "the fact" in alone
    assert "no points lost" in alone
    assert "the sum" in beside
    assert "the fact" not in beside


def test_at_most_three_exercises_are_opened_and_the_others_named() -> None:
    """With many failing exercises three are shown with their programs, and the rest by name."""
    exercises = [ExerciseReport.of(f"e{n}", "forward", "E", [a_check("failed", 2, f"why {n}")]) for n in range(5)]
    text = renderer("terminal")(msgspec.structs.replace(a_report(), exercises=tuple(exercises)), color=False)
    assert [n for n in range(5) if f"why {n}" in text] == [0, 1, 2]
    assert "Failing too: e3, e4." in text


def test_a_problem_names_its_place_once_and_only_the_first_are_told() -> None:
    """The place goes before a message that does not begin with its file; of many problems four are told."""
    told = Problem("student", "syntax", "engine.py, line 2: no", "engine.py", 2)
    placed = Problem("student", "import", "torch is not there", "graph.py", 7)
    text = renderer("terminal")(a_report(a_check("failed"), problems=(told, *[placed] * 5)), color=False)
    assert text.count("! engine.py, line 2: no\n") == 1
    assert text.count("! graph.py:7: torch is not there\n") == 3
    assert "! 2 more problems\n" in text


@pytest.mark.parametrize(
    ("checks", "note"),
    [
        (
            [a_check("blocked", 3, "waiting for `*`"), a_check("blocked", 1, "waiting for `*`")],
            "E · waiting for `*` (4 points)",
        ),
        ([a_check("blocked", 2, "waiting for `*`"), a_check("blocked", 2, "waiting for `+`")], "E · 4 waiting"),
        ([a_check("not-started"), a_check("passed")], "E · 2 not started"),
        ([a_check("not-started")], "E · not started"),
        ([a_check("failed"), a_check("passed")], "E · 2 lost"),
        ([a_check("broken"), a_check("failed")], "E · 2 not judged, 2 lost"),
        ([a_check("passed")], "  E"),
    ],
)
def test_the_line_of_an_exercise_says_what_became_of_its_points(checks: list[CheckReport], note: str) -> None:
    """A line ends with the points that are missing and why; with the reason for waiting where there is one."""
    lines = renderer("terminal")(a_report(*checks), color=False).splitlines()
    assert lines[3].endswith(note)


@pytest.mark.parametrize(
    ("outcomes", "mark"),
    [
        ("passed", "✓"),
        ("failed passed", "✗"),
        ("blocked passed", "…"),
        ("not-started passed", "–"),
        ("failed blocked", "✗"),
        ("broken passed failed", "!"),
        ("blocked not-started", "…"),
    ],
)
def test_the_mark_of_an_exercise_is_that_of_its_gravest_check(outcomes: str, mark: str) -> None:
    """An exercise that only waits is not marked as a fault."""
    lines = renderer("terminal")(a_report(*(a_check(o) for o in outcomes.split())), color=False).splitlines()
    assert lines[3].startswith(f"  {mark} ")


def test_every_format_has_a_renderer() -> None:
    """Each name in FORMATS draws a report as text that ends with a newline."""
    for name in FORMATS:
        assert renderer(name)(a_report(a_check("failed")), color=False).endswith("\n")


# ---------------------------------------------------------------- text


@pytest.mark.parametrize("encoding", ["ascii", "cp1251", "cp1252", "cp866", "utf-8"])
@pytest.mark.parametrize(("case", "lang"), CASES)
def test_a_report_can_be_written_in_any_code_page(case: str, lang: str, encoding: str) -> None:
    """What a console lacks is written otherwise, a column for a column; no mark of ours becomes a question mark."""
    text = drawn(case, lang)
    safe = ascii_safe(text, encoding)
    assert [len(line) for line in safe.splitlines()] == [len(line) for line in text.splitlines()]
    lost = {was for was, now in zip(text, safe, strict=True) if now == "?" != was}
    assert all(c.isalpha() for c in lost)
    if encoding == "utf-8":
        assert safe == text


def ascii_safe(text: str, encoding: str) -> str:
    """`text` as it comes out of a console of that encoding."""
    written = []
    for character in text:
        try:
            written.append(character.encode(encoding).decode(encoding))
        except UnicodeEncodeError as error:
            written.append(ascii_marks(error)[0])
    return "".join(written)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[2Jb\x07", "a\\x1b[2Jb\\x07"),
        ("two\nlines\tand\xa0more", "two lines and more"),
        ("\u202eevil", "\\u202eevil"),
        ("half \udc80", "half \\udc80"),
        ("привет, 世界", "привет, 世界"),
    ],
)
def test_nothing_unprintable_is_printed(text: str, shown: str) -> None:
    """Control codes, direction marks and halves of characters are escaped; letters of any language are kept."""
    assert printable(text, 100) == shown


def test_a_long_text_is_cut_before_it_is_printed() -> None:
    """Nothing of a submission is unbounded."""
    assert printable("x" * 1000, 10) == "x" * 9 + "…"


@pytest.mark.parametrize(("text", "width"), [("abc", 3), ("мир", 3), ("世界", 4), ("e\u0301", 1), ("✓", 1), ("", 0)])
def test_columns_are_what_a_terminal_takes(text: str, width: int) -> None:
    """A wide character takes two columns and a combining one none."""
    assert columns(text) == width
    assert columns(padded(text, 6)) == 6


@given(st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=80), st.integers(2, 30))
def test_wrapping_keeps_every_word_and_the_width(text: str, room: int) -> None:
    """No line is wider than asked, and the letters are those of the text, in order."""
    lines = wrap(text, room)
    assert all(columns(line) <= room for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@given(st.text(max_size=40), st.integers(1, 30))
def test_shortening_keeps_the_beginning_and_the_width(text: str, room: int) -> None:
    """A text that does not fit is cut and says so."""
    short = shortened(text, room)
    assert columns(short) <= room
    assert short == text or (short.endswith("…") and text.startswith(short[:-1]))


numbers = st.floats(-1e6, 1e6).map(repr) | st.sampled_from(["a", "b", "'x (y) , z'", '"it\'s"', "v26", "c.grad"])
lists = st.recursive(
    numbers, lambda inner: st.lists(inner, min_size=1, max_size=6).map(lambda items: f"({', '.join(items)},)")
)


@given(lists, st.integers(20, 72))
def test_a_folded_program_means_the_same(value: str, room: int) -> None:
    """Folding changes no token of a statement, whatever brackets and strings it holds."""
    statement = f"d = draw({value}) + sum([a, b])"
    folded = fold_code(statement, room)
    assert ast.dump(ast.parse("\n".join(folded))) == ast.dump(ast.parse(statement))


def test_a_long_program_is_folded_and_one_that_cannot_be_is_left_whole() -> None:
    """A line is broken inside brackets so that it fits; outside of them it is never broken."""
    folded = fold_code(f"a = sum([{', '.join('b' * 9 for _ in range(20))}])", 72)
    assert len(folded) > 2
    assert all(len(line) <= 72 for line in folded)
    assert fold_code("a" * 50 + " + " + "b" * 50, 72) == ["a" * 50 + " + " + "b" * 50]


@pytest.mark.parametrize("style", STYLES)
def test_a_style_is_turned_on_and_off(style: str) -> None:
    """Every named style ends itself, and is nothing without colours."""
    assert re.fullmatch(r"\x1b\[[0-9;]+mx\x1b\[0m", styled(style, "x", color=True))
    assert styled(style, "x", color=False) == "x"


if __name__ == "__main__":
    for case_, lang_ in CASES:
        (GOLDEN / case_ / f"terminal.{lang_}.txt").write_text(drawn(case_, lang_), encoding="utf-8", newline="\n")
    sys.stdout.write(f"{len(CASES)} files written; read their diff\n")
