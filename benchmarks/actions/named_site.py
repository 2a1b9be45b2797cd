"""The program `kakomi`, whose threads tell Linux what they are called.

By `/proc` one knows then what each of them has used of the processor.
"""

import contextlib
import os
import threading
import time
from pathlib import Path

LONGEST = 15
"""Characters that Linux keeps of a thread's name."""
EVERY = 0.2
"""Seconds between looks for new threads."""


def main() -> None:
    """Run `kakomi` with this program's arguments."""
    from kakomi.cli.main import main as kakomi

    threading.Thread(target=_name_threads, name="naming", daemon=True).start()
    kakomi()


def _name_threads() -> None:
    tasks = Path(f"/proc/{os.getpid()}/task")
    while True:
        for thread in threading.enumerate():
            with contextlib.suppress(FileNotFoundError):  # it has not begun yet, or has ended
                (tasks / str(thread.native_id) / "comm").write_text(thread.name[:LONGEST])
        time.sleep(EVERY)


if __name__ == "__main__":
    main()
