"""Starts a worker: on POSIX by `posix_spawn`, on Windows by `subprocess`.

`start()` gives a `Process` (see `grader.sandbox` for the wire it speaks). The worker
gets a clean environment, a session or process group of its own, and no descriptor of
ours but its two pipes. This is the plain rung: limits that a platform enforces from
within are the worker's own affair.

`subprocess`, `threading` and the like are imported where Windows needs them: together
they cost as much as a third of a worker's start.
"""

from __future__ import annotations

import os
import select
import sys
import time
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import EnvironmentFault
from grader.sandbox import LINE_CAP, TOTAL_CAP, EndOfStream, Process, ProtocolFault, meter

if TYPE_CHECKING:
    from queue import Queue, SimpleQueue
    from subprocess import Popen
    from typing import IO

__all__ = ["LINE_CAP", "TOTAL_CAP", "WORKER", "EndOfStream", "Process", "ProtocolFault", "start"]

WORKER = Path(__file__).with_name("worker.py")

FLAGS = ("-s", "-S", "-P", "-B", "-X", "utf8")
"""Not `-I`: it would ignore PYTHONHASHSEED, and sets of strings must iterate alike in every process."""

_ENVIRONMENT = {
    "PATH": os.defpath,
    "HOME": "/",
    "PYTHONHASHSEED": "0",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
}

_KEPT = ("SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
"""Without the first Windows cannot seed its random numbers; without the others some Pythons miss their own library."""

_CHUNK = 1 << 16
_SIGKILL = 9
"""On every POSIX; `import signal` builds three enumerations first. Windows takes it as an exit status."""
_LAST_WAIT = 2.0
"""Seconds within which a killed process is expected to be gone."""


def start(python: str = sys.executable, worker: Path = WORKER, *, allowance: int = TOTAL_CAP) -> Process:
    """A fresh worker, which knows nothing yet. `allowance`: the bytes that it may send in all.

    Raises `EnvironmentFault` where the machine cannot start a process.
    """
    token = f"{os.getpid()}-{time.monotonic_ns()}"
    environment = _ENVIRONMENT | {name: os.environ[name] for name in _KEPT if name in os.environ} | {meter.MARK: token}
    script = compiled(worker) if python == sys.executable else worker
    command = [python, *FLAGS, str(script)]
    try:
        if hasattr(os, "posix_spawn"):
            return _spawn(command, environment, allowance)
        return _popen(command, environment, allowance)
    except OSError as error:
        from grader.i18n import _

        message = _(
            "Python could not be started to run the submission ({python}: {error}). Mend that, then: grade check"
        )
        raise EnvironmentFault(message.format(python=python, error=error.strerror)) from None


@lru_cache(maxsize=8)
def compiled(worker: Path) -> Path:
    """The worker's `.pyc` if it is fresh or can be made so, else the worker (compiled anew: 10 ms a start or more)."""
    from importlib.util import cache_from_source

    cached = Path(cache_from_source(str(worker)))
    if _fresh(worker, cached):
        return cached
    if not sys.dont_write_bytecode:
        import py_compile

        try:
            mode = py_compile.PycInvalidationMode.TIMESTAMP
            py_compile.compile(str(worker), str(cached), doraise=True, invalidation_mode=mode)
        except (OSError, py_compile.PyCompileError):
            return worker
    return cached if _fresh(worker, cached) else worker


def _fresh(worker: Path, cached: Path) -> bool:
    """Whether the header of a `.pyc` (PEP 552) is this Python's and gives the time and size of this source."""
    from importlib.util import MAGIC_NUMBER

    try:
        source = worker.stat()
        with cached.open("rb") as file:
            header = file.read(16)
    except OSError:
        return False
    stamps = (int(source.st_mtime), source.st_size)
    return header == MAGIC_NUMBER + bytes(4) + b"".join((n & 0xFFFFFFFF).to_bytes(4, "little") for n in stamps)


# ---------------------------------------------------------------- POSIX


class PosixProcess(Process):
    """A worker that leads a process group of its own; its pipes never block us."""

    def __init__(self, pid: int, ends: tuple[int, int], token: str, allowance: int) -> None:
        super().__init__(pid, allowance)
        self._in, self._out = ends
        self._token = token
        self._status: int | None = None
        for end in ends:
            os.set_blocking(end, False)

    def wait(self, timeout: float) -> int | None:
        """See `Process.wait`."""
        deadline, pause = time.monotonic() + timeout, 0.0002
        while self._reap() is None and (left := deadline - time.monotonic()) > 0:
            time.sleep(min(pause, left))
            pause = min(2 * pause, 0.01)
        return self._status

    def kill(self) -> int | None:
        """See `Process.kill`.

        Outside the group a child is known by its parent; an orphan, on Linux, by its mark, if it holds the pipe:
        who is nobody's child and holds nothing of ours is beyond this rung.
        """
        if not self._closed:
            self._closed = True
            relatives = () if self._status is not None else meter.descendants(self.pid) or ()
            if self._reap() is None:
                _end_group(self.pid)
                _end(self.pid)
            for relative in relatives:
                _end(relative)
            self.wait(_LAST_WAIT)
            self._end_strays()
            os.close(self._in)
            os.close(self._out)
        return self._status

    def _reap(self) -> int | None:
        """The status, if the worker has ended. Its group is killed in the same breath, while its number is taken."""
        if self._status is None:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:  # somebody ignores SIGCHLD: gone, and nobody knows how
                pid, status = self.pid, _SIGKILL
            if pid:
                self._status = os.waitstatus_to_exitcode(status)
                _end_group(self.pid)
        return self._status

    def _end_strays(self) -> None:
        deadline = time.monotonic() + _LAST_WAIT / 4
        while self._is_held() and time.monotonic() < deadline:
            for stray in meter.marked(self._token):
                _end(stray)
            time.sleep(0.001)

    def _is_held(self) -> bool:
        """Whether a process still has the worker's end of the pipe open."""
        try:
            for _turn in range(64):  # more than a pipe holds: whoever fills it still is alive
                if not os.read(self._out, _CHUNK):
                    return False
        except BlockingIOError:
            """Empty, and not at its end."""
        return True

    def _write(self, data: bytes, deadline: float) -> bool:
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(self._in, view) :]
            except BlockingIOError:
                if not _ready(self._in, deadline, writing=True):
                    return False
            except BrokenPipeError:
                message = f"worker {self.pid} has hung up"
                raise EndOfStream(message) from None
        return True

    def _read(self, deadline: float) -> bytes | None:
        if not _ready(self._out, deadline):
            return None
        try:
            return os.read(self._out, _CHUNK)
        except BlockingIOError:
            return None


