"""The plan of a season, its progress, and the folder that stores them.

In the folder, `done.jsonl` has all actions that the site confirmed, `mails.jsonl` the mails that it sent.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

BEGIN = 1_700_000_000.0
"""The start of a season, in seconds since the epoch."""
HOUR, DAY = 3600.0, 24 * 3600.0
USUAL_LOOKS = 3.0
"""How often a player visits per day with the shortest thinking times."""


@dataclass(frozen=True)
class Plan:
    """The plan of a season."""

    days: float = 30
    people: int = 60
    processes: int = 3
    kills: int = 60
    outages: int = 4
    """The number of times that the whole site is down for hours."""
    absences: int = 2
    """The number of times that the database is unavailable for hours while the site runs."""
    blips: int = 24
    """The number of times that the database or Redis is briefly unavailable while people act."""
    looks: float = USUAL_LOOKS
    """How often a player visits per day, on average. Rarer visits go with slower time controls."""
    skew: float = 5.0
    """The most seconds by which a process's clock may be wrong, in either direction."""
    step: float = HOUR
    """The length of a step in seconds."""
    seed: int = 1

    @property
    def steps(self) -> int:
        """The number of steps."""
        return round(self.days * DAY / self.step)

    @property
    def slowness(self) -> float:
        """The factor by which thinking times exceed the shortest."""
        return USUAL_LOOKS / self.looks


@dataclass
class Course:
    """The progress of a season."""

    step: int = 0
    """The next step to play."""
    sittings: int = 0
    """How often the season was started or resumed."""
    people: list[int] = field(default_factory=list)
    """Their guest IDs."""
    staff: list[int] = field(default_factory=list)
    waiting: list[dict[str, Any]] = field(default_factory=list)
    """Mails to deliver later, each with its earliest step."""
    returning: list[tuple[int, int]] = field(default_factory=list)
    """(step, player) of visits to confirm something or to heed a warning."""
    kills: int = 0
    away: int = 0
    """How often a command failed because the database was unavailable."""
    pages: int = 0
    """The number of pages viewed during troubles."""
    deeds: Counter[str] = field(default_factory=Counter)
    """Actions done and refused, by kind."""
    troubles: Counter[str] = field(default_factory=Counter)
    """Troubles by kind."""
    outages: list[tuple[float, float]] = field(default_factory=list)
    """Times when nobody could act: the last moment before each and the first one after it."""
    seconds: float = 0.0
    processor: Counter[str] = field(default_factory=Counter)
    """The processor seconds of the site's processes, by command."""


class SeasonFolder:
    """The folder of a season: its state after each step, confirmed actions and sent mails."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        self._state, self.done, self.mails = path / "state.json", path / "done.jsonl", path / "mails.jsonl"

    @property
    def clock(self) -> Path:
        """The file of the shared clock."""
        return self.path / "clock"

    def load(self, plan: Plan) -> Course:
        """The season's progress. Raises SystemExit if the folder holds a season with another plan."""
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
        """Save the progress after a step."""
        with self.done.open("a") as file:
            file.writelines(json.dumps(act) + "\n" for act in done)
        new = self._state.with_suffix(".new")
        new.write_text(json.dumps({"plan": asdict(plan), "course": vars(course)}))
        new.replace(self._state)


def kept_lines(path: Path, kind: str = "") -> Iterator[dict[str, Any]]:
    """The JSON lines of a file, optionally only those of a kind, without an incomplete last line."""
    if not path.exists():
        return
    with path.open() as file:
        for line in file:
            if line.endswith("\n") and (not kind or f'"kind": "{kind}"' in line):
                yield json.loads(line)


def plays_by_mail(number: int) -> bool:
    """Whether the player with an index plays by mail, as a third of them do."""
    return number % 3 == 2


def address_of(number: int) -> str:
    """The mail address of the player with an index."""
    return f"player{number}@people.example"


PLAY, BOUNCES, RELAY = "play@season.example", "bounces@season.example", "mx.season.example"
"""The site's addresses for commands and for bounces, and the mail server that it trusts."""
