"""The course of a season: time passes in steps, and in each the site works and people visit."""

import contextlib
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from typing import Any

from season.course import BEGIN, DAY, HOUR, Course, Plan, SeasonFolder
from season.crew import Crew, Worker
from season.holes import holes
from season.post_office import PostOffice
from season.shared_clock import SharedClock
from season.troubles import Troubles
from season.visits import Visits
from server.proxy import Proxy

STAFF = 3
"""The number of moderators."""
LOOKS_OF_STAFF = 1.0
"""How often a moderator visits per day, at least."""
SLOW, STEPS_OF_WARNINGS = 5.0, 24
"""From this slowness on, people heed warnings every so many steps. A game that nobody begins within three
days is aborted."""
QUIET_STEPS = 6
"""Steps at the end without visits, in which the site finishes its remaining work."""
DYING = 2.5
"""Commands chosen to kill a process per actual death, since most end before that."""


class Season:
    """A season on a database, which resumes from its folder."""

    def __init__(
        self,
        plan: Plan,
        folder: SeasonFolder,
        environment: Mapping[str, str],
        post: PostOffice,
        *,
        database: Proxy | None = None,
        redis: Proxy | None = None,
    ) -> None:
        """`environment` is for the site's processes. The proxies are between them and their services. SQLite
        has no proxy."""
        self.plan, self._folder = plan, folder
        self.course = folder.load(plan)
        self.course.sittings += 1
        self._clock = SharedClock(folder.clock)
        drawn = random.Random(plan.seed)
        skews = [drawn.uniform(-plan.skew, plan.skew) for _ in range(plan.processes)]
        given = {**environment, "KAKOMI_DATA_DIR": str(folder.path), "KAKOMI_KERNEL": "compiled"}
        workers = [Worker(folder.clock, skew, given) for skew in skews]
        self.crew = Crew(workers, random.Random(f"{plan.seed}-{self.course.sittings}"))
        self._killed_before, self._away_before = self.course.kills, self.course.away
        self._troubles = Troubles(self.crew, database, redis)
        self.crew.is_expected = self._troubles.is_expected
        self._downs = self._spans(drawn, plan.outages)
        self._absences = self._spans(drawn, plan.absences)
        self._blips = {drawn.randrange(plan.steps): drawn.random() for _ in range(plan.blips)}
        self._leaving = [drawn.random() * plan.days * DAY for _ in range(plan.people)]
        self._visits = Visits(plan, self.course, self.crew, post)
        self._began, self._first = time.monotonic(), self.course.step

    def __enter__(self) -> "Season":
        return self

    def __exit__(self, *raised: object) -> None:
        self.crew.end()

    def play(self, is_wanted: Callable[[], bool] = lambda: True) -> bool:
        """Play steps as long as `is_wanted`, printing the progress.

        The answer is whether the season was completed.
        """
        if not self.course.step:
            self._clock.set(BEGIN)
        if not self.course.people:
            self.course.people = self.crew.ask("enrol", people=self.plan.people)
            self.course.staff = self.crew.ask("employ", count=STAFF)
        while self.course.step < self.plan.steps and is_wanted():
            self._play_step(self.course.step)
            self._note_step()
            self._report()
        return self.course.step == self.plan.steps

    def _play_step(self, step: int) -> None:
        """Play one step. It is reproducible except for concurrent events."""
        now = BEGIN + step * self.plan.step
        chance = self._visits.chance = random.Random(f"{self.plan.seed}-{step}-{self.course.sittings}")
        if _is_within(step, self._downs):
            return
        if any(step == last for _, last in self._downs):
            self.course.outages.append((self._clock.now(), now))
            self.crew.all("die")  # an outage restarts all processes
        self._clock.set(now)
        is_absent = _is_within(step, self._absences)
        if not is_absent and any(step == last for _, last in self._absences):
            first = max(first for first, last in self._absences if last == step)
            self.course.outages.append((BEGIN + max(first - 1, 0) * self.plan.step, now))
        self._aim(step)
        back = self._visits.returning()
        looking = [self._looks_in(number, now, chance) for number in range(self.plan.people)]
        here = [number for number, looks in enumerate(looking) if looks or number in back]
        often = max(self.plan.looks, LOOKS_OF_STAFF) * self.plan.step / DAY
        wardens = [warden for warden in self.course.staff if chance.random() < often]
        with self._trouble(step, is_absent=is_absent) as looks_at_pages:
            self._work(step)
            self._visits.bring_waiting()
            if self.plan.slowness >= SLOW and step % STEPS_OF_WARNINGS == 0 and not is_absent:
                self._visits.hear_of_warnings()
            self.crew.each(here, lambda number: self._visits.visit(number, looks_at_pages=looks_at_pages))
            self.crew.each(wardens, self._visits.work)

    def _work(self, step: int) -> None:
        """Do the site's due tasks, in all processes at the same time or in one of them, in turn."""
        gap = 1.5 * self.plan.step
        if step % 3:
            self.crew.one(step % len(self.crew.workers), "work", gap=gap)
        else:
            self.crew.all("work", gap=gap)

    @contextlib.contextmanager
    def _trouble(self, step: int, *, is_absent: bool) -> Iterator[bool]:
        """Cause a step's trouble and yield whether people view pages during it."""
        names = self._troubles.names
        if is_absent:
            self.course.troubles["database for hours"] += 1
            self.crew.is_patient = False
            with self._troubles.absence():
                yield True
            self.crew.is_patient = True
        elif (drawn := self._blips.get(step)) is not None:
            name = names[int(drawn * len(names))]
            self.course.troubles[name] += 1
            with self._troubles.blip(name, random.Random(drawn)):
                yield True
        else:
            yield False

    def _aim(self, step: int) -> None:
        """Adjust the share of deadly commands to the kills planned by the end of a step."""
        wanted = self.plan.kills * (step + 1) / self.plan.steps - self._killed_before - self.crew.kills
        commands = self.crew.commands / max(step - self._first, 1)
        self.crew.share = min(max(DYING * wanted / max(commands, 1.0), 0.0), 0.5)

    def _spans(self, drawn: random.Random, count: int) -> list[tuple[int, int]]:
        """Random spans of hours of unavailability, as the first step and the step after the last."""
        length = max(2, round(5 * HOUR / self.plan.step))
        starts = [drawn.randrange(self.plan.steps // 10, self.plan.steps - length - 1) for _ in range(count)]
        return [(start, start + drawn.randrange(2, length + 1)) for start in starts]

    def _looks_in(self, number: int, now: float, chance: random.Random) -> bool:
        """Whether a player visits in a step. Every sixth stays away for some days without notice."""
        left = BEGIN + self._leaving[number]
        is_away = number % 6 == 0 and left <= now < left + 4 * DAY
        return chance.random() < self.plan.looks * self.plan.step / DAY and not is_away

    def _note_step(self) -> None:
        course = self.course
        course.step += 1
        course.kills = self._killed_before + self.crew.kills
        course.away = self._away_before + self.crew.away
        for worker in self.crew.workers:
            course.processor.update(worker.seconds)
            worker.seconds.clear()
        course.seconds += time.monotonic() - self._began
        self._began = time.monotonic()
        self._folder.save(self.plan, course, self._visits.take_done())

    def _report(self) -> None:
        """Print the progress: on one line at a terminal, else in a new line a day."""
        course, plan = self.course, self.plan
        is_watched = sys.stderr.isatty()
        if course.step % (4 if is_watched else max(24, plan.steps // 50)) and course.step < plan.steps:
            return
        left = timedelta(seconds=round(course.seconds / course.step * (plan.steps - course.step)))
        said = (
            f"  day {course.step * plan.step / DAY:.1f} of {plan.days:g}, "
            f"{sum(course.deeds.values())} deeds, {course.kills} kills, "
            f"{sum(course.troubles.values())} troubles, {left} left"
        )
        print(said.ljust(90), end="\r" if is_watched else "\n", file=sys.stderr, flush=True)

    def audit(self) -> dict[str, Any]:
        """Audit the season: `findings`, which should be empty, and `figures`."""
        self.crew.share = 0.0
        time.sleep(0.1)
        self._end_quietly()
        unheard = [found for worker in self.crew.workers for found in worker.ask("unheard")]
        late = 4 * self.plan.step + 2 * self.plan.skew
        found: dict[str, Any] = self.crew.ask(
            "audit",
            done=str(self._folder.done),
            mails=str(self._folder.mails),
            outages=self.course.outages,
            late=late,
            interruptions=self.course.kills + self.course.away,
        )
        return {**found, "findings": [*found["findings"], *unheard, *holes(self.plan, found["figures"])]}

    def _end_quietly(self) -> None:
        """Deliver the remaining mails and give the site time to finish its work."""
        for step in range(self.plan.steps, self.plan.steps + QUIET_STEPS):
            self._clock.set(BEGIN + step * self.plan.step)
            self._visits.bring_waiting(all_of_them=True)
            self.crew.all("work", gap=1.5 * self.plan.step)
        self._folder.save(self.plan, self.course, self._visits.take_done())


def _is_within(step: int, spans: list[tuple[int, int]]) -> bool:
    return any(first <= step < last for first, last in spans)


__all__ = ["Course", "Plan", "Season"]
