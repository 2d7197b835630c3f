"""The student's template, made from the reference by taking the solutions out.

In the reference a comment opens each solution, and says what to write::

    def exp(self):
        \"\"\"The number e to the power of this one, named 'exp'.\"\"\"
        # solution exp: return a new Value that holds the exponential
        ...

In the template it and all that follows it in the same block give way to
`raise NotImplementedError("exp: return a new Value that holds the exponential")`.
Signatures, docstrings and all other comments stay: they are what a student works from.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["template_files", "template_of", "write_template"]

MARK = re.compile(r"(?P<indent> +)# solution (?P<exercise>[a-z-]+): (?P<task>.+)")


def template_of(text: str) -> str:
    """A file of the reference as the student gets it."""
    kept: list[str] = []
    depth = 0  # of the solution that is being left out; 0 outside of one
    for line in text.splitlines():
        mark = MARK.fullmatch(line)
        if mark:
            depth = len(mark["indent"])
            kept.append(_stub(mark))
        elif not depth or (line.strip() and _indent(line) < depth):
            if depth:
                kept += _gap_before(line)
            depth = 0
            kept.append(line)
    return "\n".join(kept) + "\n" if kept else ""


def template_files(root: Path) -> dict[str, str]:
    """The generated files of the lesson in `root`: name below `student_template/` → text."""
    reference = root / "reference"
    return {
        path.relative_to(reference).as_posix(): template_of(path.read_text(encoding="utf-8"))
        for path in sorted(reference.glob("micrograd/*.py"))
    }


def write_template(root: Path) -> None:
    """Write the generated files of the lesson in `root` into its `student_template/`; other files there stay."""
    for name, text in template_files(root).items():
        path = root / "student_template" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


def _stub(mark: re.Match[str]) -> str:
    message = json.dumps(f"{mark['exercise']}: {mark['task']}", ensure_ascii=False)
    return f"{mark['indent']}raise NotImplementedError({message})"


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _gap_before(line: str) -> list[str]:
    """The blank lines between a stub and what follows it: two at the top level, one inside a class."""
    return [""] if _indent(line) else ["", ""]
