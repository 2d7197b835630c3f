"""Starting, asking, metering and killing one worker: small fake workers, and a fake for each other platform."""

from __future__ import annotations

import ast
import errno
import os
import select
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from grader.errors import EnvironmentFault
from grader.sandbox import LINE_CAP, EndOfStream, Process, ProtocolFault, launcher, meter
from grader.sandbox.launcher import PipedProcess, PosixProcess, compiled, start

Write = Callable[[str], Path]

posix_only = pytest.mark.skipif(os.name != "posix", reason="process groups and /proc are POSIX's")
linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
slow_machine = 10.0
"""Seconds that nothing here takes unless it hangs."""

ECHO = """
    import os, sys
    def exactly(n):
        parts = []
        while n:
            part = os.read(0, min(n, 1 << 16))
            if not part:
                sys.exit(0)
            parts.append(part)
            n -= len(part)
        return b"".join(parts)
    def say(data):
        while data:
            data = data[os.write(1, data):]
    while True:
        say(exactly(int.from_bytes(exactly(4), "big")) + b"\\n")
"""


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a fake worker, each to a file of its own: what is compiled of one is kept for the whole process."""
    numbers = count()

    def worker(code: str) -> Path:
        path = tmp_path / f"worker{next(numbers)}.py"
        path.write_text(textwrap.dedent(code))
        return path

    return worker


@pytest.fixture(params=["posix_spawn", "subprocess"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to start a worker: as on Linux and macOS, and, threads and all, as on Windows."""
    if request.param == "posix_spawn" and not hasattr(os, "posix_spawn"):
        pytest.skip("this platform has no posix_spawn")
    if request.param == "subprocess":
        monkeypatch.delattr(os, "posix_spawn", raising=False)
    return str(request.param)


@pytest.fixture(autouse=True)
def no_leaks() -> Iterator[None]:
    """Every test leaves as many descriptors open as it found, and no child."""
    before = descriptors()
    yield
    assert descriptors() == before
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def descriptors() -> set[str]:
    """What is open, without the descriptor that looks."""
    folder = Path("/dev/fd")
    return {fd.name for fd in folder.iterdir() if fd.exists()} if folder.is_dir() else set()


def line(worker: Process, seconds: float = slow_machine) -> bytes:
    """The next line, which must come."""
    received = worker.receive(seconds)
    assert received is not None
    return received


def in_a_while() -> float:
    """A deadline that nothing here meets unless it hangs."""
    return time.monotonic() + slow_machine


def is_running(pid: int) -> bool:
    """Whether a process is there and is no zombie, which only waits for its parent."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    with suppress(OSError):
        return stat.read_bytes().rpartition(b")")[2].split()[0] != b"Z"
    return not Path("/proc").is_dir()


def is_gone(pid: int) -> bool:
    """The contrary."""
    return not is_running(pid)


def eventually(happens: Callable[[], bool]) -> bool:
    """Whether something comes true in a bounded time."""
    deadline = in_a_while()
    while not happens():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.001)
    return True


# ---------------------------------------------------------------- the conversation


@pytest.mark.usefixtures("way")
def test_frames_go_out_and_lines_come_back(write: Write) -> None:
    """Of any size: a frame of a megabyte is no pipe's worth."""
    with start(worker=write(ECHO)) as worker:
        for payload in (b"", b"hello", bytes(range(256)).replace(b"\n", b""), b"x" * (1 << 20)):
            worker.send(payload, slow_machine)
            assert line(worker) == payload
        assert worker.receive(0) is None
        assert worker.received == 1 + 6 + 256 + (1 << 20) + 1


@pytest.mark.usefixtures("way")
def test_lines_that_come_together_are_told_apart(write: Write) -> None:
    """And one that comes in pieces is put together."""
    code = """
        import os, time
        os.read(0, 5)
        os.write(1, b'a\\n\\nb')
        time.sleep(0.05)
        os.write(1, b'c\\nrest')
        os.read(0, 9)
    """
    with start(worker=write(code)) as worker:
        worker.send(b"!", slow_machine)
        assert [line(worker), line(worker), line(worker)] == [b"a", b"", b"bc"]
        assert worker.receive(0.01) is None


@pytest.mark.usefixtures("way")
def test_a_silent_worker_costs_the_timeout_and_no_more(write: Write) -> None:
    """None says that nothing came."""
    with start(worker=write("import time; time.sleep(1000)")) as worker:
        began = time.monotonic()
        assert worker.receive(0.05) is None
        assert 0.04 < time.monotonic() - began < slow_machine


