"""What the solver proves of a game or a position, for `kakomi analyse --exact`."""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from kakomi.cli.shared.output import say

if TYPE_CHECKING:
    from kakomi.core import Game, Position
    from kakomi.records import Record
    from kakomi.solve import Proof
    from kakomi.study.analysis.searches import Tell
    from kakomi.study.endings import Choice, Ending

BUDGET = 5_000_000
"""Positions that the solver looks at if nothing else is asked for: some seconds."""
RESULTS = {1: "win", 0: "draw", -1: "loss"}
_MOST_KEEPING = 5
"""Actions that would have kept a result; the JSON has all of them."""


def check_provable(ctx: click.Context, game: "Game", exact: bool) -> None:
    """Raises UsageError for a game whose results can't be proved, if they are asked for."""
    from kakomi.solve import check_provable as check

    if not exact:
        return
    try:
        check(game)
    except ValueError as error:
        raise click.UsageError(f"--exact: {error}", ctx) from None


def solved_ending(
    record: "Record", game: "Game", budget: int, tell: "Tell", stop: threading.Event
) -> "Ending | None":
    """The end of a game; None if nothing is to be looked at, or there was a Ctrl-C before it began."""
    from kakomi.study.analysis.move import plies
    from kakomi.study.endings import proved_ending

    if not budget or stop.is_set():
        return None

    def goes_on(part: float) -> bool:
        tell("Solving", max(1, round(part * budget)), budget)
        return not stop.is_set()

    return proved_ending(plies(record, game), budget, goes_on)


def with_ending(actions: list[dict[str, Any]], ending: "Ending | None") -> list[dict[str, Any]]:
    """The objects of an analysis, each with what is proven of it if it was looked at."""
    if ending is None:
        return actions
    proven = ending.as_data()
    return [one | {"proven": proven.get((one["turn"], one["place"]))} for one in actions]


def print_ending(ending: "Ending", budget: int) -> None:
    """From where on results are proved, and what was thrown away."""
    click.echo()
    if not ending.proved:
        say(_too_small(budget))
        return
    say(f"From turn {ending.proved[0].number} on all results are proved. {_in_words(ending)}")
    for choice in ending.thrown_away:
        say(_thrown_away(choice), indent=4)


def _in_words(ending: "Ending") -> str:
    """How often something could be thrown away, and was."""
    count, thrown = len(ending.choices), len(ending.thrown_away)
    if not count:
        return "Nothing could be thrown away there."
    where = "in one position" if count == 1 else f"in {count} positions"
    what = (
        f"and {thrown} times it was:" if thrown > 1 else "and once it was:" if thrown else "and nothing was."
    )
    return f"Something could be thrown away {where}, {what}"


def proof_lines(position: "Position", proof: "Proof", budget: int) -> list[str]:
    """Who wins under best play, and what each action comes to, by result."""
    if proof.result is None and not proof.results:
        return [_too_small(budget)]
    texts = position.game.action_texts
    lines = [] if proof.result is None else [_under_best_play(position, proof)]
    for result, word in RESULTS.items():
        if actions := [texts[action] for action, found in proof.results.items() if found == result]:
            lines.append(f"Proved to be a {word}: {' '.join(actions)}")
    if not proof.is_settled:
        left = proof.legal - len(proof.results)
        lines.append(f"Not proved: {left} of {proof.legal} actions; --budget says how far the solver looks.")
    return lines


def _under_best_play(position: "Position", proof: "Proof") -> str:
    name = position.game.player_names[proof.to_move]
    verb = {1: "wins", 0: "draws", -1: "loses"}[proof.result or 0]
    by = f" by {abs(proof.margin)}" if proof.margin else ""
    line = " ".join(position.game.action_texts[action] for action in proof.line)
    return f"Under best play {name} {verb}{by}" + (f": {line}" if line else ".")


def _thrown_away(choice: "Choice") -> str:
    ply = choice.ply
    kept = _listed(choice.keeping)
    was, became = RESULTS[choice.best], RESULTS[choice.played]
    played = f"  {ply.number} {ply.player_name} {ply.action_text}"
    return f"{played}: a {was} became a {became}; {kept} would have kept it"


def _listed(actions: Sequence[str]) -> str:
    more = len(actions) - _MOST_KEEPING
    told = " or ".join(actions[:_MOST_KEEPING])
    return f"{told} or {more} more" if more > 0 else told


def _too_small(budget: int) -> str:
    return f"The solver proved nothing within a budget of {budget:,}; --budget says how far it looks."
