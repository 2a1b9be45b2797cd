"""The result of a match: tables for people, an object for programs."""

import math
from dataclasses import asdict
from itertools import combinations
from typing import TYPE_CHECKING, Any

import click
from msgspec import structs

from kakomi.cli.shared.parameters import game_line
from kakomi.study.tournament import Effort, Estimate, Played, Rating, efforts_of, mean_effort, ratings

if TYPE_CHECKING:
    from rich.table import Table

    from kakomi.cli.matching.contest import Contest

MOST_FAILURES_SHOWN = 5


def as_object(contest: "Contest") -> dict[str, Any]:
    """Everything in the tables; infinite values (the Elo difference of a clean sweep) are null."""
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
    """The result, for people."""
    from rich.console import Console

    console = Console()
    of_all = f" of {len(contest.pairings)}" if contest.finished < len(contest.pairings) else ""
    click.echo(f"{game_line(contest.game)}: {contest.finished}{of_all} games")
    console.print(_entrant_table(contest))
    console.print(_pair_table(contest))
    click.echo("Intervals are of 95%, from the differences between openings.")
    if contest.sprt:
        click.echo(_verdict_in_words(contest))
    for line in _failures_in_words(contest):
        click.echo(line)
    click.echo(f"Kept in {contest.kept}")


def _pair(contest: "Contest", one: str, other: str) -> dict[str, Any]:
    tally = contest.statistics.tally(one, other)
    estimate = contest.statistics.estimate(one, other)
    pair = {"entrants": [one, other], **asdict(tally)}
    if estimate:
        pair |= asdict(estimate)
        pair |= {"elo": estimate.elo, "elo_low": estimate.elo_low, "elo_high": estimate.elo_high}
    return pair


def _entrant_table(contest: "Contest") -> "Table":
    """The entrants and their letters; of more than two the best come first, with their ratings."""
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
    """Whole points with their sign; a clean sweep's are infinite."""
    return f"{points:+.0f}".replace("inf", "∞") if abs(points) >= 0.5 else "0"


def _letter(contest: "Contest", name: str) -> str:
    """Entrants are A, B, C in tables: their names may be long."""
    number = contest.entrants.index(name)
    return chr(ord("A") + number) if number < 26 else str(number + 1)


def _ratings(contest: "Contest") -> list[Rating]:
    return ratings(contest.statistics, contest.entrants) if len(contest.entrants) > 2 else []


def _effort(contest: "Contest", name: str) -> Effort:
    """The average effort of an entrant's actions, over all its games."""
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
