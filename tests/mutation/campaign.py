"""A pytest plugin that runs tests for each mutation in a child process.

The parent only imports and collects, so that children don't inherit results cached by unchanged code. A child
runs the tests that reach the changed function, those first that have killed most mutations so far, and ends
with the first failure. Each test has a time limit based on its usual time.
"""

import ast
import importlib
import json
import os
import resource
import select
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any, TextIO

import pytest
from _pytest.runner import runtestprotocol

from mutation.mutations import Mutation, mutations_of
from mutation.patching import function_named, patch

TIMES = 10
SECONDS = 2.0
"""A test's time limit is `TIMES` its usual processor time plus this many seconds."""
MEMORY = 6 << 30
BUDGET = 4.0
"""The seconds of tests to run against each mutation: the best killers first, then the shortest."""


@dataclass
class Target:
    """A module to mutate."""

    module: ModuleType
    tree: ast.Module
    mutations: list[Mutation]

    @staticmethod
    def of(name: str) -> "Target":
        module = importlib.import_module(name)
        tree = ast.parse(Path(str(module.__file__)).read_text())
        return Target(module, tree, list(mutations_of(tree)))

    def code(self, mutation: Mutation) -> CodeType | None:
        """The code object that a mutation changes; None for a constant."""
        if not isinstance(mutation.statement, ast.FunctionDef):
            return None
        return function_named(self.module, mutation.function).__code__


@dataclass
class Usual:
    """A test's behaviour without a mutation."""

    seconds: float
    reached: set[tuple[str, int]]
    """The functions that it calls, as file and first line."""


@dataclass
class Campaign:
    """The plugin: a target's mutations and their outcomes."""

    modules: tuple[str, ...]
    log: TextIO
    """Gets a line of JSON for each mutation tried."""
    keep_children_warm: bool
    """Whether the parent runs all tests first, so that children needn't load compiled code."""
    every: int = 1
    """Only every nth mutation is tried."""
    jobs: int = 1
    outcomes: Counter[str] = field(default_factory=Counter)
    failed: str = ""

    def pytest_collection(self) -> None:
        """Make Hypothesis only generate examples, without shrinking or storing failures."""
        from hypothesis import Phase, settings  # must not be imported before pytest starts

        settings.register_profile(
            "mutation", deadline=None, phases=(Phase.generate,), database=None, derandomize=True
        )
        settings.load_profile("mutation")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        targets = [Target.of(name) for name in self.modules]
        files = {str(target.module.__file__) for target in targets}
        items = session.items
        if self.keep_children_warm:
            usual = [_observed(item, files) for item in items]
        else:
            usual = [_understood(Child(partial(_told, item, files))()) for item in items]
        broken = [item.nodeid for item, one in zip(items, usual, strict=True) if one.seconds < 0]
        if broken:
            self.failed = f"these fail without any mutation: {' '.join(broken)}"
            return True
        print(f"\n{len(items)} tests take {sum(one.seconds for one in usual):.0f} s", flush=True)
        kills: Counter[int] = Counter()
        todo = [(target, m) for target in targets for m in target.mutations][:: self.every]
        running: dict[int, tuple[Target, Mutation, list[int], Any, float]] = {}
        while todo or running:
            while todo and len(running) < self.jobs:
                target, mutation = todo.pop(0)
                code = target.code(mutation)
                place = (code.co_filename, code.co_firstlineno) if code else None
                chosen = [i for i in range(len(items)) if place is None or place in usual[i].reached]
                chosen = _affordable(sorted(chosen, key=lambda i: (-kills[i], usual[i].seconds)), usual)
                if not chosen:
                    self._note(target, mutation, "unreached", "", 0)
                    continue
                tests = [(i, items[i], usual[i]) for i in chosen]
                finish = Child(partial(_tried, target, mutation, tests))
                running[finish.pipe] = (target, mutation, chosen, finish, time.monotonic())
            if not running:
                continue
            for pipe in select.select(list(running), [], [])[0]:
                target, mutation, chosen, finish, began = running.pop(pipe)
                answer = finish()
                if answer.startswith("killed"):
                    kills[int(answer.split()[1])] += 1
                    killer = items[int(answer.split()[1])].nodeid
                    self._note(target, mutation, "killed", killer, time.monotonic() - began)
                else:
                    self._note(target, mutation, answer or "timed out", "", time.monotonic() - began)
        return True

    def _note(self, target: Target, mutation: Mutation, outcome: str, killer: str, seconds: float) -> None:
        where = f"{Path(str(target.module.__file__)).name}:{mutation}"
        told = {"outcome": outcome, "mutation": where, "killer": killer, "seconds": round(seconds, 1)}
        self.outcomes[outcome.split(maxsplit=1)[0]] += 1
        self.log.write(json.dumps(told, ensure_ascii=False) + "\n")
        self.log.flush()
        if outcome in ("survived", "unreached"):
            print(f"{outcome}: {where}", flush=True)


class Child:
    """Work in a child process; calling it waits for the child's answer, "" if the child died."""

    def __init__(self, work: Callable[[], str]) -> None:
        self.pipe, there = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            os.close(self.pipe)
            silence = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silence, 1)
            os.dup2(silence, 2)
            try:
                os.write(there, work().encode())
            except BaseException as error:
                os.write(there, f"broken {error!r}".encode())
            finally:
                os._exit(0)
        os.close(there)

    def __call__(self) -> str:
        with open(self.pipe, "rb") as answers:
            answer = answers.read().decode()
        os.waitpid(self.pid, 0)
        return answer


def _affordable(numbers: list[int], usual: list[Usual]) -> list[int]:
    """The first tests that fit into `BUDGET`, at least one."""
    spent, chosen = 0.0, list[int]()
    for number in numbers:
        if not chosen or spent + usual[number].seconds <= BUDGET:
            spent += usual[number].seconds
            chosen.append(number)
    return chosen


def _told(item: pytest.Item, files: set[str]) -> str:
    usual = _observed(item, files)
    return json.dumps([usual.seconds, list(usual.reached)])


def _understood(told: str) -> Usual:
    seconds, reached = json.loads(told)
    return Usual(seconds, {(file, line) for file, line in reached})


def _observed(item: pytest.Item, files: set[str]) -> Usual:
    """Run a test and observe it; the seconds are negative if it fails."""
    reached: set[tuple[str, int]] = set()

    def see(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename in files:
            reached.add((code.co_filename, code.co_firstlineno))

    threading.setprofile(see)
    sys.setprofile(see)
    began = time.process_time()
    try:
        passed = _passes(item)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return Usual(time.process_time() - began if passed else -1.0, reached)


def _passes(item: pytest.Item) -> bool:
    reports = runtestprotocol(item, log=False)
    return not any(report.failed for report in reports)


def _tried(target: Target, mutation: Mutation, tests: list[tuple[int, pytest.Item, Usual]]) -> str:
    try:
        patch(target.module, target.tree, mutation)
    except (ValueError, SyntaxError, StopIteration):
        return "impossible"
    except Exception:  # an invalid constant would fail when the module is imported
        return f"killed {tests[0][0]}"
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for number, item, usual in tests:
        signal.setitimer(signal.ITIMER_VIRTUAL, TIMES * usual.seconds + SECONDS)  # ends the process
        signal.alarm(int(60 + 20 * usual.seconds))
        if not _passes(item):
            return f"killed {number}"
    return "survived"
