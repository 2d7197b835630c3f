"""`report.json`: the report as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.report import encode

if TYPE_CHECKING:
    from grader.report import Report


def render(report: Report, *, color: bool, again: str = "") -> str:  # noqa: ARG001 JSON has neither
    """The text of `report.json`, version 1."""
    return encode(report)
