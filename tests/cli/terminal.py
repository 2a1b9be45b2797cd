"""A terminal with the program in it."""

import os
import signal
import sys
import time
from pathlib import Path

import pexpect

TIMEOUT = 120
"""Seconds; the rules may have to be compiled first."""
WIDE = 400
"""Columns, so that no sentence is broken unless a test asks for it."""
PROMPT = r"\w+> $"


class Terminal:
    """`kakomi play` at a terminal of its own, in a folder of its own."""

    def __init__(self, folder: Path, *args: str, **environment: str) -> None:
        own = {"XDG_STATE_HOME": str(folder / "state"), "TERM": "dumb", "COLUMNS": str(WIDE)}
        everything = {**os.environ, **own, **environment}
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "kakomi", "play", *args],
            env=everything,
            cwd=str(folder),
            timeout=TIMEOUT,
            encoding="utf-8",
            dimensions=(60, WIDE),
        )
        self.child.delaybeforesend = None
        self.seen = ""
        """What was written last, up to the prompt."""

    def prompted(self) -> str:
        """What was written up to the next prompt."""
        self.child.expect(PROMPT)
        self.seen = self.child.before + self.child.after
        return self.seen

    def type(self, line: str) -> str:
        """Type a line; what came up to the next prompt."""
        self.child.sendline(line)
        return self.prompted().partition("\n")[2]

    def ended(self) -> tuple[str, int | None]:
        """What was written last, and the exit code."""
        self.child.expect(pexpect.EOF)
        self.child.close()
        return self.child.before, self.child.exitstatus


def heed_ctrl_c() -> None:
    """Tests may run in the background, where shells have children ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_until_at_work(pid: int, seconds: float = 2.0) -> None:
    """Wait until a program has computed for so long: on a busy machine its start may take many seconds."""
    known = Path(f"/proc/{pid}/stat")
    if not known.exists():
        time.sleep(3 + seconds)
        return
    wanted = seconds * os.sysconf("SC_CLK_TCK")
    while sum(map(int, known.read_text().rpartition(")")[2].split()[11:13])) < wanted:  # utime, stime
        time.sleep(0.05)
