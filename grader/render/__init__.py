"""Reports as text. A renderer sees a `Report` and nothing else, and returns text.

Each format is a module with one function, `render(report, *, color) -> str`, loaded
only when it is asked for. To add a format, add its module to `_MODULES`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from grader.report import Report

__all__ = ["FORMATS", "Renderer", "renderer"]


class Renderer(Protocol):
    """What each format's `render` is."""

    def __call__(self, report: Report, *, color: bool, again: str = "grade check") -> str:
        """The report as text that ends with a newline; escape codes for colours only if `color`.

        `again`: the command that grades this submission once more.
        """


_MODULES = {
    "terminal": "grader.render.terminal",
    "json": "grader.render.report_json",
}

FORMATS = tuple(_MODULES)
"""The formats' names, as `--format` takes them."""


def renderer(name: str) -> Renderer:
    """The renderer of a format. Raises KeyError for a name that is not in `FORMATS`."""
    return cast("Renderer", import_module(_MODULES[name]).render)
