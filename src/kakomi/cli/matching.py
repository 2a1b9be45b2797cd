"""A match between bots from the command line: its progress, and its result as tables for people and as an
object for programs.
"""

import contextlib
import math
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import click
from msgspec import structs

from kakomi.cli.shared.output import Tell
from kakomi.cli.shared.parameters import game_line
from kakomi.contest.estimate import Estimate
from kakomi.core.system import state_folder
from kakomi.farm import Farm
from kakomi.study import matches
from kakomi.study.matches import (
    Effort,
    GameLog,
    Pairing,
    Played,
    Rating,
    Sprt,
    Statistics,
    efforts_of,
    mean_effort,
    ratings,
)

if TYPE_CHECKING:
    from rich.table import Table

    from kakomi.core import Game


TICK_SECONDS = 1.0


class Contest:
    """The entrants, the terms and the schedule of a match; `play` plays it.

    Raises ValueError, saying what would be right, if the match can't be played.
    """

    def __init__(
        self,
        game: "Game",
        entrants: Sequence[str],
        games: int,
        *,
        seed: int,
        opening_plies: int | None = None,
        patience: float,
        out: Path | None = None,
        records: Path | None = None,
        sprt: Sprt | None = None,
    ) -> None:
        for entrant in entrants:
            matches.check_entrant(entrant, game)
        if sprt and len(entrants) != 2:
            raise ValueError("--sprt works with exactly two bots")
        self.game = game
        self.entrants = matches.entrant_names(entrants)
        self.sprt = sprt
        self.pairings = matches.schedule(game, entrants, games, seed=seed, opening_plies=opening_plies)
        self.statistics = Statistics(self.pairings)
        self.kept: Path | None = None
        """The file with the games, once there is one."""
        self.finished = 0
        self._terms = self._all_terms(seed, patience)
        self._patience, self._out, self._records = patience, out, records

    def play(self, farm: Farm, tell: Tell) -> None:
        """Play the remaining games, to the end or until the sequential test decides."""
        if len(self.entrants) > 2:
            matches.check_library()
        with self._game_log() as log, Progress(self, farm, tell, len(log.played)) as progress:
            self.kept = log.path
            games = matches.play_games(self.pairings, farm, log=log, patience=self._patience)
            with contextlib.closing(games):
                for played in games:
                    self._count(played)
                    progress.count()
                    if self.sprt and self.test()[1]:
                        return

    def test(self) -> tuple[float, str | None]:
        """Return the log-likelihood ratio of the sequential test, and its verdict or None."""
        assert self.sprt
        one, other = self.entrants
        scores = self.statistics.leading_scores(one, other)
        return self.sprt.verdict(scores, self.statistics.games_a_block(one, other))

    @property
    def kept_in_words(self) -> str:
        """The end of a sentence that says where the games are kept and how to resume the match."""
        if self.kept is None:
            return "nothing was saved"
        return f"{self.finished} games are saved; run the same command with --out {self.kept} to continue"

    def _count(self, played: Played) -> None:
        self.statistics.add(played)
        self.finished += 1
        if self._records:
            matches.save_record(played, self._records, f"kakomi match {' '.join(self.entrants)}")

    def _game_log(self) -> GameLog:
        path = self._out
        if path is None:
            folder = state_folder() / "matches"
            folder.mkdir(parents=True, exist_ok=True)
            stamp = f"{time.strftime('%Y%m%d-%H%M%S')}-{time.time_ns() % 10**9:09}"
            path = folder / f"{self.game.name}-{stamp}.jsonl"
        return GameLog(path, self._terms)

    def _all_terms(self, seed: int, patience: float) -> dict[str, Any]:
        """Return the terms that must be equal to resume a match; the number of games may change."""
        first: Pairing = self.pairings[0]
        return {
            "game": self.game.name,
            "options": dict(self.game.options),
            "entrants": list(self.entrants),
            "opening_plies": first.opening_plies,
            "seed": seed,
            "patience": patience,
        }


