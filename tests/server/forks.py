"""Processes of the site's code, forked from one that has imported it all.

To import takes a second and a fork some milliseconds: where workers are killed by the dozen, time goes to
what they do.
"""

import importlib
import json
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1]


class Forks:
    """Runs functions of a module, each in a process of its own; arguments and values are as JSON has them."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def run(self, function: str, *args: Any) -> Any:
        """What a function returns.

        Raises AssertionError where it raises; what, it has written to the standard error.
        """
        status, value = self._ask("run", function, *args)
        assert status == 0, f"{function} ended with {status}"
        return value

    def start(self, function: str, *args: Any) -> int:
        """Begin a function that goes on until its process is killed; the number of that process."""
        return int(self._ask("start", function, *args))

    def kill(self, pid: int) -> None:
        """End a process that was started as a power cut would, and wait until it is gone."""
        self._ask("kill", pid)

    def _ask(self, *words: Any) -> Any:
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps(words), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        assert line, f"what forks has ended with {self._process.wait()}"
        return json.loads(line)


@contextmanager
def forks(module: str, environment: Mapping[str, str]) -> Iterator[Forks]:
    """Those of a module, which is imported where the site's apps are; what runs in the end is killed.

    Its function `prepare`, if it has one, is called once, before anything is forked: it may not
    use the database.
    """
    paths = os.pathsep.join(filter(None, [str(TESTS), os.environ.get("PYTHONPATH")]))
    process = subprocess.Popen(
        [sys.executable, "-m", "server.forks", module],
        env={**os.environ, **environment, "PYTHONPATH": paths},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        yield Forks(process)


def serve(module: str) -> None:
    """Do what is asked for on the standard input, line by line, until it ends."""
    import django

    django.setup()
    functions = importlib.import_module(module)
    importlib.import_module("kakomi.server.urls")  # as the first address that is written would
    getattr(functions, "prepare", lambda: None)()
    started = set[int]()
    for line in sys.stdin:
        word, *args = json.loads(line)
        if word == "kill":
            started.remove(args[0])
            answer: Any = _end(args[0])
        elif word == "start":
            answer = _forked(functions, *args)
            started.add(answer)
        else:
            answer = _returned(functions, *args)
        print(json.dumps(answer), flush=True)
    for pid in started:
        _end(pid)


def _end(pid: int) -> int:
    os.kill(pid, signal.SIGKILL)
    return os.waitpid(pid, 0)[1]


def _returned(functions: Any, name: str, *args: Any) -> tuple[int, Any]:
    """The status with which a function's process ended, and what it returned."""
    reading, writing = os.pipe()
    pid = _forked(functions, name, *args, told=writing)
    os.close(writing)
    with os.fdopen(reading) as lines:
        told = lines.read()
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return status, json.loads(told) if told else None


def _forked(functions: Any, name: str, *args: Any, told: int | None = None) -> int:
    """A process that runs a function and ends; it tells what that returns."""
    if pid := os.fork():
        return pid
    status = 1
    try:
        value = getattr(functions, name)(*args)
        if told is not None:
            os.write(told, json.dumps(value).encode())
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


if __name__ == "__main__":
    serve(sys.argv[1])
