"""Values of SGF properties: actions as points (two letters, empty for a pass), and results."""

import re
from string import ascii_letters

from kakomi.core import Action, Game, Position
from kakomi.core.i18n import lazy_error, lazy_message
from kakomi.records.check import Ending
from kakomi.records.record import Reading, Reason, RecordError, Resignation, Result
from kakomi.records.sgf.syntax import NUMBER

OLD_PASS = "tt"
"""A pass before FF[4], on boards up to 19×19."""
PLAYERS = ("B", "W")
"""The properties of a move, by player."""
CLOCKS = ("BL", "WL")
SECONDS = "SECONDS"
"""Our private property for a turn's thinking time: SGF only has the time left."""


def require_sgf_game(game: Game) -> None:
    """Raise RecordError if a game has no SGF form."""
    if game.geometry.kind != "square" or game.players != len(PLAYERS):
        title = game.description.title
        raise lazy_error(
            RecordError,
            "{title} can't be saved as SGF, which is for two players on a square board: use JSON",
            title=title,
        )


def spellings(game: Game) -> list[str]:
    """Return the SGF spelling of every action. Actions other than placements and a pass, and those whose
    spelling is taken, are written as `=` and our own text."""
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
    """Return SGF spelling -> the action's own text."""
    found = dict(zip(spellings(game), game.action_texts, strict=True))
    if "" in found:
        found.setdefault(OLD_PASS, found[""])  # on larger boards a point may have this spelling
    return found


_LETTERS: dict[Reason, str] = {"resignation": "R", "time": "T", "forfeit": "F"}
_UNKNOWN = ("", "?", "void")
_WON = re.compile(rf"([BW])\s*\+\s*(?:(r|t|f|resign|time|forfeit)|({NUMBER})?)", re.IGNORECASE | re.ASCII)


def result_written(result: Result | None) -> str:
    """Write a checked result as the value of RE."""
    if result is None:
        return "?"
    if len(result.winners) == len(PLAYERS):
        return "Draw" if result.reason == "agreement" else "0"
    winner = result.winners[0]
    margin = abs(result.scores[0] - result.scores[1])
    return f"{PLAYERS[winner]}+{_LETTERS.get(result.reason, f'{margin:g}')}"


def result_read(value: str, end: Position, turns: int, reading: Reading) -> Ending:
    """Read the result of a game, and a resignation if there was one, from a value of RE.

    An unreadable or incomplete value is ignored with a warning. Raises RecordError if it contradicts the
    rules.
    """
    shown, won = f"RE[{value[:20]}]", _WON.fullmatch(value)
    if value.lower() in _UNKNOWN:
        return None, ()
    if value.lower() in ("0", "draw"):
        return Result(reason=_reason_of_draw(value, end), winners=tuple(range(len(PLAYERS)))), ()
    if not won:
        reading.warn(
            lazy_message(
                "{value} isn't a result and was ignored: results look like B+12, W+R, 0 or ?", value=shown
            )
        )
        return None, ()
    winner = "bw".index(won[1].lower())
    by = (won[2] or "")[:1].upper()
    reason = next((reason for reason, letter in _LETTERS.items() if letter == by), None)
    if reason == "resignation":
        return Result(reason=reason, winners=(winner,)), (Resignation(player=1 - winner, after=turns),)
    if reason is None:
        scores = end.scores()
        leads = scores[winner] - scores[1 - winner]
        if won[3] is None and leads <= 0 and not end.is_over:
            reading.warn(
                lazy_message("{value} doesn't say how the game was won, and was ignored", value=shown)
            )
            return None, ()
        if leads <= 0 or (won[3] and f"{float(won[3]):g}" != f"{leads:g}"):
            raise _contradiction(value, end)
        reason = "rules" if end.is_over else "counted"
    return Result(reason=reason, winners=(winner,)), ()


def _reason_of_draw(value: str, end: Position) -> Reason:
    black, white = end.scores()
    if end.is_over and black != white:
        raise _contradiction(value, end)
    if end.is_over:
        return "rules"
    return "counted" if value == "0" and black == white else "agreement"


def _contradiction(value: str, end: Position) -> RecordError:
    black, white = end.scores()
    return RecordError(
        lazy_message(
            "{value} doesn't match the game: by the rules Black has {black}, White {white}",
            value=f"RE[{value}]",
            black=black,
            white=white,
        )
    )
