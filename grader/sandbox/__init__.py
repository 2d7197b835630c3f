r"""Where submissions run: in a process of their own, which the grader starts, asks, meters and kills.

The wire
--------
A worker has two pipes and nothing else of ours: its standard input, on which it is
asked, and its standard output, on which it answers. Standard error is the null device.

To the worker, *frames*::

    4 bytes   length of the payload, unsigned, most significant byte first
    n bytes   the payload (`marshal`, which the worker reads without an import; it comes from the trusted side)

From the worker, *lines*: bytes without a newline, then one ``\n`` (JSON in ASCII, read
by typed msgspec). Never `marshal` or pickle in this direction.

The grader speaks first and the worker answers only when asked, with as many lines as
the request calls for. Bytes that are there before a request goes out were not asked
for: a submission has found the pipe and answers ahead (`ProtocolFault`). A line longer
than `LINE_CAP`, or more than `TOTAL_CAP` in all, is one too. After a fault, a timeout in
`send` or the end of the stream there is nothing more to say: kill the worker, start another.

What the worker does first, before any code of a student: it goes to a neutral folder
(`os.chdir('/')`; `posix_spawn` cannot do that for it), takes copies of its two pipes, and
puts the null device on descriptors 0, 1 and 2. The end of its input is the end of its work.

Who decides
-----------
Nothing that comes over this wire is believed before it is decoded and checked, and no
status, signal or silence is ever worth a point. CPU time decides, wall time is a backstop:
the caller waits in short turns, `receive(0.05)`, and looks at `cpu()` and `memory()` between them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from time import monotonic
from typing import TYPE_CHECKING, Self

from grader.errors import GraderError
from grader.sandbox import meter

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["LINE_CAP", "TOTAL_CAP", "EndOfStream", "Process", "ProtocolFault"]

LINE_CAP = 4 << 20
"""Bytes of one answer."""

TOTAL_CAP = 64 << 20
"""Bytes of all answers of a submission, over all of its workers."""


class EndOfStream(GraderError):
    """The worker has hung up: it ended, or the submission closed the pipe. `wait` tells which."""


class ProtocolFault(GraderError):
    """The worker sent what nobody asked for, or too much."""


class Process(ABC):
    """One worker and the conversation with it; the platform's part is in `grader.sandbox.launcher`.

    A context manager: leaving it kills the worker. Used by one thread. `pid` is the
    worker's, `received` the bytes that came from it so far.
    """

    def __init__(self, pid: int, allowance: int) -> None:
        self.pid = pid
        self.received = 0
        self._allowance = allowance
        self._buffer = bytearray()
        self._scanned = 0
        self._seconds: float | None = None
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def send(self, data: bytes, timeout: float) -> None:
        """Send one frame within `timeout` seconds.

        Raises `TimeoutError` where the worker did not take all of it in time, `EndOfStream`
        where it has hung up, and `ProtocolFault` where it has spoken unasked.
        """
        self._refuse_closed()
        if self._buffer or self._more(monotonic()):
            message = f"worker {self.pid} answered before it was asked"
            raise ProtocolFault(message)
        if not self._write(len(data).to_bytes(4, "big") + data, monotonic() + timeout):
            message = f"worker {self.pid} does not read what it is sent"
            raise TimeoutError(message)

    def receive(self, timeout: float) -> bytes | None:
        """The next line, without its newline; None where it is not complete after `timeout` seconds.

        What has come of it is kept for the next call. Raises `EndOfStream` at the end
        (an unfinished line is dropped) and `ProtocolFault` beyond a cap.
        """
        self._refuse_closed()
        deadline = monotonic() + timeout
        while (end := self._buffer.find(b"\n", self._scanned)) < 0:
            self._scanned = len(self._buffer)
            self._refuse_longer(self._scanned)
            if not self._more(deadline):
                return None
        self._refuse_longer(end)
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        self._scanned = 0
        return line

    def has_line(self) -> bool:
        """Whether `receive` would not have to wait."""
        return b"\n" in self._buffer

    def cpu(self, *, tree: bool = True) -> float | None:
        """Seconds of CPU used so far by the worker and its children; it never falls. None: the platform cannot tell.

        `tree=False` leaves out children that still run: some 20 µs, where a tree may take 2 ms.
        """
        now = meter.cpu(self.pid, tree=tree)
        if now is not None:
            self._seconds = max(now, self._seconds or 0.0)
        return self._seconds

    def memory(self) -> int | None:
        """Bytes of memory that the worker and its children hold now; None: the platform cannot tell, or it is gone."""
        return meter.memory(self.pid)

    @abstractmethod
    def wait(self, timeout: float) -> int | None:
        """The worker's exit status once it has ended, else None after `timeout` seconds.

        A signal's number is negative, as in `subprocess`. Give a worker that hung up a
        moment (0.2 s) before killing it: else a crash is told as the kill.
        """

    @abstractmethod
    def kill(self) -> int | None:
        """End the worker and all it started, and close the pipes; again does no harm. Its status, as `wait` has it."""

    @abstractmethod
    def _write(self, data: bytes, deadline: float) -> bool:
        """Hand over all bytes before `deadline`, or return False. Raises `EndOfStream`."""

    @abstractmethod
    def _read(self, deadline: float) -> bytes | None:
        """Some bytes, as soon as there are any; b'' at the end of the stream; None where nothing came."""

    def _more(self, deadline: float) -> bool:
        """Take in what has come; whether anything has."""
        chunk = self._read(deadline)
        if chunk == b"":
            message = f"worker {self.pid} has hung up"
            raise EndOfStream(message)
        if chunk is None:
            return False
        self.received += len(chunk)
        self._buffer += chunk
        if self.received > self._allowance:
            message = f"worker {self.pid} has sent more than the {self._allowance} bytes it may"
            raise ProtocolFault(message)
        return True

    def _refuse_longer(self, length: int) -> None:
        if length > LINE_CAP:
            message = f"worker {self.pid} sent a line of more than {LINE_CAP} bytes"
            raise ProtocolFault(message)

    def _refuse_closed(self) -> None:
        if self._closed:
            message = f"worker {self.pid} has been killed"
            raise EndOfStream(message)
