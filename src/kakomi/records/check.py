"""Whether a record is of a game that the rules allow, from what was agreed before to the result."""

from collections.abc import Iterable, Set

from msgspec.structs import replace

from kakomi.core import Game, Position
from kakomi.records.error import RecordError
from kakomi.records.json_form import validated
from kakomi.records.record import Negotiation, Record, Result
from kakomi.records.replay import best, positions, texts, turn_named
from kakomi.records.turn import Turn


def checked(record: Record, game: Game) -> Record:
    """The record as it is printed: every option, the one spelling of every action, scores with the result.

    Raises RecordError naming the turn or the field that is wrong, and why.
    """
    validated(record)
    _check_agreements(record, game)
    turns: list[Turn] = []
    for number, position in positions(record, game):
        if number:
            turns.append(replace(record.turns[number - 1], actions=texts(position)))
        if number == record.length:
            end = position
    resigned = _check_resignations(record, game)
    result = _checked_result(record.result, end, set(range(game.players)) - resigned)
    return replace(record, options=dict(game.options), turns=tuple(turns), result=result)


def _check_agreements(record: Record, game: Game) -> None:
    """What was settled before the game or about its seats."""
    if record.game != game.name:
        raise RecordError(f"game: the record is of {record.game}, not of {game.name}")
    for name, value in record.options.items():
        _require(game.options.get(name) == value, f"options.{name}: {value} isn't what the game is played with")
    _require(len(record.seats) in (0, game.players), f"seats: {game.name} has {game.players} players here")
    if record.negotiation:
        _check_negotiation(record.negotiation, game)
    if record.swapped_after is not None:
        _require(game.players == 2, "swapped_after: only two players can exchange seats")
        _require(record.swapped_after <= record.length, "swapped_after: the game has fewer turns")
    if record.match:
        _require(record.match.game <= record.match.games, "match.game: the match has fewer games")
        _require(len(record.match.points) == game.players, f"match.points: there are {game.players} players")


def _check_negotiation(agreed: Negotiation, game: Game) -> None:
    _require(agreed.option in game.options, f"negotiation.option: {game.name} has no option {agreed.option!r}")
    _require(
        agreed.value == game.options[agreed.option],
        f"negotiation.value: {agreed.option} is {game.options[agreed.option]} in this game",
    )
    _check_players(game, "negotiation", (agreed.named_by, agreed.chosen_by))
    _require(agreed.named_by != agreed.chosen_by, "negotiation.chosen_by: one names, the other chooses")


def _check_resignations(record: Record, game: Game) -> Set[int]:
    """Who resigned."""
    resigned: dict[int, int] = {}
    for place, resignation in enumerate(record.resignations):
        here = f"resignations[{place}]"
        _check_players(game, here, (resignation.player,))
        _require(resignation.player not in resigned, f"{here}.player: resigned before")
        _require(resignation.after <= record.length, f"{here}.after: the game has fewer turns")
        _require(resignation.after >= max(resigned.values(), default=0), f"{here}.after: earlier than the one before")
        resigned[resignation.player] = resignation.after
    _check_turns_of_resigned(record, game, resigned)
    if len(resigned) >= game.players - 1:  # RULES G8: whoever is left wins at once
        last = max(resigned.values())
        _require(last == record.length, f"resignations: the game was over after turn {last}")
        _require(record.result is not None, "result: missing, though only one player hasn't resigned")
    return resigned.keys()


def _check_turns_of_resigned(record: Record, game: Game, resigned: dict[int, int]) -> None:
    """A resigned player's turns are passes without conversion (RULES G8)."""
    for number in range(1, record.length + 1):
        turn = record.turns[number - 1]
        if number > resigned.get(turn.player, record.length):
            kinds = {game.actions[game.action(text)].kind for text in turn.actions}
            if not kinds <= {"pass", "end"}:
                raise RecordError(f"{turn_named(record, number, game)}: resigned before, so it can only be a pass")


def _checked_result(result: Result | None, end: Position, playing: Set[int]) -> Result | None:
    """The result with its scores, if it is what these players got at this position."""
    if result is None:
        return None
    scores = end.scores()
    _check_players(end.game, "result", result.winners)
    _require(set(result.winners) <= playing, "result.winners: who resigned can't win")
    by_resignation = len(playing) == 1
    _require(
        (result.reason == "resignation") == by_resignation,
        f"result.reason: {len(playing)} of {end.game.players} players haven't resigned",
    )
    _require(
        (result.reason == "rules") == end.is_over,
        f"result.reason: by the rules the game is {'over' if end.is_over else 'not over'}",
    )
    if result.reason in ("rules", "counted"):
        _check_winners(end.game, result, best(scores, sorted(playing)))
    elif result.reason == "agreement":
        _check_winners(end.game, result, sorted(playing))
    else:
        _require(len(set(result.winners)) < end.game.players, f"result.winners: nobody lost by {result.reason}")
    _require(
        not result.scores or list(result.scores) == scores,
        f"result.scores: the scores at the end are {_listed(scores)}",
    )
    return replace(result, winners=tuple(sorted(set(result.winners))), scores=tuple(scores))


def _check_winners(game: Game, result: Result, winners: Iterable[int]) -> None:
    names = [game.player_names[player] for player in winners]
    _require(set(result.winners) == set(winners), f"result.winners: it should be {_listed(names)}")


def _check_players(game: Game, place: str, players: Iterable[int]) -> None:
    for player in players:
        _require(player < game.players, f"{place}: {game.name} has players 0 to {game.players - 1}, not {player}")


def _listed(values: Iterable[object]) -> str:
    return ", ".join(str(value) for value in values)


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise RecordError(otherwise)
