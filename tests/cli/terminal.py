"""The program in a terminal."""

import fcntl
import os
import pty
import signal
import struct
import sys
import termios
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from pexpect import EOF
from pexpect.fdpexpect import fdspawn

from waiting import until

TIMEOUT = 120
"""In seconds; the rules may have to be compiled first."""
WIDE = 400
"""In columns: wide enough that sentences aren't wrapped unless a test sets a width."""
PROMPT = r"\w+> $"

_forks = get_context("forkserver")
_forks.set_forkserver_preload(
    [__name__, "kakomi.kernel.compiler", "kakomi.cli.playing.commands", "rich.console"]
)


class Terminal:
    """`kakomi play` in its own terminal and folder.

    Its process is forked from one that has already imported everything, which saves most of the starting
    time; `test_files` tests programs started from scratch.
    """

    def __init__(self, folder: Path, *args: str, **environment: str) -> None:
        own = {"XDG_STATE_HOME": str(folder / "state"), "TERM": "dumb", "COLUMNS": str(WIDE)}
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 60, WIDE, 0, 0))
        attached, tells = _forks.Pipe(duplex=False)
        given = (
            os.ttyname(theirs),
            str(folder),
            ["play", *args],
            {**os.environ, **own, **environment},
            tells,
        )
        self._process = _forks.Process(target=_run, args=given)
        self._process.start()
        tells.close()  # so that the connection ends with the process
        attached.recv()
        os.close(theirs)
        self.child = fdspawn(ours, timeout=TIMEOUT, encoding="utf-8")
        self.child.delaybeforesend = None
        self.seen = ""
        """The latest output, up to and including the prompt."""

    def prompted(self) -> str:
        """Wait for the next prompt, and return the output up to it."""
        self.child.expect(PROMPT)
        self.seen = self.child.before + self.child.after
        return self.seen

    def type(self, line: str) -> str:
        """Type a line, and return the output up to the next prompt."""
        self.child.sendline(line)
        return self.prompted().partition("\n")[2]

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self.child.send("\x03")

    def end_input(self) -> None:
        """Press Ctrl-D."""
        self.child.send("\x04")

    def kill(self) -> None:
        """End the program as a power cut would."""
        self._process.kill()

    def ended(self) -> tuple[str, int | None]:
        """Wait for the end, and return the last output and the exit code, negative for a signal."""
        self.child.expect(EOF)
        self._process.join(TIMEOUT)
        return self.child.before, self._process.exitcode

    def close(self) -> None:
        """End the program if it still runs."""
        self._process.kill()
        self._process.join()
        self.child.close()


def _run(terminal: str, folder: str, args: list[str], environment: dict[str, str], tells: Connection) -> None:
    """Run the program in its own process, whose new session makes the terminal its controlling one."""
    os.setsid()
    opened = os.open(terminal, os.O_RDWR)
    for channel in range(3):
        os.dup2(opened, channel)
    sys.stdin = open(0)  # noqa: SIM115 (they stay as long as the program)
    sys.stdout, sys.stderr = (open(channel, "w", buffering=1) for channel in (1, 2))  # noqa: SIM115
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    tells.send("attached")

    from kakomi.cli.main import main

    main(args)


def heed_ctrl_c() -> None:
    """Stop ignoring Ctrl-C, which shells make background processes ignore."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_until_at_work(pid: int, seconds: float = 2.0) -> None:
    """Wait until a program has used some processor time: on a busy machine it may start slowly."""
    known, wanted = Path(f"/proc/{pid}/stat"), seconds * os.sysconf("SC_CLK_TCK")

    def has_worked() -> bool:
        return sum(map(int, known.read_text().rpartition(")")[2].split()[11:13])) >= wanted  # utime, stime

    until(has_worked, f"{seconds} s of work", TIMEOUT)
