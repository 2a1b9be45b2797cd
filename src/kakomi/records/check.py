"""Checks of a record against the rules: options, players, turns and result."""

from collections.abc import Callable, Iterable, Mapping

from msgspec.structs import replace

from kakomi.core import Game, Position
from kakomi.core.game import ends_game, idle_actions
from kakomi.core.i18n import LazyMessage, lazy_join, lazy_message
from kakomi.records.json_form import validated
from kakomi.records.record import (
    Match,
    Negotiation,
    Reading,
    Record,
    Resignation,
    Result,
    Seat,
    Turn,
    located,
    wrong_game,
)
from kakomi.records.replay import best, positions, start_of, texts, turn_named

Ending = tuple[Result | None, tuple[Resignation, ...]]


def checked(
    record: Record,
    game: Game,
    reading: Reading | None = None,
    ending: Callable[[Position], Ending] | None = None,
) -> Record:
    """Check a record and return its canonical form: every option, actions and start position in their
    canonical spelling, and scores in the result.

    `ending`, if given, determines the ending from the last position. Raises RecordError with the wrong turn
    or field and the reason.
    """
    _check_game(validated(record), game)
    _check_seats(record.seats, game)
    _check_negotiation(record.negotiation, game)
    _check_match(record.match, game)
    if record.swapped_after is not None:
        _require(game.players == 2, "swapped_after", lazy_message("only two players can swap seats"))
        is_reached = record.swapped_after <= record.length
        _require(is_reached, "swapped_after", lazy_message("the game has fewer turns"))
    resigned = _resigned(record.resignations, game, record.length)
    turns: list[Turn] = []
    end = start_of(record, game)
    for number, position in positions(record, game, reading):
        if number > 0:
            turns.append(replace(record.turns[number - 1], actions=texts(position)))
        if 0 < number <= record.length:
            _check_idle(record, number, end, resigned)
            end = position
    if ending:
        result, resignations = ending(end)
        record = replace(record, result=result, resignations=resignations)
        resigned = _resigned(resignations, game, record.length)
    result = _checked_result(record, end, resigned)
    begun = str(start_of(record, game)) if record.position else ""
    return replace(record, options=dict(game.options), position=begun, turns=tuple(turns), result=result)


def _check_game(record: Record, game: Game) -> None:
    _require(record.game == game.name, "game", wrong_game(record.game, game.name))
    for name, value in record.options.items():
        otherwise = lazy_message("{game} doesn't have {value}", value=value, game=repr(game))
        _require(game.options.get(name) == value, f"options.{name}", otherwise)


def _check_seats(seats: tuple[Seat, ...], game: Game) -> None:
    otherwise = lazy_message(
        "{count}, but there are {players} players", count=len(seats), players=game.players
    )
    _require(len(seats) in (0, game.players), "seats", otherwise)


def _check_negotiation(agreed: Negotiation | None, game: Game) -> None:
    if agreed is None:
        return
    name, value = agreed.option, game.options.get(agreed.option)
    unknown = lazy_message("{game} has no option {name}", game=game.name, name=repr(name))
    _require(value is not None, "negotiation.option", unknown)
    otherwise = lazy_message("{option} is {value} in this game", option=name, value=value)
    _require(agreed.value == value, "negotiation.value", otherwise)
    _check_players(game, "negotiation.named_by", [agreed.named_by])
    _check_players(game, "negotiation.chosen_by", [agreed.chosen_by])
    is_fair = agreed.named_by != agreed.chosen_by
    _require(is_fair, "negotiation.chosen_by", lazy_message("one player names, the other chooses"))


def _check_match(match: Match | None, game: Game) -> None:
    if match is None:
        return
    too_late = lazy_message("the match has {games} games", games=match.games)
    _require(match.game <= match.games, "match.game", too_late)
    otherwise = lazy_message("there are {players} players", players=game.players)
    _require(len(match.points) == game.players, "match.points", otherwise)


