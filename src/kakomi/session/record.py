"""Matches as records, and tables as JSON data. A record holds one game of a match, and play can continue from
it. A table's data are its terms, including the limit for starting a game, and its log, which `Table` replays.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from kakomi import catalog, records
from kakomi.core import Game
from kakomi.core.i18n import lazy_message
from kakomi.session.clock import changed
from kakomi.session.events import Entry
from kakomi.session.exceptions import Refused
from kakomi.session.match import Match
from kakomi.session.match_config import MatchConfig, Seat
from kakomi.session.match_game import MatchGame
from kakomi.session.time_control import Span, TimeControl, joined, moment_after


def record_of(match: Match, match_game: MatchGame | None = None, *, date: str = "") -> records.Record:
    """Return the record of a game of a match, by default of the current one.

    `date` is the day in ISO 8601. Raises Refused while komi and colours are being settled.
    """
    match_game = match_game or match.current_game
    if match_game.players is None:
        raise Refused(lazy_message("the game can’t be recorded before komi and colours are settled"))
    seats = [match.seats[match_game.players.index(player)] for player in range(match_game.game.players)]
    record = records.recorded(
        match_game.game,
        match_game.actions(),
        position=match.config.position,
        seats=tuple(
            records.Seat(name=records.tidy_line(seat.name), bot=records.tidy_line(seat.bot)) for seat in seats
        ),
        date=date,
        negotiation=_negotiation(match_game),
        swapped_after=1 if match_game.swapped else None,
        match=_place_in_match(match, match_game),
        result=_result(match_game),
    )
    return _with_resignations(record, match_game)


def match_of(record: records.Record, seats: Collection[Seat]) -> Match:
    """Return the match of a record's game, in its state at the end of the record.

    Each seat gets the player with its own number. Comments and variations are dropped. Raises Refused, or
    RecordError for a record that the rules don't allow.
    """
    game = records.game_of(record, catalog.game)
    record = records.checked(record, game)
    match = Match.begun(_terms(record, game), seats)
    if record.negotiation:
        match = match.name_komi(record.negotiation.named_by, record.negotiation.value)
        match = match.choose_player(record.negotiation.chosen_by, record.negotiation.chosen_by)
    match = _resigned(record, match, 0)
    for number, turn in enumerate(record.turns[: record.length], 1):
        if turn.player not in match.current_game.out_after:
            for text in turn.actions:
                match = match.play(match.to_act or 0, text)
        if record.swapped_after == number:
            match = match.swap(1 - match.config.first)
        match = _resigned(record, match, number)
    return match


def _resigned(record: records.Record, match: Match, turns: int) -> Match:
    for resignation in record.resignations:
        seat = match.current_game.seat_of(resignation.player)
        if resignation.after == turns and seat is not None:
            match = match.resign(seat)
    return match


def _terms(record: records.Record, game: Game) -> MatchConfig:
    stands = record.match
    first = 0
    if record.negotiation:
        if record.negotiation.option != game.description.komi_option:
            raise Refused(f"{record.negotiation.option} isn't negotiated in {game.description.title}")
        first = record.negotiation.named_by
    elif record.swapped_after is not None:
        if record.swapped_after != 1:
            raise Refused("colours can be swapped only after the first turn")
        first = 1
    return MatchConfig(
        game,
        games=stands.games if stands else 1,
        first=first,
        negotiate=record.negotiation is not None,
        swap=record.swapped_after is not None,
        played=stands.game - 1 if stands else 0,
        brought=tuple(float(points) for points in stands.points) if stands else (),
        position=record.position,
    )


def _negotiation(match_game: MatchGame) -> records.Negotiation | None:
    if match_game.komi is None or match_game.players is None:
        return None
    named, chosen = match_game.players[match_game.first], match_game.players[1 - match_game.first]
    option = match_game.game.description.komi_option
    return records.Negotiation(option=option, value=match_game.komi, named_by=named, chosen_by=chosen)


def _place_in_match(match: Match, match_game: MatchGame) -> records.Match | None:
    if match.config.games == 1 or match_game.players is None:
        return None
    before = match.games[: match.games.index(match_game)]
    points = match.points(before)
    brought = tuple(points[match_game.players.index(player)] for player in range(match_game.game.players))
    return records.Match(game=match.config.played + len(before) + 1, games=match.config.games, points=brought)


def _result(match_game: MatchGame) -> records.Result | None:
    if not match_game.is_over or match_game.players is None:
        return None
    result = match_game.result()
    return records.Result(
        reason="forfeit" if result.reason == "absence" else result.reason,
        winners=tuple(sorted(match_game.players[seat] for seat in result.winners)),
        scores=tuple(match_game.position.scores()),
    )


def _with_resignations(record: records.Record, match_game: MatchGame) -> records.Record:
    """Add resignations to a record. A turn in which somebody resigned counts as played. Seats that left for
    another reason are recorded as resigned, except the last one if that reason decided the result."""
    from msgspec.structs import replace

    left = dict(match_game.out_after)
    if match_game.is_over and match_game.result().reason in ("time", "forfeit", "absence"):
        left.popitem()
    starts, ply = [], 0
    for turn in record.turns:
        starts.append(ply)
        ply += len(turn.actions)
    resignations = tuple(
        records.Resignation(player=player, after=sum(start < ply for start in starts))
        for player, ply in sorted(left.items(), key=lambda item: item[1])
    )
    return replace(record, resignations=resignations)


LONGEST_START = 365 * 24 * 3600.0
"""The maximum limit for starting, in seconds."""


@dataclass(frozen=True)
class StartLimit:
    """The time limit for naming a komi, choosing a colour and taking a first turn.

    No clock runs for these decisions, so each has its own limit. Bots have none.
    """

    limit: float | None = None
    """The seconds for each of these decisions; None: no limit."""
    since: float = 0.0
    """The time from which the site waits for the current decision."""
    acted: frozenset[int] = frozenset()
    """The seats that have had a first turn in the current game."""
    outages: tuple[Span, ...] = ()
    """The outages of the site, in order."""

    def is_awaited(self, match: Match) -> bool:
        """Whether a person has to make one of these decisions now."""
        seat = match.to_act
        if seat is None or match.seats[seat].is_bot:
            return False
        return match.phase != "play" or seat not in self.acted

    def deadline(self, match: Match) -> float | None:
        """Return the deadline for the current decision; None if there is none."""
        if self.limit is None or not self.is_awaited(match):
            return None
        return moment_after(self.since, self.limit, self.outages)

    def is_everybody_in(self, match: Match) -> bool:
        """Whether everyone still in the game has had a first turn, or it is a later game of the match."""
        gone = match.current_game.resigned_seats
        return len(match.games) > 1 or self.acted.issuperset(set(range(len(match.seats))) - set(gone))

    def after(self, before: Match, entry: Entry, match: Match) -> "StartLimit":
        """Return the state after an entry."""
        if len(match.games) > len(before.games):
            return changed(self, since=entry.at, acted=frozenset())
        finished = entry.kind in ("play", "swap") and match.to_act != entry.seat
        acted = self.acted | {entry.seat} if finished and entry.seat is not None else self.acted
        is_next = (match.to_act, match.phase) != (before.to_act, before.phase)
        return changed(self, since=entry.at if is_next else self.since, acted=acted)

    def without(self, outage: Span) -> "StartLimit":
        """Return the state without the time of an outage."""
        return changed(self, outages=tuple(joined(sorted((*self.outages, outage)))))


VERSION = 1
"""The version of the data."""


@dataclass(frozen=True)
class TableData:
    """The terms of a table, and its log as JSON data."""

    config: MatchConfig
    seats: Sequence[Seat]
    time: TimeControl | None
    at: float
    """The time when it began, in seconds since the epoch."""
    start: float | None
    """The limit for starting, in seconds (`StartLimit.limit`)."""
    takes_back: bool
    is_binding: bool
    entries: Sequence[Any]

    @staticmethod
    def read(data: Any) -> "TableData":
        """Read JSON data. Raises Refused with the first error in it."""
        if not isinstance(data, Mapping) or data.get("kakomi_table") != VERSION:
            raise Refused(f"this isn't a table of version {VERSION}")
        seats, entries, at, time = (data.get(name) for name in ("seats", "entries", "at", "time"))
        if not isinstance(seats, list) or not isinstance(entries, list):
            raise Refused("a table should have lists of 'seats' and 'entries'")
        if type(at) not in (int, float):
            raise Refused("a table's 'at' should be a time in seconds since the epoch")
        return TableData(
            config=MatchConfig.from_json(data.get("terms")),
            seats=[Seat.from_json(seat) for seat in seats],
            time=None if time is None else TimeControl.from_json(time),
            at=cast(float, at),
            start=_start_of(data),
            takes_back=data.get("takes_back", True) is True,
            is_binding=data.get("binding") is True,
            entries=entries,
        )

    def to_json(self) -> dict[str, Any]:
        """Return JSON data."""
        return {
            "kakomi_table": VERSION,
            "terms": self.config.to_json(),
            "seats": [seat.to_json() for seat in self.seats],
            "time": self.time.to_json() if self.time else None,
            **({"start": self.start} if self.start else {}),
            "at": self.at,
            "entries": list(self.entries),
            **({} if self.takes_back else {"takes_back": False}),
            **({"binding": True} if self.is_binding else {}),
        }


def _start_of(data: Mapping[str, Any]) -> float | None:
    start = data.get("start")
    if start is not None and (type(start) not in (int, float) or not 0 < start <= LONGEST_START):
        raise Refused("a table's 'start' should be a limit in seconds")
    return cast("float | None", start)
