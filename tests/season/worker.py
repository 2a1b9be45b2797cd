"""A process of the site in a season: it executes commands from standard input, and may die at any line of
code.

Commands are JSON objects, one per line: `do` names a function of `COMMANDS`, `with` has its arguments, and
`die_after` is the number of lines of the site's own code after which the process ends abruptly.
"""

import contextlib
import json
import os
import resource
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

KILLED = 137
"""The exit status of a process that died as planned."""
_MORTAL = (f"{os.sep}kakomi{os.sep}server{os.sep}", f"{os.sep}kakomi{os.sep}session{os.sep}")
"""The code whose lines count. A death in Django or a driver happens in a call from there."""


class Death:
    """Ends the process after a number of lines."""

    def __init__(self, lines: int) -> None:
        self._left = lines

    def __enter__(self) -> None:
        sys.settrace(self._call)

    def __exit__(self, *raised: object) -> None:
        sys.settrace(None)

    def _call(self, frame: FrameType, event: str, argument: object) -> Callable[..., Any] | None:
        return self._line if any(part in frame.f_code.co_filename for part in _MORTAL) else None

    def _line(self, frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
        if event == "line":
            self._left -= 1
            if self._left <= 0:
                os._exit(KILLED)
        return self._line


def main(path: str, skew: str) -> None:
    """Answer commands until there are no more, in successive forks of this process, which has loaded all
    code."""
    import django

    django.setup()
    from season import audit, deeds, ears, enrolment, letters, mail_door, site_process

    site_process.warm_up()
    while (child := os.fork()) and _has_died(child):
        print(json.dumps({"died": True}), flush=True)
    if not child:
        ears.EARS.open()
        apart = (audit, deeds, ears, enrolment, letters, mail_door, site_process)
        commands = {name: command for module in apart for name, command in module.COMMANDS.items()}
        _live(commands, Path(path), float(skew))
        os._exit(0)  # despite running listener threads


def _has_died(child: int) -> bool:
    """Wait for the end of a child and return whether it was killed. If it failed, exit as well."""
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status not in (0, KILLED):
        sys.exit(status if status > 0 else 1)
    return status == KILLED


def _live(commands: dict[str, Callable[..., Any]], path: Path, skew: float) -> None:
    from kakomi.server.site import clock
    from season.shared_clock import SharedClock

    shared = SharedClock(path)
    with clock.time_from(lambda: shared.now() + skew):
        for line in sys.stdin:
            print(json.dumps(_answer(commands, json.loads(line))), flush=True)


def _answer(commands: dict[str, Callable[..., Any]], asked: dict[str, Any]) -> dict[str, Any]:
    from kakomi.server.site.database import is_away, outside_requests

    function, lines, began = outside_requests(commands[asked["do"]]), asked["die_after"], time.process_time()
    resource.setrlimit(resource.RLIMIT_FSIZE, (asked["limit"], resource.RLIM_INFINITY))
    try:
        with Death(lines) if lines else contextlib.nullcontext():
            said = function(**asked["with"])
        return {"said": said, "by": os.getpid(), "seconds": time.process_time() - began}
    except Exception as error:
        return {"away": repr(error)} if is_away(error) else {"failed": traceback.format_exc()}


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    main(*sys.argv[1:])
