"""What a season is to be like, how far it has come, and the folder in which that is kept."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

BEGIN = 1_700_000_000.0
"""When a season begins, in seconds since the epoch."""
HOUR, DAY = 3600.0, 24 * 3600.0


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
    skew: float = 5.0
    """Seconds by which the clocks of processes may be wrong, either way."""
    step: float = HOUR
    """Seconds from one step to the next."""
    seed: int = 1

    @property
    def steps(self) -> int:
        """How many there are."""
        return round(self.days * DAY / self.step)


@dataclass
class Course:
    """What came of it so far."""

    step: int = 0
    """The one that is played next."""
    sittings: int = 0
    """How often it was gone on with."""
    kills: int = 0
    away: int = 0
    """How often somebody was told that the database is away."""
    pages: int = 0
    """How many pages were looked at meanwhile."""
    deeds: Counter[str] = field(default_factory=Counter)
    """What was done, by kind, and `refused`."""
    troubles: Counter[str] = field(default_factory=Counter)
    """What was away, and how."""
    outages: list[tuple[float, float]] = field(default_factory=list)
    """The last moment before each in which nobody could act, and the first one after it."""
    seconds: float = 0.0


class SeasonFolder:
    """Where a season lies: its state after each step, and the acts that the site has said are done."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        self._state, self.done = path / "state.json", path / "done.jsonl"

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
        course.outages = [(first, last) for first, last in course.outages]
        return course

    def save(self, plan: Plan, course: Course, done: Iterable[dict[str, Any]]) -> None:
        """Keep what a step has come to."""
        with self.done.open("a") as file:
            file.writelines(json.dumps(act) + "\n" for act in done)
        new = self._state.with_suffix(".new")
        new.write_text(json.dumps({"plan": asdict(plan), "course": vars(course)}))
        new.replace(self._state)


def acts_done(path: Path) -> Iterator[dict[str, str]]:
    """The acts at tables that the site has said are done; a last line that is not whole is left out."""
    with path.open() as file:
        yield from (json.loads(line) for line in file if line.endswith("\n"))