@pytest.mark.usefixtures("way")
def test_a_worker_that_never_reads_cannot_hold_us_up(write: Write) -> None:
    """`send` gives up when its time is over; what fits into a pipe goes through."""
    with start(worker=write("import time; time.sleep(1000)")) as worker:
        worker.send(b"short", slow_machine)
        began = time.monotonic()
        with pytest.raises(TimeoutError):
            worker.send(b"x" * (1 << 22), 0.1)
        assert 0.09 < time.monotonic() - began < slow_machine


@pytest.mark.usefixtures("way")
def test_the_end_of_the_stream_is_told_apart_from_silence(write: Write) -> None:
    """Lines that came before it are still given, an unfinished one is not, and it stays the end."""
    code = "import os, time; os.write(1, b'last\\nhalf'); os.close(1); time.sleep(1000)"
    with start(worker=write(code)) as worker:
        assert line(worker) == b"last"
        for _again in range(2):
            with pytest.raises(EndOfStream):
                worker.receive(slow_machine)
        assert worker.wait(0.01) is None


@pytest.mark.usefixtures("way")
def test_sending_to_a_worker_that_has_ended_is_the_end_of_the_stream(write: Write) -> None:
    """Not a broken pipe, and no signal."""
    with start(worker=write("pass")) as worker:
        assert worker.wait(slow_machine) == 0
        for _again in range(2):
            with pytest.raises(EndOfStream):
                worker.send(b"x" * (1 << 20), slow_machine)


@pytest.mark.usefixtures("way")
def test_a_worker_that_stops_listening_is_the_end_of_the_stream(write: Write) -> None:
    """It may live on and hold its answers' pipe open."""
    with start(worker=write("import os, time; os.close(0); os.write(1, b'closed\\n'); time.sleep(1000)")) as worker:
        assert line(worker) == b"closed"
        with pytest.raises(EndOfStream):
            worker.send(b"x" * (1 << 20), slow_machine)


@pytest.mark.usefixtures("way")
def test_an_answer_before_the_question_is_a_fault(write: Write) -> None:
    """A submission that finds the pipe cannot answer ahead."""
    with start(worker=write("import os, time; os.write(1, b'7\\n8\\n'); time.sleep(1000)")) as worker:
        assert line(worker) == b"7"
        with pytest.raises(ProtocolFault, match="before it was asked"):
            worker.send(b"?", slow_machine)
    with start(worker=write("import os, time; os.write(1, b'7'); os.close(2); time.sleep(1000)")) as worker:
        assert worker.receive(0.5) is None  # half a line has come
        with pytest.raises(ProtocolFault, match="before it was asked"):
            worker.send(b"?", slow_machine)


FLOOD = "import os\nchunk = {chunk!r} * 4096\nwhile True: os.write(1, chunk)"


@pytest.mark.usefixtures("way")
def test_a_line_without_an_end_is_a_fault_at_its_cap(write: Write) -> None:
    """After some 4 MiB, however much is sent."""
    with start(worker=write(FLOOD.format(chunk=b"xxxxxxxx"))) as worker:
        with pytest.raises(ProtocolFault, match="line"):
            worker.receive(slow_machine)
        assert worker.received <= LINE_CAP + (1 << 17)


@pytest.mark.usefixtures("way")
def test_a_line_of_just_the_cap_is_read_and_one_byte_more_is_not(write: Write) -> None:
    """The newline does not count."""
    code = (
        ECHO.replace("exactly(int", 'b"x" * int').replace('"big"))', '"big")').replace("exactly(4)", "exactly(8)[4:]")
    )
    with start(worker=write(code)) as worker:
        worker.send(LINE_CAP.to_bytes(4, "big"), slow_machine)
        assert len(line(worker)) == LINE_CAP
        worker.send((LINE_CAP + 1).to_bytes(4, "big"), slow_machine)
        with pytest.raises(ProtocolFault, match="line"):
            worker.receive(slow_machine)


@pytest.mark.usefixtures("way")
def test_a_flood_of_lines_is_a_fault_at_the_allowance(write: Write) -> None:
    """Counted over the worker's life; the caller hands what is left to the next one."""
    with start(worker=write(FLOOD.format(chunk=b"{}\n")), allowance=1 << 20) as worker:
        while worker.received <= 1 << 19:
            assert line(worker) == b"{}"
        with pytest.raises(ProtocolFault, match="may"):
            all(line(worker) for _forever in iter(int, 1))
        assert 1 << 20 < worker.received <= (1 << 20) + (1 << 16)


@pytest.mark.usefixtures("way")
def test_a_killed_worker_is_silent(write: Write) -> None:
    """Whoever asks it meets the end of the stream."""
    worker = start(worker=write(ECHO))
    worker.kill()
    with pytest.raises(EndOfStream):
        worker.receive(0)
    with pytest.raises(EndOfStream):
        worker.send(b"", slow_machine)