class Progress:
    """Shows the state of a contest every second, since a game may take minutes. For a `with` block."""

    def __init__(self, contest: Contest, farm: Farm, tell: Tell, kept: int) -> None:
        self._contest = contest
        self._farm = farm
        self._tell = tell
        self._kept = kept
        """The games finished in an earlier run, which don't count for the time left."""
        self._part = 0.0
        self._words = ""
        self._ended = threading.Event()
        self._ticker = threading.Thread(target=self._tick, daemon=True)
        self._started = time.monotonic()

    def __enter__(self) -> Self:
        self.count()
        self._ticker.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._ticker.join()

    def count(self) -> None:
        """Update the state after a game has finished."""
        contest = self._contest
        total = len(contest.pairings)
        self._part = contest.finished / total
        told = [f"{contest.finished}/{total}", *_standing(contest), *self._time_left(), *self._losses()]
        self._words = " · ".join(told)

    def _tick(self) -> None:
        while not self._ended.wait(TICK_SECONDS):
            self._tell(self._part, self._words)

    def _time_left(self) -> list[str]:
        contest = self._contest
        played = contest.finished - self._kept
        if played <= 0:
            return []
        each = (time.monotonic() - self._started) / played
        minutes, seconds = divmod(round(each * (len(contest.pairings) - contest.finished)), 60)
        hours, minutes = divmod(minutes, 60)
        return [f"{hours}:{minutes:02}:{seconds:02} left" if hours else f"{minutes}:{seconds:02} left"]

    def _losses(self) -> list[str]:
        deaths = self._farm.deaths
        return [f"{deaths} {'worker' if deaths == 1 else 'workers'} replaced"] if deaths else []


def _standing(contest: Contest) -> list[str]:
    """Return wins, draws, losses, score, Elo difference and the sequential test, for two entrants."""
    if len(contest.entrants) != 2:
        return []
    one, other = contest.entrants
    tally = contest.statistics.tally(one, other)
    words = [f"+{tally.wins} ={tally.draws} -{tally.losses}"]
    if estimate := contest.statistics.estimate(one, other):
        words.append(f"{estimate.score:.1%}")
        words.append(f"Elo {estimate.elo:+.0f} ({estimate.elo_low:+.0f} to {estimate.elo_high:+.0f})")
    if contest.sprt:
        words.append(f"LLR {contest.test()[0]:+.2f}")
    return words


MOST_FAILURES_SHOWN = 5


def as_object(contest: "Contest") -> dict[str, Any]:
    """Return everything in the tables; infinite values (the Elo difference of a clean sweep) are null."""
    data = {
        "game": contest.game.name,
        "options": dict(contest.game.options),
        "entrants": list(contest.entrants),
        "games": contest.finished,
        "scheduled": len(contest.pairings),
        "pairs": [_pair(contest, one, other) for one, other in combinations(contest.entrants, 2)],
        "ratings": [asdict(rating) for rating in _ratings(contest)],
        "thinking": {name: structs.asdict(_effort(contest, name)) for name in contest.entrants},
        "failures": [
            {"game": played.pairing.number, "entrant": _failed(played), "reason": played.failure}
            for played in contest.statistics.games
            if played.failure
        ],
        "file": str(contest.kept),
    }
    if contest.sprt:
        ratio, verdict = contest.test()
        data["sprt"] = asdict(contest.sprt) | {"llr": ratio, "verdict": verdict}
    return _finite(data)  # type: ignore[no-any-return]


def print_tables(contest: "Contest") -> None:
    """Print the result as tables."""
    from rich.console import Console

    console = Console()
    of_all = f" of {len(contest.pairings)}" if contest.finished < len(contest.pairings) else ""
    click.echo(f"{game_line(contest.game)}: {contest.finished}{of_all} games")
    console.print(_entrant_table(contest))
    console.print(_pair_table(contest))
    click.echo("Intervals are 95%, from the differences between openings.")
    if contest.sprt:
        click.echo(_verdict_in_words(contest))
    for line in _failures_in_words(contest):
        click.echo(line)
    click.echo(f"Saved in {contest.kept}")


