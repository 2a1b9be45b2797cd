"""What a season is to be like, how far it has come, and the folder in which that is kept.

`done.jsonl` there has all that the site has said is done, `mails.jsonl` the mails that it has sent.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

BEGIN = 1_700_000_000.0
"""When a season begins, in seconds since the epoch."""
HOUR, DAY = 3600.0, 24 * 3600.0
USUAL_LOOKS = 3.0
"""How often somebody looks in on a day where times to think are as short as can be."""


@dataclass(frozen=True)
class Plan:
    """What a season is to be like."""

    days: float = 30
    people: int = 60
    processes: int = 3
    kills: int = 60
    outages: int = 4
    """How often the whole site is down for hours."""
    absences: int = 2
    """How often the database is away for hours while the site runs."""
    blips: int = 24
    """How often the database or Redis is away for a moment, while people act."""
    looks: float = USUAL_LOOKS
    """How often somebody looks in on a day, on average. Who looks in less often agrees on more time."""
    skew: float = 5.0
    """Seconds by which the clocks of processes may be wrong, either way."""
    step: float = HOUR
    """Seconds from one step to the next."""
    seed: int = 1

    @property
    def steps(self) -> int:
        """How many there are."""
        return round(self.days * DAY / self.step)

    @property
    def slowness(self) -> float:
        """By how much times are longer than the shortest."""
        return USUAL_LOOKS / self.looks


@dataclass
class Course:
    """What came of it so far."""

    step: int = 0
    """The one that is played next."""
    sittings: int = 0
    """How often it was gone on with."""
    people: list[int] = field(default_factory=list)
    """The numbers of their guests."""
    staff: list[int] = field(default_factory=list)
    waiting: list[dict[str, Any]] = field(default_factory=list)
    """Mails that are still to be brought, each with the step from which on."""
    returning: list[tuple[int, int]] = field(default_factory=list)
    """Steps at which people look in again who have something to confirm, with their places."""
    kills: int = 0
    away: int = 0
    """How often somebody was told that the database is away."""
    pages: int = 0
    """How many pages were looked at meanwhile."""
    deeds: Counter[str] = field(default_factory=Counter)
    """What was done, and what was refused, by kind."""
    troubles: Counter[str] = field(default_factory=Counter)
    """What was away, and how."""
    outages: list[tuple[float, float]] = field(default_factory=list)
    """The last moment before each in which nobody could act, and the first one after it."""
    seconds: float = 0.0
    processor: Counter[str] = field(default_factory=Counter)
    """The seconds of processor time that the site's processes took, by what they were asked."""


class SeasonFolder:
    """Where a season lies: its state after each step, and what the site has said and sent."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        self._state, self.done, self.mails = path / "state.json", path / "done.jsonl", path / "mails.jsonl"

    @property
    def clock(self) -> Path:
        """The file of the shared clock."""
        return self.path / "clock"

    def load(self, plan: Plan) -> Course:
        """How far the season has come. Raises SystemExit if the folder holds another one."""
        if not self._state.exists():
            self._state.write_text(json.dumps({"plan": asdict(plan), "course": vars(Course())}))
        kept = json.loads(self._state.read_text())
        if kept["plan"] != asdict(plan):
            raise SystemExit(f"{self.path} holds another season: {kept['plan']}")
        course = Course(**kept["course"])
        course.deeds, course.troubles = Counter(course.deeds), Counter(course.troubles)
        course.processor = Counter(course.processor)
        course.returning = [(step, number) for step, number in course.returning]
        course.outages = [(first, last) for first, last in course.outages]
        return course

    def save(self, plan: Plan, course: Course, done: Iterable[dict[str, Any]]) -> None:
        """Keep what a step has come to."""
        with self.done.open("a") as file:
            file.writelines(json.dumps(act) + "\n" for act in done)
        new = self._state.with_suffix(".new")
        new.write_text(json.dumps({"plan": asdict(plan), "course": vars(course)}))
        new.replace(self._state)


def kept_lines(path: Path, kind: str = "") -> Iterator[dict[str, Any]]:
    """What a file says, line by line, or what is of a kind; a last line that is not whole is left out."""
    if not path.exists():
        return
    with path.open() as file:
        for line in file:
            if line.endswith("\n") and (not kind or f'"kind": "{kind}"' in line):
                yield json.loads(line)


def plays_by_mail(number: int) -> bool:
    """Whether somebody, by their place among the people, acts by mail: a third do."""
    return number % 3 == 2


def address_of(number: int) -> str:
    """The mail address of somebody who does."""
    return f"player{number}@people.example"


PLAY, BOUNCES, RELAY = "play@season.example", "bounces@season.example", "mx.season.example"
"""The site's addresses for commands and for mails that come back, and the mail server that it believes."""
