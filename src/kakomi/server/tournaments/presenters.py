"""A tournament as its page shows it: standings with a crosstable, rounds, and what the viewer can do."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext

from kakomi import catalog
from kakomi.bots import make_bot
from kakomi.contest.tournament import Elimination, Entry, Row, replay, standings
from kakomi.contest.tournament import Tournament as Replayed
from kakomi.contest.tournament.state import Game as Played
from kakomi.server.accounts.models import Guest
from kakomi.server.language import translate
from kakomi.server.tables.clock_texts import clock_label
from kakomi.server.tournaments import logs
from kakomi.server.tournaments.models import Entrant, Game, LogEntry, Tournament
from kakomi.server.tournaments.permissions import is_director
from kakomi.server.tournaments.services import why_not_enter
from kakomi.server.tournaments.terms import format_of, terms_of
from kakomi.server.tournaments.wording import LEAVING, STATES, TIE_BREAKS, format_label, points_label


@dataclass(frozen=True)
class Cell:
    """What somebody did in a round."""

    text: str
    said: str
    """The same in words."""
    code: str = ""
    """The table's."""


@dataclass(frozen=True)
class Line:
    """Somebody in the standings, with their rounds."""

    number: int
    row: Row
    entrant: Entrant
    cells: Sequence[Cell]
    is_own: bool

    @property
    def bot(self) -> str:
        """The name of a bot of the site; empty for a guest."""
        return bot_name(self.entrant)

    @property
    def points(self) -> str:
        """As they are shown."""
        return points_label(self.row.points)

    @property
    def tie_breaks(self) -> list[str]:
        """As they are shown."""
        return [points_label(value) for value in self.row.tie_breaks]

    @property
    def status(self) -> str:
        """Why they are no longer there; empty for those who are."""
        return str(LEAVING.get(self.entrant.leaving, ""))


@dataclass(frozen=True)
class Player:
    """Somebody at a table, with how it ended for them."""

    entrant: Entrant
    place: int | None
    is_absent: bool

    @property
    def bot(self) -> str:
        """The name of a bot of the site; empty for a guest."""
        return bot_name(self.entrant)


@dataclass(frozen=True)
class PairingLine:
    """A pairing with its table."""

    number: int
    code: str
    players: Sequence[Player]
    is_over: bool
    stage: str


@dataclass(frozen=True)
class RoundPart:
    """A round on the page."""

    number: int
    ends_at: float
    is_over: bool
    pairings: Sequence[PairingLine]
    byes: Sequence[Entrant]


def bot_name(entrant: Entrant) -> str:
    """The name of a bot of the site; empty for a guest."""
    return make_bot(entrant.bot).name if entrant.bot else ""


@dataclass(frozen=True)
class Card:
    """A tournament in a list."""

    row: Tournament
    count: int

    @property
    def title(self) -> str:
        """The game's."""
        return catalog.describe(self.row.game).title

    @property
    def format(self) -> str:
        """In a few words."""
        return format_label(format_of(self.row))

    @property
    def clock(self) -> str:
        """In a few words."""
        return clock_label(terms_of(self.row).control)

    @property
    def state(self) -> str:
        """In a few words."""
        return str(STATES[self.row.state])


