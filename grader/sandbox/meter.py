"""What a worker and its children have used, and which processes they are.

Linux tells through `/proc`; macOS and Windows through psutil, imported when first asked
and not missed where it is absent: then the answer is None and wall time decides.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["cpu", "descendants", "has_proc", "marked", "memory"]

MARK = "MICROGRADE_WORKER"
"""The environment variable that a worker, and whatever it starts, is known by."""

_PARENT, _USER_TICKS, _CHILD_TICKS_END, _PAGES = 1, 11, 15, 21
"""Places in /proc/PID/stat, counted after the name (proc(5) counts from 1 before it, so 3 more)."""


def has_proc() -> bool:
    """Whether this is a Linux with its `/proc`."""
    return os.path.exists("/proc/self/stat")  # noqa: PTH110 pathlib is not on this path


def cpu(pid: int, *, tree: bool = True) -> float | None:
    """Seconds of CPU, user and system, of a process, of children it waited for, and with `tree` of all that still run.

    To 10 ms on Linux. 0.0 for a process that is gone, None where the platform cannot tell.
    """
    if has_proc():
        ticks = sum(_ticks(member) for member in (pid, *((descendants(pid) or ()) if tree else ())))
        return ticks / os.sysconf("SC_CLK_TCK")
    return _measured(pid, lambda process: float(sum(process.cpu_times()[:2])))


def memory(pid: int) -> int | None:
    """Bytes resident in a process and its descendants; None for a process that is gone or where nobody can tell."""
    if has_proc():
        pages = [int(stat[_PAGES]) for member in (pid, *(descendants(pid) or ())) if (stat := _stat(member))]
        return sum(pages) * os.sysconf("SC_PAGE_SIZE") if pages else None
    measured = _measured(pid, lambda process: float(process.memory_info().rss))
    return None if measured is None else int(measured)


def descendants(pid: int) -> tuple[int, ...] | None:
    """The processes that descend from `pid`, itself left out; None where the platform cannot tell.

    A child whose own parent has ended belongs to nobody any more and is not among them: see `marked`.
    """
    if not has_proc():
        members = _members(pid)
        return None if members is None else tuple(member.pid for member in members[1:])
    children = _children_file if os.path.exists(f"/proc/self/task/{os.getpid()}/children") else _children_scan()  # noqa: PTH110
    found, queue = [], list(children(pid))
    while queue:
        child = queue.pop()
        if child not in found:
            found.append(child)
            queue += children(child)
    return tuple(found)


def marked(token: str) -> tuple[int, ...]:
    """The processes that were born with `token` in their environment, orphans too; Linux only, () elsewhere."""
    needle = f"{MARK}={token}\0".encode()
    return tuple(pid for pid in _all_processes() if needle in _bytes(f"/proc/{pid}/environ"))


# ---------------------------------------------------------------- Linux


def _bytes(path: str) -> bytes:
    """A file of `/proc`; b'' where it is not ours to read or the process has gone."""
    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return b""


def _stat(pid: int) -> list[bytes]:
    """The fields of /proc/PID/stat after the name, which may hold spaces and brackets; [] for one that is gone."""
    return _bytes(f"/proc/{pid}/stat").rpartition(b")")[2].split()


def _ticks(pid: int) -> int:
    return sum(int(field) for field in _stat(pid)[_USER_TICKS:_CHILD_TICKS_END])


def _all_processes() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()] if has_proc() else []  # noqa: PTH208


def _children_file(pid: int) -> list[int]:
    """The children by /proc/PID/task/TID/children: cheap, but not every kernel has it."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208
    except OSError:
        return []
    return [int(child) for thread in threads for child in _bytes(f"/proc/{pid}/task/{thread}/children").split()]


def _children_scan() -> Callable[[int], list[int]]:
    """The children by every process's parent, all looked at once."""
    families: dict[int, list[int]] = {}
    for pid in _all_processes():
        stat = _stat(pid)
        if stat:
            families.setdefault(int(stat[_PARENT]), []).append(pid)
    return lambda pid: families.get(pid, [])


# ---------------------------------------------------------------- macOS and Windows


def _psutil() -> Any:  # noqa: ANN401 a module that may be missing
    """The module, or None where it is not installed."""
    from importlib import import_module

    try:
        return import_module("psutil")
    except ImportError:
        return None


def _members(pid: int) -> list[Any] | None:
    """A process and all its descendants as psutil sees them; None without psutil or for a process that is gone."""
    psutil = _psutil()
    if psutil is None:
        return None
    try:
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    except psutil.Error:
        return None


def _measured(pid: int, measure: Callable[[Any], float]) -> float | None:
    """The sum of a measure over a process and its descendants, without those that end meanwhile."""
    members = _members(pid)
    if members is None:
        return None
    psutil, total = _psutil(), 0.0
    for member in members:
        try:
            total += measure(member)
        except psutil.Error:
            continue
    return total