def _spawn(command: list[str], environment: dict[str, str], allowance: int) -> Process:
    """A worker by `posix_spawn`: half the price of a fork of this process, and safe beside threads."""
    (its_in, our_out), (our_in, its_out) = _pipe(), _pipe()
    actions: list[tuple[int, ...] | tuple[int, int, str, int, int]] = [
        (os.POSIX_SPAWN_DUP2, its_in, 0),
        (os.POSIX_SPAWN_DUP2, its_out, 1),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        *((os.POSIX_SPAWN_CLOSE, fd) for fd in _inheritable()),
    ]
    try:
        try:
            pid = os.posix_spawn(command[0], command, environment, file_actions=actions, setsid=True, setsigmask=())
        except NotImplementedError:  # macOS before 10.15
            pid = os.posix_spawn(command[0], command, environment, file_actions=actions, setpgroup=0, setsigmask=())
    except OSError:
        os.close(our_in)
        os.close(our_out)
        raise
    finally:
        os.close(its_in)
        os.close(its_out)
    return PosixProcess(pid, (our_out, our_in), environment[meter.MARK], allowance)


def _pipe() -> tuple[int, int]:
    """A pipe (reading end, writing end), neither of them 0, 1 or 2: those are free where the grader got none."""
    ends = os.pipe()
    if min(ends) > 2:
        return ends
    higher = _pipe()
    for end in ends:
        os.close(end)
    return higher


def _inheritable() -> list[int]:
    """Our descriptors that a child would get: what whoever started *us* left open. Python's own are not among them."""
    try:
        open_now = [int(name) for name in os.listdir("/dev/fd")]  # noqa: PTH208
    except OSError:
        open_now = list(range(256))
    return [fd for fd in open_now if fd > 2 and _is_inheritable(fd)]


def _is_inheritable(fd: int) -> bool:
    try:
        return os.get_inheritable(fd)
    except OSError:
        return False