def _pair(contest: "Contest", one: str, other: str) -> dict[str, Any]:
    tally = contest.statistics.tally(one, other)
    estimate = contest.statistics.estimate(one, other)
    pair = {"entrants": [one, other], **asdict(tally)}
    if estimate:
        pair |= asdict(estimate)
        pair |= {"elo": estimate.elo, "elo_low": estimate.elo_low, "elo_high": estimate.elo_high}
    return pair


def _entrant_table(contest: "Contest") -> "Table":
    """Return the entrants and their letters; if there are more than two, with ratings and the best first."""
    rated = {rating.entrant: rating for rating in _ratings(contest)}
    told = ("Elo", "interval") if rated else ()
    table = _table("", "entrant", *told, "actions", "seconds", "simulations")
    for name in sorted(contest.entrants, key=list(rated).index) if rated else contest.entrants:
        rating, effort = rated.get(name), _effort(contest, name)
        table.add_row(
            _letter(contest, name),
            name,
            *([_elo(rating.elo), f"{_elo(rating.low)} to {_elo(rating.high)}"] if rating else []),
            f"{effort.actions:,}",
            f"{effort.seconds:.4f}",
            "" if effort.simulations is None else f"{effort.simulations:,.0f}",
        )
    return table


def _pair_table(contest: "Contest") -> "Table":
    table = _table("", "won", "drawn", "lost", "score", "interval", "Elo", "interval")
    for one, other in combinations(contest.entrants, 2):
        tally = contest.statistics.tally(one, other)
        estimate = contest.statistics.estimate(one, other)
        table.add_row(
            f"{_letter(contest, one)}–{_letter(contest, other)}",
            *[str(number) for number in (tally.wins, tally.draws, tally.losses)],
            *(_estimate_in_cells(estimate) if estimate else ()),
        )
    return table


def _estimate_in_cells(estimate: Estimate) -> list[str]:
    return [
        f"{estimate.score:.1%}",
        f"{estimate.low:.1%} to {estimate.high:.1%}",
        _elo(estimate.elo),
        f"{_elo(estimate.elo_low)} to {_elo(estimate.elo_high)}",
    ]


def _elo(points: float) -> str:
    """Return Elo points, rounded and signed; ∞ after a clean sweep."""
    return f"{points:+.0f}".replace("inf", "∞") if abs(points) >= 0.5 else "0"


def _letter(contest: "Contest", name: str) -> str:
    """Return an entrant's letter in the tables, since names may be long; its number from the 27th on."""
    number = contest.entrants.index(name)
    return chr(ord("A") + number) if number < 26 else str(number + 1)


def _ratings(contest: "Contest") -> list[Rating]:
    return ratings(contest.statistics, contest.entrants) if len(contest.entrants) > 2 else []


def _effort(contest: "Contest", name: str) -> Effort:
    """Return the average effort of an entrant's actions, over all its games."""
    return mean_effort(efforts_of(name, contest.statistics.games))


def _verdict_in_words(contest: "Contest") -> str:
    assert contest.sprt
    ratio, verdict = contest.test()
    elos = (contest.sprt.elo0, contest.sprt.elo1)
    if verdict is None:
        return f"Sequential test between {elos[0]:g} and {elos[1]:g} Elo: undecided (LLR {ratio:+.2f})"
    accepted, rejected = elos if verdict == "H0" else elos[::-1]
    return f"Sequential test: A is {accepted:+g} Elo from B rather than {rejected:+g} (LLR {ratio:+.2f})"


def _failures_in_words(contest: "Contest") -> list[str]:
    failed = [played for played in contest.statistics.games if played.failure]
    lines = [
        f"Game {played.pairing.number}: {_letter(contest, _failed(played))} forfeits: {played.failure}"
        for played in failed[:MOST_FAILURES_SHOWN]
    ]
    left_out = len(failed) - len(lines)
    return [*lines, f"and {left_out} more forfeits"] if left_out else lines


def _failed(played: Played) -> str:
    assert played.loser is not None
    return played.pairing.seats[played.loser]


def _table(*columns: str) -> "Table":
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in columns:
        is_name = title in ("", "entrant")
        table.add_column(
            title,
            justify="left" if is_name else "right",
            no_wrap=title != "entrant",
            overflow="fold",
        )
    return table


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data