@dataclass(frozen=True)
class Page(Card):
    """All that the page of a tournament shows to a viewer."""

    viewer: Guest | None = None

    @staticmethod
    def of(row: Tournament, viewer: Guest | None) -> "Page":
        """The page of a tournament as it stands."""
        return Page(row, row.entrants.filter(is_in=True).count(), viewer)

    @cached_property
    def entrants(self) -> Mapping[str, Entrant]:
        """Everybody who ever entered, by the name in the log."""
        return {each.name: each for each in self.row.entrants.select_related("guest")}

    @cached_property
    def own(self) -> Entrant | None:
        """The viewer's place in it."""
        return next((e for e in self.entrants.values() if self.viewer and e.guest == self.viewer), None)

    @property
    def is_in(self) -> bool:
        """Whether the viewer takes part."""
        return self.own is not None and self.own.is_in and not self.own.leaving

    @property
    def is_director(self) -> bool:
        """Whether the viewer directs it."""
        return is_director(self.row, self.viewer)

    @cached_property
    def obstacle(self) -> str:
        """Why the viewer can't enter; empty if they can."""
        return translate(why_not_enter(self.row, self.viewer or Guest()))

    @cached_property
    def own_games(self) -> list[Game]:
        """The viewer's games that go on."""
        if self.own is None:
            return []
        return [game for game in self._games.values() if not game.is_over and self._plays(game)]

    def _plays(self, game: Game) -> bool:
        assert self.own is not None
        return self.own.name in self._state.game(game.round.number, game.number).seats

    @property
    def tie_breaks(self) -> list[tuple[str, str]]:
        """The names of the tie-breaks, and what they are."""
        config = format_of(self.row)
        return [(str(name), str(said)) for name, said in map(TIE_BREAKS.__getitem__, config.tie_breaks)]

    @property
    def points_are_rank(self) -> bool:
        """Whether points only say how far somebody came."""
        return isinstance(format_of(self.row), Elimination)

    @cached_property
    def lines(self) -> list[Line]:
        """The standings."""
        rows = standings(self._log, format_of(self.row), self.row.seed)
        numbers = {row.entrant: number for number, row in enumerate(rows, start=1)}
        return [
            Line(
                numbers[row.entrant],
                row,
                self.entrants[row.entrant],
                list(self._cells(row.entrant, numbers)),
                self.entrants[row.entrant] == self.own,
            )
            for row in rows
        ]

    @cached_property
    def rounds(self) -> list[RoundPart]:
        """All rounds, the latest first."""
        parts = []
        for row, played in zip(self.row.rounds.all(), self._state.rounds, strict=True):
            pairings = [self._pairing(game) for game in played.games]
            byes = [self.entrants[name] for name in played.byes]
            parts.append(RoundPart(row.number, row.ends_at, row.is_over, pairings, byes))
        return parts[::-1]

    @cached_property
    def corrections(self) -> list[LogEntry]:
        """What directors did, with their reasons, the latest first."""
        return list(self.row.log.exclude(reason="").select_related("by").order_by("-number"))

    @cached_property
    def _log(self) -> list[Entry]:
        return logs.log_of(self.row)

    @cached_property
    def _state(self) -> Replayed:
        return replay(self._log)

    @cached_property
    def _games(self) -> Mapping[tuple[int, int], Game]:
        games = Game.objects.filter(round__tournament=self.row).select_related("round", "table")
        return {(game.round.number, game.number): game for game in games}

    def _pairing(self, game: Played) -> PairingLine:
        result = game.result
        players = [
            Player(
                self.entrants[name],
                result.places[seat] if result else None,
                bool(result and seat in result.absent),
            )
            for seat, name in enumerate(game.seats)
        ]
        code = self._games[game.round, game.table].table.code
        return PairingLine(game.table, code, players, result is not None, game.stage)

    def _cells(self, name: str, numbers: Mapping[str, int]) -> Iterator[Cell]:
        for played in self._state.rounds:
            game = next((game for game in played.games if name in game.seats), None)
            if game is not None:
                yield self._cell(game, name, numbers)
            elif name in played.byes:
                yield Cell(gettext("bye"), gettext("sits out"))
            else:
                yield Cell("", gettext("not paired"))

    def _cell(self, game: Played, name: str, numbers: Mapping[str, int]) -> Cell:
        code, seat = self._games[game.round, game.table].table.code, game.seats.index(name)
        others = ", ".join(str(numbers[other]) for other in game.seats if other != name)
        if game.result is None:
            return Cell(f"… {others}", gettext("plays against {others}").format(others=others), code)
        if seat in game.result.absent:
            return Cell(f"– {others}", gettext("did not come, against {others}").format(others=others), code)
        place, shared = game.result.places[seat], game.result.places.count(game.result.places[seat])
        said = gettext("place {place} against {others}").format(place=place, others=others)
        if len(game.seats) > 2:
            return Cell(f"{place}. ({others})", said, code)
        return Cell(f"{'½' if shared > 1 else 1 if place == 1 else 0} {others}", said, code)
