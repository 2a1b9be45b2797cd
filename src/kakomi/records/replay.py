"""Replay of records by the rules."""

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from kakomi.core import Game, IllegalAction, Position
from kakomi.core.i18n import LazyMessage, lazy_message
from kakomi.records.record import MOST_ACTIONS, Reading, Record, RecordError, Result, Turn, located, reason_of


class FindGame(Protocol):
    """Finds a game by name and options, like `kakomi.game`; raises ValueError if there is none."""

    def __call__(self, name: str, /, **options: Any) -> Game: ...


def game_of(record: Record, find_game: FindGame) -> Game:
    """Return the game of a record. Raises RecordError if there is none with this name and options."""
    try:
        return find_game(record.game, **record.options)
    except (TypeError, ValueError) as error:
        raise RecordError(reason_of(error)) from None


def start_of(record: Record, game: Game) -> Position:
    """Return the start position of a record. Raises RecordError if its text is invalid."""
    if not record.position:
        return game.start()
    try:
        return game.position(record.position)
    except ValueError as error:
        raise located("position", reason_of(error)) from None


def positions(record: Record, game: Game, reading: Reading | None = None) -> Iterator[tuple[int, Position]]:
    """Yield every turn's number and the position after it, starting with 0 and the start position.

    Raises RecordError for an invalid start position, and at an illegal turn, with the turn and the reason.
    """
    reading = reading or Reading(most_actions=MOST_ACTIONS)
    reading.expect_actions(sum(len(turn.actions) for turn in record.turns))
    tree = record.tree
    reached = {0: start_of(record, game)}
    yield 0, reached[0]
    for number, turn in enumerate(record.turns, 1):
        before = tree.before[number]
        start = reached[before]
        if tree.followers[before][-1] == number:
            del reached[before]  # nothing else follows it
        reading.played += len(turn.actions)
        try:
            position = _after(start, turn)
        except IllegalAction as error:
            where = turn_named(record, number, game)
            raise located(where, reason_of(error)) from None
        if tree.followers[number]:
            reached[number] = position
        yield number, position


def position_after(record: Record, game: Game, number: int | None = None) -> Position:
    """Return the position after a turn, by default the last of the main line. Raises RecordError as
    `positions` does, and ValueError for a turn that doesn't exist."""
    wanted = record.length if number is None else number
    for reached, position in positions(record, game):
        if reached == wanted:
            return position
    raise ValueError(f"there is no turn {wanted}: the record has turns 0 to {len(record.turns)}")


def turn_named(record: Record, number: int, game: Game) -> LazyMessage:
    """Name a turn for messages: `turn 12 (White)`, with its place in the file if it is in a variation."""
    player = record.turns[number - 1].player
    is_known = player < game.players
    who = (
        lazy_message(game.player_names[player])
        if is_known
        else lazy_message("player {number}", number=player)
    )
    if number <= record.length:
        return lazy_message("turn {number} ({player})", number=number, player=who)
    return lazy_message(
        "turn {number} ({player}) of a variation, turns[{place}]",
        number=len(record.tree.line_to(number)),
        player=who,
        place=number - 1,
    )


def recorded(game: Game, actions: Iterable[str | int], **fields: Any) -> Record:
    """Make a record from actions, given as texts or numbers; `fields` are those of `Record`.

    A game that has ended by the rules gets its result. Raises IllegalAction, and ValueError for an invalid
    start `position`.
    """
    turns: list[Turn] = []
    position = game.position(fields["position"]) if fields.get("position") else game.start()
    mover = position.to_move
    for action in actions:
        mover = mover if position.turn else position.to_move
        position = position.play_action(game.action(action) if isinstance(action, str) else action)
        if not position.turn:
            turns.append(Turn(player=mover, actions=texts(position)))
    if position.turn:
        turns.append(Turn(player=mover, actions=texts(position)))
    fields = {"result": result_by_rules(position)} | fields
    return Record(game=game.name, options=dict(game.options), turns=tuple(turns), **fields)


def result_by_rules(position: Position) -> Result | None:
    """Return the result by the rules; None if the game isn't over."""
    if not position.is_over:
        return None
    scores = position.scores()
    return Result(reason="rules", winners=best(scores, range(len(scores))), scores=tuple(scores))


def best(scores: list[int | float], players: Iterable[int]) -> tuple[int, ...]:
    """Return those of the players who share the highest score among them."""
    scored = {player: scores[player] for player in players}
    highest = max(scored.values())
    return tuple(player for player, score in scored.items() if score == highest)


def texts(position: Position) -> tuple[str, ...]:
    """Return the texts of the actions in the turn that led here."""
    return tuple(position.game.action_texts[action] for action in position.turn or position.previous_turn)


def _after(start: Position, turn: Turn) -> Position:
    """Return the position after a whole turn. Raises IllegalAction."""
    names = start.game.player_names
    if start.is_over:
        raise IllegalAction(lazy_message("the game was already over"))
    if start.turn:
        unfinished = " ".join(texts(start))
        raise IllegalAction(lazy_message("the previous turn, {actions}, isn't complete", actions=unfinished))
    if turn.player != start.to_move:
        raise IllegalAction(lazy_message("it is {player}'s turn", player=lazy_message(names[start.to_move])))
    position = start.play(" ".join(turn.actions))
    if len(texts(position)) != len(turn.actions):
        raise IllegalAction(lazy_message("{actions} is more than one turn", actions=" ".join(turn.actions)))
    return position
