"""Submissions made in a test, and programs written down."""

from __future__ import annotations

import hashlib
from pathlib import Path

from grader.submission import SourceFile, Submission

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "reference" / "micrograd"


def reference_files() -> dict[str, str]:
    """The model answer's files, by the names that a submission has them under."""
    return {f"micrograd/{p.name}": p.read_text(encoding="utf-8") for p in sorted(REFERENCE.glob("*.py"))}


def submission(files: dict[str, str], name: str = "work") -> Submission:
    """A submission of these files; one file alone is a one-file submission."""
    sources = tuple(SourceFile(name=path, cells=(text,), problem=None, notebook=False) for path, text in files.items())
    digest = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()
    layout = "single" if len(files) == 1 else "package"
    return Submission(name=name, files=sources, layout=layout, digest=f"sha256:{digest}")


def with_edit(old: str, new: str, file: str = "micrograd/engine.py") -> dict[str, str]:
    """The model answer with one piece of text replaced, which must be there."""
    files = reference_files()
    assert files[file].count(old) >= 1, old
    return files | {file: files[file].replace(old, new)}