def _resigned(resignations: tuple[Resignation, ...], game: Game, length: int) -> dict[int, int]:
    """Return player -> number of turns after which they resigned."""
    resigned: dict[int, int] = {}
    for place, resignation in enumerate(resignations):
        here, last = f"resignations[{place}]", max(resigned.values(), default=0)
        _check_players(game, f"{here}.player", [resignation.player])
        is_first = resignation.player not in resigned
        _require(is_first, f"{here}.player", lazy_message("this player had already resigned"))
        in_order = lazy_message("it should be {least} to {most}", least=last, most=length)
        _require(last <= resignation.after <= length, f"{here}.after", in_order)
        resigned[resignation.player] = resignation.after
    return resigned


def _check_idle(record: Record, number: int, start: Position, resigned: Mapping[int, int]) -> None:
    """Check that a resigned player only passes, without conversion if there is a choice (RULES G8)."""
    turn = record.turns[number - 1]
    if number <= resigned.get(turn.player, number):
        return
    for text in turn.actions:
        idle = idle_actions(start)
        if idle and start.game.action(text) not in idle:
            where = turn_named(record, number, start.game)
            raise located(where, lazy_message("a player who has resigned can't play {action}", action=text))
        start = start.play(text)


def _checked_result(record: Record, end: Position, resigned: Mapping[int, int]) -> Result | None:
    """Check the result against the final position and resignations. Return it with scores."""
    game, result = end.game, record.result
    playing = [player for player in range(game.players) if player not in resigned]
    was_resigned = ends_game(game, resigned)
    if was_resigned:
        last = max(resigned.values())
        over = lazy_message("the game was over after turn {number}", number=last)
        _require(last == record.length, "resignations", over)
        _require(result is not None, "result", lazy_message("missing, though the game was resigned"))
    if result is None:
        return None
    scores = end.scores()
    _check_players(game, "result.winners", result.winners)
    _check_reason(result, "resignation", was_resigned)
    _check_reason(result, "rules", end.is_over)
    match result.reason:
        case "rules" | "counted" | "resignation":
            _check_winners(result, best(scores, playing), game)
        case "agreement":
            _check_winners(result, playing, game)
        case "time" | "forfeit":
            is_lost = set(result.winners) < set(playing)
            _require(is_lost, "result.winners", lazy_message("a player who lost can't win"))
    is_counted = not result.scores or list(result.scores) == scores
    counted = lazy_message("at the end they are {scores}", scores=", ".join(map(str, scores)))
    _require(is_counted, "result.scores", counted)
    return replace(result, winners=tuple(sorted(set(result.winners))), scores=tuple(scores))


def _check_reason(result: Result, reason: str, holds: bool) -> None:
    given = repr(result.reason)
    match reason, holds:
        case "resignation", True:
            otherwise = lazy_message("{reason}, but the game is resigned", reason=given)
        case "resignation", False:
            otherwise = lazy_message("{reason}, but the game isn't resigned", reason=given)
        case _, True:
            otherwise = lazy_message("{reason}, but the game is over by the rules", reason=given)
        case _:
            otherwise = lazy_message("{reason}, but the game isn't over by the rules", reason=given)
    _require((result.reason == reason) == holds, "result.reason", otherwise)


def _check_winners(result: Result, winners: Iterable[int], game: Game) -> None:
    names = lazy_join(", ", [lazy_message(game.player_names[player]) for player in winners])
    otherwise = lazy_message("the rules give {players}", players=names)
    _require(set(result.winners) == set(winners), "result.winners", otherwise)


def _check_players(game: Game, place: str, players: Iterable[int]) -> None:
    for player in players:
        last = game.players - 1
        otherwise = lazy_message("{player}, but players are 0 to {last}", player=player, last=last)
        _require(player < game.players, place, otherwise)


def _require(holds: bool, place: str, otherwise: LazyMessage) -> None:
    if not holds:
        raise located(place, otherwise)