def _ready(fd: int, deadline: float, *, writing: bool = False) -> bool:
    """Whether a descriptor can be used before `deadline` (at least one look, even if that has passed)."""
    left = max(0.0, deadline - time.monotonic())
    if hasattr(select, "poll"):
        poll = select.poll()
        poll.register(fd, select.POLLOUT if writing else select.POLLIN)
        return bool(poll.poll(-int(-1000 * left // 1)))  # rounded up; `math` would take 0.3 ms to import
    return any(select.select([] if writing else [fd], [fd] if writing else [], [], left))


def _end_group(pid: int) -> None:
    try:
        os.killpg(pid, _SIGKILL)
    except (ProcessLookupError, PermissionError):  # nobody left; macOS says the latter of a group of zombies
        return


def _end(pid: int) -> None:
    try:
        os.kill(pid, _SIGKILL)
    except OSError:
        return


# ---------------------------------------------------------------- Windows


class PipedProcess(Process):
    """A worker by `subprocess`. Its pipes cannot be polled, so a thread each waits on them; each closes its own end."""

    def __init__(self, child: Popen[bytes], allowance: int) -> None:
        from queue import Queue, SimpleQueue
        from threading import Thread

        super().__init__(child.pid, allowance)
        assert child.stdin is not None
        assert child.stdout is not None
        self._child = child
        self._frames: SimpleQueue[bytes | None] = SimpleQueue()
        self._taken: SimpleQueue[bool] = SimpleQueue()
        self._chunks: Queue[bytes] = Queue(maxsize=16)
        self._threads = (
            Thread(target=_feed, args=(child.stdin, self._frames, self._taken), daemon=True),
            Thread(target=_drain, args=(child.stdout, self._chunks), daemon=True),
        )
        self._ended = self._broken = False
        for thread in self._threads:
            thread.start()

    def wait(self, timeout: float) -> int | None:
        """See `Process.wait`."""
        from subprocess import TimeoutExpired

        try:
            return self._child.wait(timeout)
        except TimeoutExpired:
            return None

    def kill(self) -> int | None:
        """See `Process.kill`."""
        if not self._closed:
            self._closed = True
            if self._child.poll() is None:
                self._end_tree()
            self.wait(_LAST_WAIT)
            self._join(time.monotonic() + _LAST_WAIT)
        return self._child.returncode

    def _end_tree(self) -> None:
        """Children first known, then all ended; by Windows' own `taskkill` where psutil is missing."""
        relatives = meter.descendants(self.pid)
        if relatives is None:
            _taskkill(self.pid)
        for relative in relatives or ():
            _end(relative)
        self._child.kill()

    def _join(self, deadline: float) -> None:
        """Let both threads run out. One that is held up by a stranger's hand on the pipe is left behind."""
        self._frames.put(None)
        while not self._ended and self._read(deadline) is not None:
            """The reader may be waiting for room in the queue."""
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    def _write(self, data: bytes, deadline: float) -> bool:
        from queue import Empty

        self._frames.put(data)
        try:
            self._broken = self._broken or not self._taken.get(timeout=max(0.0, deadline - time.monotonic()))
        except Empty:
            return False
        if self._broken:
            message = f"worker {self.pid} has hung up"
            raise EndOfStream(message)
        return True

    def _read(self, deadline: float) -> bytes | None:
        from queue import Empty

        if self._ended:
            return b""
        try:
            chunk = self._chunks.get(timeout=max(0.0, deadline - time.monotonic()))
        except Empty:
            return None
        self._ended = not chunk
        return chunk


def _popen(command: list[str], environment: dict[str, str], allowance: int) -> Process:
    """A worker by `subprocess`, in a process group of its own and without a console window."""
    import subprocess

    flags = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(subprocess, "CREATE_NO_WINDOW", 0)
    pipe, null = subprocess.PIPE, subprocess.DEVNULL
    child = subprocess.Popen(  # noqa: S603 our own worker
        command,
        stdin=pipe,
        stdout=pipe,
        stderr=null,
        bufsize=0,
        env=environment,
        cwd=environment.get("SYSTEMROOT"),
        creationflags=flags,
    )
    return PipedProcess(child, allowance)


def _feed(pipe: IO[bytes], frames: SimpleQueue[bytes | None], taken: SimpleQueue[bool]) -> None:
    """Write frames until None comes or the worker hangs up, and say of each whether it went."""
    try:
        with pipe:
            while (frame := frames.get()) is not None:
                view = memoryview(frame)
                while view:
                    view = view[os.write(pipe.fileno(), view) :]
                taken.put(True)
    except OSError:
        taken.put(False)


def _drain(pipe: IO[bytes], chunks: Queue[bytes]) -> None:
    """Pass on what comes, and b'' at its end."""
    try:
        with pipe:
            while chunk := os.read(pipe.fileno(), _CHUNK):
                chunks.put(chunk)
    except OSError:
        """How Windows may tell the end of a pipe."""
    chunks.put(b"")


def _taskkill(pid: int) -> None:
    import subprocess

    program = os.path.join(os.environ.get("SYSTEMROOT", r"C:\Windows"), "System32", "taskkill.exe")  # noqa: PTH118
    null = subprocess.DEVNULL
    try:
        command = [program, "/T", "/F", "/PID", str(pid)]
        subprocess.run(command, stdin=null, stdout=null, stderr=null, timeout=_LAST_WAIT, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return
