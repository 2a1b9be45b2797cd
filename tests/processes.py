"""Processes that tests start: whether one runs still."""

import subprocess
import time

PATIENCE_SECONDS = 60


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that only waits for its end to be noted doesn't."""
    shown = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout
    return bool(shown.strip()) and not shown.strip().startswith("Z")


def ends(pid: int) -> bool:
    """Whether it ends by itself, soon."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while is_alive(pid):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True
