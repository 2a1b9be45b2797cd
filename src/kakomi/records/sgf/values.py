"""Values of SGF properties: actions as points (two letters; a pass is nothing), and results."""

import re
from string import ascii_letters

from kakomi.core import Action, Game, Position
from kakomi.core.i18n import lazy_message
from kakomi.records.exceptions import RecordError
from kakomi.records.record import Reason, Resignation, Result
from kakomi.records.sgf.syntax import NUMBER

OLD_PASS = "tt"
"""A pass on boards up to 19×19 before FF[4]."""
PLAYERS = ("B", "W")
"""The properties of a move, by player."""
CLOCKS = ("BL", "WL")
SECONDS = "SECONDS"
"""Our private property for the time that a turn took: SGF only has the time left."""
SECONDS = "SECONDS"
"""Our private property for the time that a turn took: SGF only has the time left."""


def require_sgf_game(game: Game) -> None:
    """Raises RecordError for a game that SGF has no way to write."""
    if game.geometry.kind != "square" or game.players != len(PLAYERS):
        title = game.description.title
        raise RecordError(
            lazy_message(
                "{title} has no SGF form, which is for two players on a square board; JSON has one",
                title=title,
            )
        )


def spellings(game: Game) -> list[str]:
    """The spelling of every action. Actions other than placements and a pass, and those whose spelling is
    taken, have our own text after `=`."""
    spelled: dict[str, None] = {}
    for action in game.actions:
        short = _short(game, action)
        spelled[f"={action.text}" if short is None or short in spelled else short] = None
    return list(spelled)


def _short(game: Game, action: Action) -> str | None:
    if action.kind == "place" and action.point:
        column, row = game.geometry.places[game.geometry.index[action.point]]
        return ascii_letters[round(column)] + ascii_letters[round(row)]
    return "" if action.kind == "pass" else None


def meanings(game: Game) -> dict[str, str]:
    """Spelling -> the action's own text."""
    found = dict(zip(spellings(game), game.action_texts, strict=True))
    if "" in found:
        found.setdefault(OLD_PASS, found[""])  # on larger boards a point has this spelling
    return found


_LETTERS: dict[Reason, str] = {"resignation": "R", "time": "T", "forfeit": "F"}
_UNKNOWN = ("", "?", "Void")
_DRAWN: dict[str, Reason] = {"0": "counted", "Draw": "agreement"}
_WON = re.compile(rf"([BW])\+(?:(R|T|F)[a-z]*|({NUMBER})?)")


def result_written(result: Result | None) -> str:
    """A checked result as the value of RE."""
    if result is None:
        return "?"
    if len(result.winners) == len(PLAYERS):
        return "Draw" if result.reason == "agreement" else "0"
    winner = result.winners[0]
    margin = abs(result.scores[0] - result.scores[1])
    return f"{PLAYERS[winner]}+{_LETTERS.get(result.reason, f'{margin:g}')}"


def result_read(value: str, end: Position, turns: int) -> tuple[Result | None, tuple[Resignation, ...]]:
    """The result that a value of RE tells of a game, and the resignation if that was it.

    Raises RecordError if it is misspelt or tells of another margin than the scores do.
    """
    if value in _UNKNOWN:
        return None, ()
    if value in _DRAWN:
        return Result(reason="rules" if end.is_over else _DRAWN[value], winners=(0, 1)), ()
    won = _WON.fullmatch(value)
    if not won:
        raise RecordError(
            lazy_message("{value} is no result: B+12, W+R, 0 and ? are", value=f"RE[{value[:20]}]")
        )
    winner = PLAYERS.index(won[1])
    reason = next((reason for reason, letter in _LETTERS.items() if letter == won[2]), None)
    if reason is None:
        _check_margin(value, won[3], end)
        reason = "rules" if end.is_over else "counted"
    resigned = (Resignation(player=1 - winner, after=turns),) if reason == "resignation" else ()
    return Result(reason=reason, winners=(winner,)), resigned


def _check_margin(value: str, margin: str | None, end: Position) -> None:
    black, white = end.scores()
    if margin and f"{float(margin):g}" != f"{abs(black - white):g}":
        raise RecordError(
            lazy_message(
                "{value} isn't what the rules say: Black has {black}, White {white}",
                value=f"RE[{value}]",
                black=black,
                white=white,
            )
        )
