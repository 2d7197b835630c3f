"""Every error that micrograde raises on purpose.

One base, few leaves. Each carries what happened as attributes and prints as a
sentence that ends with what to do next; only the command line shows it.
"""

from __future__ import annotations


class GraderError(Exception):
    """The base of them all."""


class UsageError(GraderError):
    """What was asked for cannot be done: the asker has to change something (exit 2)."""


class EnvironmentFault(GraderError):
    """The machine lacks something, or something outside the submission broke (exit 3)."""


class LessonError(GraderError):
    """The lesson itself (its TOML, its checks, its programs) is not well formed (exit 3)."""
