"""Whether a record is of a game that the rules allow, from what was agreed before to the result."""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from kakomi.core import Game, Position
from kakomi.core.resignation import ends_game, idle_actions
from kakomi.records.error import RecordError
from kakomi.records.json_form import validated
from kakomi.records.record import Match, Negotiation, Record, Resignation, Result, Seat
from kakomi.records.replay import best, positions, texts, turn_named
from kakomi.records.turn import Turn


def checked(record: Record, game: Game) -> Record:
    """The record as it is printed: every option, the one spelling of every action, scores with the result.

    Raises RecordError naming the turn or the field that is wrong, and why.
    """
    _check_game(validated(record), game)
    _check_seats(record.seats, game)
    _check_negotiation(record.negotiation, game)
    _check_match(record.match, game)
    if record.swapped_after is not None:
        _require(game.players == 2, "swapped_after: only two players can exchange seats")
        _require(record.swapped_after <= record.length, "swapped_after: the game has fewer turns")
    resigned = _resigned(record.resignations, game, record.length)
    turns: list[Turn] = []
    end = game.start()
    for number, position in positions(record, game):
        if number > 0:
            turns.append(replace(record.turns[number - 1], actions=texts(position)))
        if 0 < number <= record.length:
            _check_idle(record, number, end, resigned)
            end = position
    result = _checked_result(record, end, resigned)
    return replace(record, options=dict(game.options), turns=tuple(turns), result=result)


def _check_game(record: Record, game: Game) -> None:
    _require(record.game == game.name, f"game: the record is of {record.game}, not of {game.name}")
    for name, value in record.options.items():
        _require(game.options.get(name) == value, f"options.{name}: {value} isn't what {game!r} has")


def _check_seats(seats: tuple[Seat, ...], game: Game) -> None:
    _require(len(seats) in (0, game.players), f"seats: there are {len(seats)} for {game.players} players")


def _check_negotiation(agreed: Negotiation | None, game: Game) -> None:
    if agreed is None:
        return
    name, value = agreed.option, game.options.get(agreed.option)
    _require(value is not None, f"negotiation.option: {game.name} has no option {name!r}")
    _require(agreed.value == value, f"negotiation.value: {name} is {value} in this game")
    _check_players(game, "negotiation.named_by", [agreed.named_by])
    _check_players(game, "negotiation.chosen_by", [agreed.chosen_by])
    _require(agreed.named_by != agreed.chosen_by, "negotiation.chosen_by: one names, the other chooses")


def _check_match(match: Match | None, game: Game) -> None:
    if match is None:
        return
    _require(match.game <= match.games, f"match.game: the match has {match.games} games")
    _require(len(match.points) == game.players, f"match.points: there are {game.players} players")


def _resigned(resignations: tuple[Resignation, ...], game: Game, length: int) -> dict[int, int]:
    """Player -> after how many turns they resigned."""
    resigned: dict[int, int] = {}
    for place, resignation in enumerate(resignations):
        here, last = f"resignations[{place}]", max(resigned.values(), default=0)
        _check_players(game, f"{here}.player", [resignation.player])
        _require(resignation.player not in resigned, f"{here}.player: this player had resigned before")
        _require(last <= resignation.after <= length, f"{here}.after: it should be {last} to {length}")
        resigned[resignation.player] = resignation.after
    return resigned


def _check_idle(record: Record, number: int, start: Position, resigned: Mapping[int, int]) -> None:
    """A resigned player's turns are passes without conversion, where there is a choice (RULES G8)."""
    turn = record.turns[number - 1]
    if number <= resigned.get(turn.player, number):
        return
    for text in turn.actions:
        idle = idle_actions(start)
        if idle and start.game.action(text) not in idle:
            where = turn_named(record, number, start.game)
            raise RecordError(f"{where}: a player who has resigned can't play {text}")
        start = start.play(text)


def _checked_result(record: Record, end: Position, resigned: Mapping[int, int]) -> Result | None:
    """The result with its scores, if it is what those who didn't resign got in the end."""
    game, result = end.game, record.result
    playing = [player for player in range(game.players) if player not in resigned]
    was_resigned = ends_game(game, resigned)
    if was_resigned:
        last = max(resigned.values())
        _require(last == record.length, f"resignations: the game was over after turn {last}")
        _require(result is not None, "result: missing, though the game was resigned")
    if result is None:
        return None
    scores = end.scores()
    _check_players(game, "result.winners", result.winners)
    _check_reason(result, "resignation", was_resigned, "resigned")
    _check_reason(result, "rules", end.is_over, "over by the rules")
    match result.reason:
        case "rules" | "counted" | "resignation":
            _check_winners(result, best(scores, playing), game)
        case "agreement":
            _check_winners(result, playing, game)
        case "time" | "forfeit":
            _require(set(result.winners) < set(playing), "result.winners: somebody lost, and no loser wins")
    _require(
        not result.scores or list(result.scores) == scores,
        f"result.scores: in the end they are {_listed(scores)}",
    )
    return replace(result, winners=tuple(sorted(set(result.winners))), scores=tuple(scores))


def _check_reason(result: Result, reason: str, holds: bool, words: str) -> None:
    wrong = "is" if holds else "isn't"
    _require(
        (result.reason == reason) == holds, f"result.reason: {result.reason!r}, but the game {wrong} {words}"
    )


def _check_winners(result: Result, winners: Iterable[int], game: Game) -> None:
    names = [game.player_names[player] for player in winners]
    _require(set(result.winners) == set(winners), f"result.winners: the rules give {_listed(names)}")


def _check_players(game: Game, place: str, players: Iterable[int]) -> None:
    for player in players:
        _require(player < game.players, f"{place}: {player}, but players are 0 to {game.players - 1}")


def _listed(values: Iterable[object]) -> str:
    return ", ".join(str(value) for value in values)


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise RecordError(otherwise)
