"""How a season goes: time passes in steps, and in each the site works and people look in."""

import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from season.crew import Crew, Worker
from season.shared_clock import SharedClock

BEGIN = 1_700_000_000.0
"""When a season begins, in seconds since the epoch."""
HOUR, DAY = 3600.0, 24 * 3600.0
LOOKS_A_DAY = 3
"""How often somebody looks in, on average."""


@dataclass(frozen=True)
class Plan:
    """What a season is to be like."""

    days: float = 30
    people: int = 60
    processes: int = 3
    kills: int = 30
    outages: int = 4
    skew: float = 5.0
    """Seconds by which the clocks of processes may be wrong, either way."""
    step: float = HOUR
    """Seconds from one step to the next."""
    seed: int = 1


@dataclass
class Course:
    """What came of it."""

    plan: Plan
    steps: int = 0
    kills: int = 0
    deeds: Counter[str] = field(default_factory=Counter)
    """What was done, by kind, and `refused`."""
    refusals: Counter[str] = field(default_factory=Counter)
    outages: list[tuple[float, float]] = field(default_factory=list)
    """The last moment before each, and the first one after it."""
    done: list[dict[str, Any]] = field(default_factory=list)
    """The acts at tables that the site has said are done."""
    seconds: float = 0.0


class Season:
    """One season on a database."""

    def __init__(self, plan: Plan, environment: Mapping[str, str]) -> None:
        self.plan = plan
        self.course = Course(plan)
        self._chance = random.Random(plan.seed)
        self._folder = tempfile.TemporaryDirectory(prefix="kakomi-season-")
        path = Path(self._folder.name, "clock")
        self._clock = SharedClock(path)
        self._clock.set(BEGIN)
        skews = [self._chance.uniform(-plan.skew, plan.skew) for _ in range(plan.processes)]
        given = {**environment, "KAKOMI_DATA_DIR": self._folder.name, "KAKOMI_KERNEL": "compiled"}
        workers = [Worker(path, skew, given) for skew in skews]
        expected = plan.days * (DAY / plan.step * plan.processes + plan.people * LOOKS_A_DAY * 3)
        self.crew = Crew(workers, random.Random(plan.seed + 1), 2.5 * plan.kills / expected)

    def __enter__(self) -> "Season":
        return self

    def __exit__(self, *raised: object) -> None:
        self.crew.end()
        self._folder.cleanup()

    def play(self) -> Course:
        """Let the time pass, and say how far it has come."""
        began, plan = time.monotonic(), self.plan
        people = self.crew.ask("enrol", people=plan.people)
        absent = self._absences(people)
        steps = round(plan.days * DAY / plan.step)
        downs = self._downs(steps)
        for step in range(steps):
            now = BEGIN + step * plan.step
            if any(first <= step < last for first, last in downs):
                continue
            if any(step == last for _, last in downs):
                self._come_back(now)
            self._clock.set(now)
            self._work(step)
            here = [person for person in people if self._looks_in(person, now, absent)]
            self.crew.each(here, self._visit)
            self.course.steps += 1
            self._report(step, steps, began)
        self.course.kills, self.course.seconds = self.crew.kills, time.monotonic() - began
        return self.course

    def _work(self, step: int) -> None:
        """Have the site do what falls due: all processes at the same time, or one of them, by turns."""
        gap = 1.5 * self.plan.step
        if step % 3:
            self.crew.one(step % len(self.crew.workers), "work", gap=gap)
        else:
            self.crew.all("work", gap=gap)

    def _downs(self, steps: int) -> list[tuple[int, int]]:
        """The steps in which the site is down: from the first to before the last."""
        length = max(2, round(5 * HOUR / self.plan.step))
        starts = [self._chance.randrange(steps // 10, steps - length) for _ in range(self.plan.outages)]
        return [(start, start + self._chance.randrange(2, length + 1)) for start in starts]

    def _come_back(self, now: float) -> None:
        """All processes of the site are new after an outage."""
        self.course.outages.append((self._clock.now(), now))
        self.crew.all("die")

    def _absences(self, people: list[int]) -> dict[int, tuple[float, float]]:
        """Every sixth stays away for some days without a word."""
        length = self.plan.days * DAY
        starts = {person: BEGIN + self._chance.random() * length for person in people[::6]}
        return {person: (start, start + 4 * DAY) for person, start in starts.items()}

    def _looks_in(self, person: int, now: float, absent: Mapping[int, tuple[float, float]]) -> bool:
        left, back = absent.get(person, (0.0, 0.0))
        return not left <= now < back and self._chance.random() < LOOKS_A_DAY * self.plan.step / DAY

    def _visit(self, person: int) -> None:
        """Look, and do what there is to do. Now and then something is sent twice."""
        seed = self._seed()
        for deed in self.crew.ask("look", person=person, seed=seed):
            answer = self.crew.ask("do", deed=deed)
            if deed["key"].endswith("7"):
                self.crew.ask("do", deed=deed)
            self._note(deed, answer)

    def _seed(self) -> int:
        with self.crew.lock:
            return self._chance.getrandbits(40)

    def _note(self, deed: dict[str, Any], answer: str) -> None:
        with self.crew.lock:
            is_done = answer == "done"
            self.course.deeds[deed.get("what", deed["do"]) if is_done else "refused"] += 1
            if not is_done:
                self.course.refusals[answer] += 1
            elif deed["do"] == "act":
                self.course.done.append({"code": deed["code"], "key": deed["key"]})

    def _report(self, step: int, steps: int, began: float) -> None:
        if step % 20 or not sys.stderr.isatty():
            return
        said = f"day {(step + 1) * self.plan.step / DAY:5.1f}, {sum(self.course.deeds.values())} deeds"
        print(f"\r{said}, {self.crew.kills} kills, {time.monotonic() - began:.0f} s", end="", file=sys.stderr)

    def audit(self) -> dict[str, Any]:
        """What the database says of it: `findings`, which should be none, and `figures`."""
        course = self.course
        late = 4 * self.plan.step + 2 * self.plan.skew
        self.crew.share = 0.0
        self.crew.all("work", gap=1.5 * self.plan.step)
        found: dict[str, Any] = self.crew.ask("audit", done=course.done, outages=course.outages, late=late)
        return found