# ---------------------------------------------------------------- how it is started


def told(worker_path: Path) -> dict[Any, Any]:
    """What a worker says of itself, as one Python literal."""
    with start(worker=worker_path) as worker:
        return dict(ast.literal_eval(line(worker).decode()))


ABOUT = """
    import os, sys
    about = {{}}
    {about}
    os.write(1, repr(about).encode() + b"\\n")
"""


@pytest.mark.usefixtures("way")
def test_the_environment_is_clean(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """No secret, no PYTHON… of the caller's; one thread for numpy; where the system's library lies is kept."""
    for name in ("SECRET_TOKEN", "PYTHONPATH", "PYTHONSTARTUP", "PYTHONHASHSEED"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("SYSTEMROOT", "/")
    environment = told(write(ABOUT.format(about="about.update(os.environ)")))
    assert not {"SECRET_TOKEN", "PYTHONPATH", "PYTHONSTARTUP"} & set(environment)
    assert (environment["PATH"], environment["HOME"]) == (os.defpath, "/")
    assert environment["PYTHONHASHSEED"] == "0"
    assert environment["OMP_NUM_THREADS"] == environment["OPENBLAS_NUM_THREADS"] == "1"
    assert environment["SYSTEMROOT"] == "/"


@pytest.mark.usefixtures("way")
def test_the_interpreter_is_bare(write: Write) -> None:
    """No site, no user's packages, no script folder on the path, nothing written, UTF-8, strings hashed alike."""
    flags = "flags = sys.flags; about.update(site=flags.no_site, user=flags.no_user_site, safe=flags.safe_path, "
    flags += "written=not sys.dont_write_bytecode, utf8=flags.utf8_mode, seed=flags.hash_randomization, path=sys.path)"
    about = told(path := write(ABOUT.format(about=flags)))
    folders = about.pop("path")
    assert about == {"site": 1, "user": 1, "safe": True, "written": False, "utf8": 1, "seed": 0}
    assert str(path.parent) not in folders
    assert "" not in folders


@posix_only
def test_no_descriptor_of_ours_is_inherited(write: Write) -> None:
    """Not even one that whoever started us left open on purpose."""
    left_open = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(left_open, True)
    code = "for fd in range(64):\n        try: os.fstat(fd); about[fd] = 1\n        except OSError: pass"
    try:
        assert set(told(write(ABOUT.format(about=code)))) == {0, 1, 2}
    finally:
        os.close(left_open)


@posix_only
def test_it_leads_a_session_of_its_own(write: Write) -> None:
    """So that Ctrl-C in the terminal is ours alone, and the terminal too."""
    about = told(write(ABOUT.format(about="about.update(pid=os.getpid(), session=os.getsid(0), group=os.getpgid(0))")))
    assert about["pid"] == about["session"] == about["group"]


@posix_only
def test_without_setsid_it_leads_a_group_of_its_own(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a macOS before 10.15 (by a fake)."""
    original = os.posix_spawn

    def older(*args: Any, **options: Any) -> int:
        if "setsid" in options:
            message = "posix_spawn: setsid unavailable on this platform"
            raise NotImplementedError(message)
        return original(*args, **options)

    monkeypatch.setattr(os, "posix_spawn", older)
    about = told(write(ABOUT.format(about="about.update(pid=os.getpid(), session=os.getsid(0), group=os.getpgid(0))")))
    assert about["pid"] == about["group"] != about["session"]


@posix_only
def test_it_starts_where_the_grader_itself_has_no_standard_streams(write: Write) -> None:
    """The pipes keep off descriptors 0, 1 and 2, which are free then."""
    path = write(ECHO)
    code = f"""
        import os, sys, time
        for fd in (0, 1, 2): os.close(fd)
        from pathlib import Path
        from grader.sandbox.launcher import start
        with start(worker=Path({str(path)!r})) as worker:
            worker.send(b"hello", 10)
            ok = worker.receive(10) == b"hello" and min(worker._in, worker._out) > 2
        os._exit(0 if ok else 1)
    """
    root = Path(launcher.__file__).parents[2]
    command = [sys.executable, "-c", textwrap.dedent(code)]
    assert subprocess.run(command, cwd=root, check=False, timeout=60).returncode == 0


@pytest.mark.usefixtures("way")
def test_a_python_that_is_not_there_is_the_machines_fault(write: Write, tmp_path: Path) -> None:
    """The message ends with what to do next."""
    with pytest.raises(EnvironmentFault, match=r"No such file.*grade check$"):
        start(str(tmp_path / "no-python"), write(ECHO))


def test_descriptors_are_found_where_there_is_no_list_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """By trying each."""

    def refuse(_path: str) -> list[str]:
        raise FileNotFoundError

    left_open = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(left_open, True)
    monkeypatch.setattr(os, "listdir", refuse)
    try:
        assert left_open in launcher._inheritable()
    finally:
        monkeypatch.undo()
        os.close(left_open)


@posix_only
def test_select_serves_where_poll_is_missing(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """For reading and for writing, and a deadline is one there too."""
    monkeypatch.delattr(select, "poll")
    with start(worker=write(ECHO)) as worker:
        assert worker.receive(0.01) is None
        worker.send(b"x" * (1 << 20), slow_machine)
        assert len(line(worker)) == 1 << 20
        os.kill(worker.pid, signal.SIGSTOP)
        with pytest.raises(TimeoutError):
            worker.send(b"x" * (1 << 20), 0.05)


# ---------------------------------------------------------------- its compiled form


@pytest.fixture
def bytecode(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled files may be written, beside their source, whatever the tests were started with."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    compiled.cache_clear()


@pytest.mark.usefixtures("bytecode")
def test_a_worker_is_compiled_once(write: Write) -> None:
    """And the compiled form is what runs."""
    path = write(ECHO)
    cached = compiled(path)
    assert cached.suffix == ".pyc"
    written = cached.stat().st_mtime_ns
    compiled.cache_clear()
    assert compiled(path) == cached
    assert cached.stat().st_mtime_ns == written
    with start(worker=path) as worker:
        worker.send(b"hello", slow_machine)
        assert line(worker) == b"hello"


@pytest.mark.usefixtures("bytecode")
def test_a_compiled_form_that_is_not_of_this_source_is_made_anew(write: Write) -> None:
    """Older, of another length, of another Python, or cut short."""
    path = write("x = 1")
    cached = compiled(path)
    good = cached.read_bytes()
    for stale in (b"", good[:10], b"\0\0" + good[2:], good[:8] + b"\0" + good[9:], good[:12] + b"\0" + good[13:]):
        cached.write_bytes(stale)
        compiled.cache_clear()
        assert compiled(path) == cached
        assert cached.read_bytes() == good


@pytest.mark.usefixtures("bytecode")
def test_a_worker_that_cannot_be_compiled_runs_as_it_is(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Because it is wrong, because nothing can be written there, or because nothing may be."""
    path = write("def")
    assert compiled(path) == path
    path = write(ECHO)
    compiled.cache_clear()
    (path.parent / "__pycache__").write_text("a file in the way")
    assert compiled(path) == path
    (path.parent / "__pycache__").unlink()
    compiled.cache_clear()
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert compiled(path) == path
    assert not (path.parent / "__pycache__").exists()


@pytest.mark.usefixtures("bytecode")
def test_another_python_gets_the_source(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiled form is good for one version only."""
    commands: list[list[str]] = []
    monkeypatch.setattr(launcher, "_spawn", lambda command, *_: commands.append(command))
    monkeypatch.setattr(launcher, "_popen", lambda command, *_: commands.append(command))
    path = write(ECHO)
    start("/usr/bin/another", path)
    start(worker=path)
    assert [Path(command[-1]).suffix for command in commands] == [".py", ".pyc"]


# ---------------------------------------------------------------- its end


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("pass", 0),
        ("raise SystemExit(3)", 3),
        ("raise ValueError", 1),
        ("import os; os._exit(7)", 7),
        ("import os; os.kill(os.getpid(), 11)", -11),
        ("import os; os.kill(os.getpid(), 9)", -9),
        ("import os; os.abort()", -6),
    ],
)
def test_the_status_tells_how_it_ended(write: Write, code: str, status: int) -> None:
    """Exit codes as they are, signals negative; killing it afterwards changes nothing."""
    with start(worker=write(code)) as worker:
        with pytest.raises(EndOfStream):
            worker.receive(slow_machine)
        assert worker.wait(slow_machine) == status
        assert worker.kill() == status
    assert worker.wait(0) == status


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize(
    "code",
    [
        "import time; time.sleep(1000)",
        "while True: pass",
        "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)",
        """
        import signal
        for number in range(1, 64):
            try: signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError): pass
        while True:
            try:
                while True: pass
            except BaseException: pass
        """,
        FLOOD.format(chunk=b"{}\n"),
        "import os, time; os.closerange(0, 100); time.sleep(1000)",
    ],
    ids=["sleeps", "spins", "stopped", "deaf", "floods", "closes its pipes"],
)
def test_kill_ends_it_at_once_whatever_it_does(write: Write, code: str) -> None:
    """And twice does no harm."""
    worker = start(worker=write(code))
    with suppress(EndOfStream):
        worker.receive(0.05)
    began = time.monotonic()
    assert worker.kill() == -9
    assert time.monotonic() - began < slow_machine
    assert worker.kill() == -9
    assert not is_running(worker.pid)


def test_leaving_the_context_kills_even_after_an_exception(write: Write) -> None:
    """No worker outlives its conversation."""
    with pytest.raises(KeyError), start(worker=write("import time; time.sleep(1000)")) as worker:
        raise KeyError
    assert not is_running(worker.pid)


CHILD = """
    import os, sys, time
    child = os.fork()
    if child == 0:
        {child}
        time.sleep(1000)
        os._exit(0)
    os.write(1, str(child).encode() + b"\\n")
    {parent}
"""


@posix_only
@pytest.mark.parametrize("parent", ["time.sleep(1000)", "os._exit(0)"], ids=["and waits", "and ends"])
@pytest.mark.parametrize("child_does", ["pass", "os.closerange(0, 100)"], ids=["", "without pipes"])
def test_kill_ends_a_child_with_its_worker(write: Write, parent: str, child_does: str) -> None:
    """Also a child that outlives the worker, and one that holds no pipe: it is of the worker's group."""
    with start(worker=write(CHILD.format(child=child_does, parent=parent))) as worker:
        child = int(line(worker))
        assert parent == "os._exit(0)" or is_running(child)
    assert eventually(partial(is_gone, child))


@linux_only
def test_kill_ends_a_child_that_left_the_group_and_the_pipes(write: Write) -> None:
    """It is still its parent's child."""
    code = CHILD.format(child="os.setsid(); os.closerange(0, 100)", parent="time.sleep(1000)")
    with start(worker=write(code)) as worker:
        child = int(line(worker))
        assert eventually(lambda: os.getsid(child) == child)
    assert eventually(partial(is_gone, child))


@linux_only
def test_kill_ends_a_daemon_that_holds_the_pipe(write: Write) -> None:
    """Twice forked, in a session of its own, nobody's child: it is known by its mark."""
    daemon = "os.setsid()\n        if os.fork(): os._exit(0)\n        os.write(1, str(os.getpid()).encode() + b'\\n')"
    for parent in ("time.sleep(1000)", "os._exit(0)"):
        with start(worker=write(CHILD.format(child=daemon, parent=parent))) as worker:
            numbers = {int(line(worker)), int(line(worker))}
            daemon_pid = next(pid for pid in numbers if is_running(pid))
            began = time.monotonic()
            worker.kill()
            assert time.monotonic() - began < slow_machine
        assert eventually(partial(is_gone, daemon_pid))


@posix_only
def test_a_pipe_that_a_stranger_holds_does_not_hold_us(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no mark can be read, as on macOS, the daemon is left and we go on within a second."""
    monkeypatch.setattr(meter, "has_proc", lambda: False)
    daemon = "os.setsid()\n        if os.fork(): os._exit(0)\n        os.write(1, str(os.getpid()).encode() + b'\\n')"
    with start(worker=write(CHILD.format(child=daemon, parent="time.sleep(1000)"))) as worker:
        numbers = {int(line(worker)), int(line(worker))}
        strays = [pid for pid in numbers if is_running(pid)]
        began = time.monotonic()
        assert worker.kill() == -9
        assert 0.4 < time.monotonic() - began < slow_machine
    for pid in strays:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@posix_only
def test_a_child_in_its_own_session_is_killed_through_psutil(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on macOS, where there is no mark: children are listed before their parent goes."""
    code = CHILD.format(child="os.setsid(); os.write(1, b'ready\\n')", parent="time.sleep(1000)")
    with start(worker=write(code)) as worker:
        lines = {line(worker), line(worker)}
        child = int((lines - {b"ready"}).pop())
        monkeypatch.setattr(meter, "has_proc", lambda: False)
        monkeypatch.setitem(sys.modules, "psutil", FakePsutil({worker.pid: Fake(worker.pid), child: Fake(child)}))
    assert eventually(partial(is_gone, child))


@posix_only
def test_a_status_that_somebody_else_took_is_told_as_a_kill(write: Write) -> None:
    """Where SIGCHLD is ignored nobody learns how a child ended; it is not told as a success."""
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        with start(worker=write("pass")) as worker:
            assert worker.wait(slow_machine) == -9
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_a_hundred_workers_leave_nothing(write: Write) -> None:
    """No descriptor, no child, no zombie (the fixture looks)."""
    path = write(ECHO)
    for _turn in range(100):
        with start(worker=path) as worker:
            assert worker.pid


# ---------------------------------------------------------------- what it has used

SPIN = "import os\nos.write(1, b'on\\n')\nwhile True: pass"


@linux_only
def test_cpu_rises_for_one_that_works_and_not_for_one_that_sleeps(write: Write) -> None:
    """In seconds of CPU, which a busy machine does not inflate."""
    with start(worker=write(SPIN)) as worker:
        line(worker)
        first = worker.cpu() or 0.0
        assert eventually(lambda: (worker.cpu() or 0.0) > first + 0.1)
    with start(worker=write("import os, time\nos.write(1, b'on\\n')\ntime.sleep(1000)")) as worker:
        line(worker)
        used = worker.cpu()
        time.sleep(0.1)
        assert worker.cpu() == pytest.approx(used, abs=0.02)


@linux_only
def test_a_childs_cpu_counts(write: Write) -> None:
    """While it runs, and, once it was waited for, without looking at the tree."""
    spinning = CHILD.format(child="\n        while True: pass", parent="time.sleep(1000)")
    with start(worker=write(spinning)) as worker:
        line(worker)
        assert eventually(lambda: (worker.cpu() or 0) > 0.2)
        assert meter.cpu(worker.pid, tree=False) < 0.2  # type: ignore[operator]
    waited = CHILD.format(
        child="\n        while time.process_time() < .2: pass\n        os._exit(0)",
        parent="os.wait(); os.write(1, b'over\\n'); time.sleep(1000)",
    )
    with start(worker=write(waited)) as worker:
        assert [line(worker), line(worker)][1] == b"over"
        assert worker.cpu(tree=False) >= 0.19  # type: ignore[operator]


@linux_only
def test_cpu_never_falls(write: Write) -> None:
    """What was used is still told when the worker is gone."""
    with start(worker=write(SPIN)) as worker:
        line(worker)
        assert eventually(lambda: (worker.cpu() or 0) > 0.05)
        used = worker.cpu()
        worker.kill()
        assert worker.cpu() >= used  # type: ignore[operator]


@linux_only
def test_memory_is_what_it_holds(write: Write) -> None:
    """Resident bytes, children included; None once it is gone."""
    with start(
        worker=write("import os, time\nx = b'x' * (50 << 20)\nos.write(1, b'on\\n')\ntime.sleep(1000)")
    ) as worker:
        line(worker)
        held = worker.memory()
        assert held is not None
        assert 50 << 20 < held < 100 << 20
    assert worker.memory() is None


@linux_only
def test_a_name_full_of_brackets_misleads_nobody(write: Write) -> None:
    """A process may call itself anything."""
    code = "open('/proc/self/comm', 'w').write(') R 1 (x')\nimport os, time\nos.write(1, b'on\\n')\ntime.sleep(1000)"
    with start(worker=write(code)) as worker:
        line(worker)
        assert int(meter._stat(worker.pid)[meter._PARENT]) == os.getpid()


@linux_only
def test_descendants_are_found_with_and_without_the_kernels_own_list(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some kernels list a thread's children, some do not (by a fake, whichever this one is)."""
    code = CHILD.format(
        child="if not os.fork(): time.sleep(1000)\n        os.write(1, b'ready\\n')", parent="time.sleep(1000)"
    )
    with start(worker=write(code)) as worker:
        lines = {line(worker), line(worker)}
        child = int((lines - {b"ready"}).pop())
        scanned = meter._children_scan()
        assert scanned(worker.pid) == [child]
        (grandchild,) = scanned(child)
        assert sorted(meter.descendants(worker.pid) or ()) == sorted((child, grandchild))
        assert scanned(grandchild) == []

        original, exists = meter._bytes, os.path.exists
        families = {worker.pid: f"{child} ", child: f"{grandchild} "}
        lists = {f"/proc/{pid}/task/{pid}/children": text.encode() for pid, text in families.items()}
        monkeypatch.setattr(os.path, "exists", lambda path: str(path).endswith("children") or exists(path))
        monkeypatch.setattr(meter, "_bytes", lambda path: lists.get(path) or original(path))
        assert meter.descendants(worker.pid) == (child, grandchild)
        assert meter._children_file(1 << 30) == []
        monkeypatch.undo()


# ---------------------------------------------------------------- macOS and Windows, by fakes


class Fake:
    """A `psutil.Process` with what is asked of it."""

    def __init__(self, pid: int, seconds: float = 0.0, rss: int = 0, *, gone: bool = False) -> None:
        self.pid, self.seconds, self.rss, self.gone = pid, seconds, rss, gone
        self.family: list[Fake] = []

    def children(self, *, recursive: bool) -> list[Fake]:
        assert recursive
        return self.family

    def cpu_times(self) -> tuple[float, ...]:
        self._check()
        return (self.seconds, self.seconds / 2, 99.0, 99.0)  # user, system, and the children's, which are listed apart

    def memory_info(self) -> SimpleNamespace:
        self._check()
        return SimpleNamespace(rss=self.rss)

    def _check(self) -> None:
        if self.gone:
            raise FakePsutil.Error


class FakePsutil(SimpleNamespace):
    """The module: the first process is the worker, the rest descend from it."""

    class Error(Exception):
        """`psutil.Error`."""

    def __init__(self, processes: dict[int, Fake]) -> None:
        super().__init__()
        self.processes = processes

    def Process(self, pid: int) -> Fake:  # noqa: N802 psutil's name
        if pid not in self.processes:
            raise self.Error
        process = self.processes[pid]
        process.family = [other for other in self.processes.values() if other is not process]
        return process


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A platform without /proc, and at first without psutil."""
    monkeypatch.setattr(meter, "has_proc", lambda: False)
    monkeypatch.setitem(sys.modules, "psutil", None)
    return monkeypatch


def test_elsewhere_psutil_tells_of_the_whole_tree(elsewhere: pytest.MonkeyPatch) -> None:
    """A child that ends meanwhile is left out."""
    processes = {7: Fake(7, 1.0, 100), 8: Fake(8, 2.0, 50), 9: Fake(9, gone=True)}
    elsewhere.setitem(sys.modules, "psutil", FakePsutil(processes))
    assert meter.cpu(7) == 4.5
    assert meter.memory(7) == 150
    assert meter.descendants(7) == (8, 9)
    assert (meter.cpu(5), meter.memory(5), meter.descendants(5)) == (None, None, None)


@pytest.mark.usefixtures("elsewhere")
def test_without_psutil_nobody_can_tell() -> None:
    """Then wall time decides."""
    assert (meter.cpu(os.getpid()), meter.memory(os.getpid()), meter.descendants(os.getpid())) == (None, None, None)
    assert meter.marked("x") == ()


class FakePopen:
    """A `subprocess.Popen` of Windows: two pipes and a process that ends when it is told to."""

    def __init__(self) -> None:
        its_in, our_in = os.pipe()
        our_out, its_out = os.pipe()
        self.stdin, self.stdout = os.fdopen(our_in, "wb", 0), os.fdopen(our_out, "rb", 0)
        self.its = [its_in, its_out]
        self.pid = 4711
        self.returncode: int | None = None
        self.done: list[str] = []

    def end(self, status: int, how: str) -> None:
        self.done.append(how)
        if self.returncode is None:
            self.returncode = status
            for fd in self.its:
                os.close(fd)

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float) -> int:
        if self.returncode is None:
            raise subprocess.TimeoutExpired("worker", timeout)
        return self.returncode

    def kill(self) -> None:
        self.end(1, "kill")


@pytest.fixture
def on_windows(elsewhere: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A system that has nothing of POSIX: whatever touches it raises AttributeError."""
    for name in (
        *("posix_spawn", "killpg", "waitpid", "set_blocking", "getpgid", "setsid", "sysconf", "waitstatus_to_exitcode"),
        *("get_inheritable", "POSIX_SPAWN_DUP2", "POSIX_SPAWN_OPEN", "POSIX_SPAWN_CLOSE", "WNOHANG"),
    ):
        elsewhere.delattr(os, name, raising=False)
    elsewhere.delattr(select, "poll", raising=False)
    elsewhere.delattr(select, "select")
    elsewhere.setattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0x200, raising=False)
    elsewhere.setattr(subprocess, "CREATE_NO_WINDOW", 0x8000000, raising=False)
    elsewhere.setenv("SYSTEMROOT", r"C:\Windows")
    return elsewhere


def test_on_windows_it_starts_by_subprocess_in_a_group_without_a_window(
    on_windows: pytest.MonkeyPatch, write: Write
) -> None:
    """In the system's folder, its pipes unbuffered, with the one variable that Windows needs."""
    asked: list[tuple[list[str], dict[str, Any]]] = []
    child = FakePopen()

    def popen(command: list[str], **options: Any) -> FakePopen:
        asked.append((command, options))
        return child

    on_windows.setattr(subprocess, "Popen", popen)
    on_windows.setattr(subprocess, "run", lambda *_args, **_options: child.end(1, "taskkill"))
    with start(worker=write(ECHO)) as worker:
        assert isinstance(worker, PipedProcess)
        (command, options), *_rest = asked
        assert command[:-1] == [sys.executable, "-s", "-S", "-P", "-B", "-X", "utf8"]
        assert options["creationflags"] == 0x8000200
        assert options["cwd"] == options["env"]["SYSTEMROOT"] == r"C:\Windows"
        assert options["bufsize"] == 0
        assert "start_new_session" not in options
        assert worker.cpu() is None
        assert worker.memory() is None
        assert worker.wait(0) is None
        worker.send(b"hello", slow_machine)
        assert os.read(child.its[0], 9) == b"\0\0\0\5hello"
        os.write(child.its[1], b"back\r\n")
        assert line(worker) == b"back\r"
    assert worker.wait(0) == 1
    assert child.done == ["taskkill", "kill"]


def test_on_windows_the_tree_is_killed_through_psutil_where_it_is_installed(on_windows: pytest.MonkeyPatch) -> None:
    """Every child by its number, then the worker; `taskkill` is not called."""
    child, ended = FakePopen(), []
    on_windows.setitem(sys.modules, "psutil", FakePsutil({4711: Fake(4711), 4712: Fake(4712), 4713: Fake(4713)}))
    on_windows.setattr(os, "kill", lambda pid, _status: ended.append(pid))
    on_windows.setattr(subprocess, "run", lambda *_args, **_options: pytest.fail("taskkill was called"))
    assert PipedProcess(child, 1 << 20).kill() == 1  # type: ignore[arg-type]
    assert ended == [4712, 4713]
    assert child.done == ["kill"]


@pytest.mark.parametrize("trouble", [FileNotFoundError(), subprocess.TimeoutExpired("taskkill", 2)])
def test_on_windows_the_worker_itself_is_killed_whatever_happens(
    on_windows: pytest.MonkeyPatch, trouble: Exception
) -> None:
    """Without psutil it is Windows' own program that ends the tree; it may be missing, or hang."""
    asked: list[list[str]] = []

    def run(command: list[str], **options: Any) -> None:
        asked.append(command)
        assert options["timeout"] <= 5
        raise trouble

    on_windows.setattr(subprocess, "run", run)
    child = FakePopen()
    assert PipedProcess(child, 1 << 20).kill() == 1  # type: ignore[arg-type]
    assert asked[0][0].startswith(r"C:\Windows")
    assert asked[0][0].endswith("taskkill.exe")
    assert asked[0][1:] == ["/T", "/F", "/PID", "4711"]
    assert child.done == ["kill"]


def test_on_windows_a_broken_pipe_is_the_end_of_the_stream(on_windows: pytest.MonkeyPatch) -> None:
    """Reading from one raises there, where POSIX gives nothing."""
    read, child = os.read, FakePopen()

    def as_on_windows(fd: int, size: int) -> bytes:
        chunk = read(fd, size)
        if not chunk:
            raise OSError(errno.EINVAL, "Invalid argument")
        return chunk

    on_windows.setattr(os, "read", as_on_windows)
    worker = PipedProcess(child, 1 << 20)  # type: ignore[arg-type]
    os.write(child.its[1], b"last\n")
    child.end(0xC0000005, "crash")
    assert line(worker) == b"last"
    with pytest.raises(EndOfStream):
        worker.receive(slow_machine)
    assert worker.kill() == 0xC0000005


def test_windows_threads_that_a_stranger_holds_up_are_left_behind(on_windows: pytest.MonkeyPatch) -> None:
    """A grandchild that keeps the pipe open costs the wait, and no more."""
    on_windows.setattr(launcher, "_LAST_WAIT", 0.05)
    on_windows.setattr(subprocess, "run", lambda *_args, **_options: None)
    child = FakePopen()
    held = [os.dup(fd) for fd in child.its]
    worker = PipedProcess(child, 1 << 20)  # type: ignore[arg-type]
    began = time.monotonic()
    assert worker.kill() == 1
    assert time.monotonic() - began < slow_machine
    for fd in held:
        os.close(fd)
    for thread in worker._threads:
        thread.join(slow_machine)


# ---------------------------------------------------------------- on the fast path


@linux_only
def test_starting_on_linux_imports_nothing_slow(write: Write) -> None:
    """Neither subprocess nor threads nor psutil: they are for the others."""
    slow = ("subprocess", "threading", "queue", "signal", "psutil", "json", "gettext", "py_compile")
    code = f"""
        import sys, time
        before = set(sys.modules)
        from pathlib import Path
        from grader.sandbox.launcher import start
        with start(worker=Path({str(write(ECHO))!r})) as worker:
            worker.send(b"hello", 10)
            assert worker.receive(10) == b"hello" and worker.cpu() is not None
        print([name for name in {slow!r} if name in set(sys.modules) - before])
    """
    root = Path(launcher.__file__).parents[2]
    compiled(write(ECHO))
    command = [sys.executable, "-B", "-c", textwrap.dedent(code)]
    result = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_the_real_worker_is_what_is_started_by_default() -> None:
    """It hangs up when we do."""
    assert launcher.WORKER.name == "worker.py"
    if launcher.WORKER.exists():
        with start() as worker:
            assert worker.receive(0.2) is None
            assert isinstance(worker, (PosixProcess, PipedProcess))
