"""Presents a tournament: standings with crosstables, rounds, and the viewer's options."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from django.urls import reverse
from django.utils.translation import gettext

from kakomi import catalog
from kakomi.contest.tournament import (
    AnyFormat,
    Elimination,
    Entry,
    Ladder,
    RoundRobin,
    Row,
    Swiss,
    Tables,
    annulled_games,
    climbs,
    replay,
    standings,
    why_not_challenge,
)
from kakomi.contest.tournament import Tournament as Replayed
from kakomi.contest.tournament.log import Game as Played
from kakomi.contest.tournament.round_robin import FINAL, final_log, group_stage_rounds
from kakomi.server.accounts.models import Guest
from kakomi.server.people.profile import Participation
from kakomi.server.site import clock
from kakomi.server.site.games import setup_label
from kakomi.server.site.language import translate
from kakomi.server.tables.clock_texts import clock_label
from kakomi.server.tournaments import logs
from kakomi.server.tournaments.models import Entrant, Game, LogEntry, Tournament
from kakomi.server.tournaments.selectors import first_due, is_director
from kakomi.server.tournaments.services import may_enter_late, why_not_enter
from kakomi.server.tournaments.standings import (
    BracketPart,
    ClimbLine,
    Crosstable,
    Crosstables,
    Knockout,
    Line,
    PairingLine,
    Player,
    RoundPart,
)
from kakomi.server.tournaments.terms import format_of, round_seconds, start_seconds, table_sizes, terms_of
from kakomi.server.tournaments.wording import (
    REPEATS,
    STATES,
    TIE_BREAKS,
    TieBreakText,
    format_label,
    stage_label,
)

LAST_GAMES = 20
"""The number of games and climbs shown for a ladder."""


@dataclass(frozen=True)
class Card:
    """A tournament in a list."""

    row: Tournament
    count: int

    @property
    def title(self) -> str:
        """The game's title."""
        return catalog.describe(self.row.game).title

    @property
    def format(self) -> str:
        """A short label of the format."""
        return format_label(format_of(self.row))

    @property
    def board(self) -> str:
        """The board, and the game's unusual options."""
        terms = terms_of(self.row)
        return setup_label(terms.game_for(table_sizes(format_of(self.row), terms)[1]))

    @property
    def clock(self) -> str:
        """A label of the time control."""
        return clock_label(terms_of(self.row).control)

    @property
    def state(self) -> str:
        """The state in words."""
        return str(STATES[self.row.state])


@dataclass(frozen=True)
class Page(Card):
    """The content of a tournament's page for a viewer."""

    log: Sequence[Entry] = ()
    viewer: Guest | None = None

    @staticmethod
    def of(row: Tournament, viewer: Guest | None) -> "Page":
        """The current page of a tournament.

        The log is read first, so that everything in it has rows; later changes are not shown.
        """
        log = logs.log_of(row)
        is_open = row.state == Tournament.State.OPEN
        entrants = row.entrants.filter(is_in=True) if is_open else row.entrants.all()
        return Page(row, entrants.count(), log, viewer)

    @cached_property
    def config(self) -> AnyFormat:
        """The format."""
        return format_of(self.row)

    @property
    def is_ladder(self) -> bool:
        """Whether it is a ladder."""
        return isinstance(self.config, Ladder)

    @property
    def is_live(self) -> bool:
        """Whether games are live."""
        return terms_of(self.row).pace == "live"

    @property
    def round_minutes(self) -> int:
        """The maximum length of a live round in minutes."""
        return round(round_seconds(self.row) / 60)

    @property
    def start_minutes(self) -> int:
        """How many minutes a live game waits for a first turn."""
        return round((start_seconds(self.row) or 0) / 60)

    @property
    def begins_in(self) -> str:
        """The seconds until it begins, for a countdown."""
        return f"{max(0.0, self.row.begins_at - clock.now()):.0f}"

    @property
    def is_out(self) -> bool:
        """Whether the viewer has been knocked out and plays no further round."""
        own = self.own.name if self.own else ""
        is_running = self.row.state == Tournament.State.RUNNING
        return is_running and own in logs.knocked_out(self.log, self.config, self.row.seed)

    @cached_property
    def act_by(self) -> float | None:
        """The earliest deadline of the viewer's first turn in a current game."""
        if self.viewer is None:
            return None
        dues = (first_due(game.table, self.viewer) for game in self.own_games)
        return min((due for due in dues if due is not None), default=None)

    @property
    def act_within(self) -> str:
        """The seconds until `act_by`."""
        return f"{max(0.0, (self.act_by or 0.0) - clock.now()):.0f}"

    @property
    def leaving_costs(self) -> str:
        """The consequences of leaving for the viewer, and whether they can return."""
        if self.row.state == Tournament.State.OPEN:
            return gettext("You can rejoin while the tournament is open and not full.")
        back = gettext("You can’t rejoin.") if self.obstacle else gettext("You can rejoin later.")
        lost = gettext("You lose your current game.") if self.own_games else ""
        return f"{lost} {back}".strip()

    @property
    def reach(self) -> int:
        """The maximum number of rungs by which a challenge may reach up."""
        return self.config.reach if isinstance(self.config, Ladder) else 0

    @property
    def has_been_in(self) -> bool:
        """Whether the viewer has ever entered."""
        return self.own is not None

    @property
    def repeat(self) -> str:
        """How often it is repeated, in words; empty if it isn't."""
        return str(REPEATS.get(self.row.repeat, ""))

    @cached_property
    def next(self) -> Tournament | None:
        """The next edition, once it is open."""
        return Tournament.objects.filter(previous=self.row).first()

    @property
    def winners(self) -> list[Line]:
        """The winners once it is over; a ladder has none."""
        if self.row.state != Tournament.State.OVER or self.is_ladder or not self.lines:
            return []
        stage = self.lines[0].row.stage
        return [line for line in self.lines if (line.row.place, line.row.stage) == (1, stage)]

    @cached_property
    def challengeable(self) -> set[str]:
        """The entrants whom the viewer can challenge now, by their names in the log."""
        if (
            self.own is None
            or not isinstance(self.config, Ladder)
            or self.row.state != Tournament.State.RUNNING
        ):
            return set()
        if self._state.is_closed:
            return set()
        why = partial(why_not_challenge, self._state, self.config, self.row.seed, self.own.name)
        return {
            each.entrant
            for each in self._rows
            if each.entrant != self.own.name and why((each.entrant,)) is None
        }

    @property
    def last_games(self) -> list[tuple[int, PairingLine]]:
        """The games that began last, the latest first, each with its round number."""
        games = self._state.games[: -LAST_GAMES - 1 : -1]
        return [(game.round, self._pairing(game)) for game in games]

    @property
    def climbs(self) -> list[ClimbLine]:
        """The latest climbs, the latest first."""
        found = climbs(self._state, self.row.seed)[: -LAST_GAMES - 1 : -1]
        return [
            ClimbLine(
                self.entrants[each.entrant],
                each.before,
                each.after,
                self._games[each.game.round, each.game.table].table.code,
            )
            for each in found
        ]

    @cached_property
    def entrants(self) -> Mapping[str, Entrant]:
        """Everybody who has ever entered, by name in the log."""
        return {each.name: each for each in self.row.entrants.select_related("guest")}

    @cached_property
    def own(self) -> Entrant | None:
        """The viewer as an entrant, or None."""
        return next((e for e in self.entrants.values() if self.viewer and e.guest == self.viewer), None)

    @property
    def is_in(self) -> bool:
        """Whether the viewer is taking part."""
        return self.own is not None and self.own.is_in and not self.own.leaving

    @property
    def is_director(self) -> bool:
        """Whether the viewer may direct it."""
        return is_director(self.row, self.viewer)

    @property
    def takes_people(self) -> bool:
        """Whether people may enter, unless the director has closed it for entry."""
        return self.row.state == Tournament.State.OPEN or may_enter_late(self.row)

    @property
    def is_for_two(self) -> bool:
        """Whether its tables have two seats."""
        return not isinstance(self.config, Tables)

    @property
    def may_return(self) -> bool:
        """Whether the format lets people return."""
        return not isinstance(self.config, Elimination)

    @property
    def is_round_robin(self) -> bool:
        """Whether it is a round robin, with or without groups."""
        return isinstance(self.config, RoundRobin)

    @property
    def has_trf(self) -> bool:
        """Whether FIDE's report format (TRF) fits: Swiss, or a round robin of one group."""
        config = self.config
        return isinstance(config, Swiss) or (isinstance(config, RoundRobin) and config.groups == 1)

    @property
    def is_log_closed(self) -> bool:
        """Whether a ladder has been closed."""
        return self._state.is_closed

    @property
    def present(self) -> list[Line]:
        """The lines of the present entrants."""
        return [line for line in self.lines if line.entrant.is_in]

    @cached_property
    def obstacle(self) -> str:
        """Why the viewer can't enter; empty if they can."""
        return translate(why_not_enter(self.row, self.viewer or Guest()))

    @cached_property
    def own_games(self) -> list[Game]:
        """The viewer's unfinished games; none if they are leaving, as the games are about to end."""
        if self.own is None or self.own.leaving:
            return []
        return [game for game in self._games.values() if not game.is_over and self._plays(game)]

    def _plays(self, game: Game) -> bool:
        assert self.own is not None
        return self.own.name in self._state.game(game.round.number, game.number).seats

    @property
    def tie_breaks(self) -> list[TieBreakText]:
        """The tie-breaks in words, in order of precedence."""
        return [TIE_BREAKS[name] for name in self.config.tie_breaks]

    @property
    def has_groups(self) -> bool:
        """Whether standings are shown by group."""
        return isinstance(self.config, RoundRobin) and self.config.groups > 1

    @cached_property
    def lines(self) -> list[Line]:
        """The overall standings."""
        return list(self._of_all.lines)

    @cached_property
    def crosstables(self) -> list[Crosstable]:
        """The standings: one table, or one for each group and one for the final."""
        if self._state.rounds and isinstance(self.config, RoundRobin) and self.config.groups > 1:
            return self._tables.of_groups(self._rows, self.config, self.row.seed, self._knockout)
        return [self._of_all]

    @cached_property
    def _of_all(self) -> Crosstable:
        if isinstance(self.config, Elimination) and self._knockout:
            return self._tables.of_knock_out("", self._rows, self._knockout)
        return self._tables.by_rounds("", self._rows, () if self.is_ladder else self._state.rounds)

    @property
    def has_crosstable(self) -> bool:
        """Whether there are columns for rounds or opponents."""
        return any(table.columns for table in self.crosstables)

    @property
    def brackets(self) -> list[BracketPart]:
        """The brackets of a knock-out, once it has begun."""
        return self._knockout.parts if self._knockout else []

    @cached_property
    def _knockout(self) -> Knockout | None:
        config, seed = self.config, self.row.seed
        if isinstance(config, Elimination):
            return Knockout.of(self._tables, self._state, config, seed) if self._state.rounds else None
        if not isinstance(config, RoundRobin) or not isinstance(config.final, Elimination):
            return None
        earlier, final = group_stage_rounds(self._state), final_log(self.log, config, seed)
        if final is None or earlier == len(self._state.rounds):
            return None
        return Knockout.of(self._tables, replay(final), config.final, seed, earlier)

    @cached_property
    def _rows(self) -> list[Row]:
        return standings(self.log, self.config, self.row.seed)

    @cached_property
    def _tables(self) -> Crosstables:
        codes = {place: game.table.code for place, game in self._games.items()}
        return Crosstables(self._state, self.entrants, codes, self.own, self.annulled)

    @cached_property
    def annulled(self) -> set[tuple[int, int]]:
        """The games that don't count because somebody left, by round and number."""
        return annulled_games(self.log, self.config, self.row.seed)

    @cached_property
    def rounds(self) -> list[RoundPart]:
        """All rounds, the latest first."""
        parts = []
        for row, played in zip(self.row.rounds.all(), self._state.rounds, strict=False):
            pairings = [self._pairing(game) for game in played.games]
            byes = [self.entrants[name] for name in played.byes]
            parts.append(RoundPart(row.number, row.ends_at, row.is_over, pairings, byes))
        return parts[::-1]

    @cached_property
    def corrections(self) -> list[LogEntry]:
        """The directors' log entries that have a reason, the latest first."""
        return list(self.row.log.exclude(reason="").select_related("by").order_by("-number"))

    @cached_property
    def _state(self) -> Replayed:
        return replay(self.log)

    @cached_property
    def _games(self) -> Mapping[tuple[int, int], Game]:
        """The games in the log, by round and number."""
        games = Game.objects.filter(round__tournament=self.row).select_related("round", "table")
        found = {(game.round.number, game.number): game for game in games}
        return {place: found[place] for place in ((game.round, game.table) for game in self._state.games)}

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
        place = game.round, game.table
        part = self._part(game.stage)
        return PairingLine(
            game.table,
            code,
            players,
            result is not None,
            game.stage,
            game.round,
            part,
            place in self.annulled,
        )

    def _part(self, stage: str) -> str:
        """The part of the tournament that a game belongs to, in words."""
        if self._knockout and isinstance(self.config, Elimination):
            return self._knockout.label(stage)
        of_final = stage.removeprefix(f"{FINAL} ")
        return self._knockout.label(of_final) if self._knockout and of_final != stage else stage_label(stage)


def participations_of(guest: Guest, most: int) -> list[Participation]:
    """The latest tournaments that a guest has played in, with the place reached."""
    begun = Entrant.objects.filter(guest=guest, tournament__rounds__number=1)
    last = begun.select_related("tournament").order_by("-tournament__begins_at", "-pk")[:most]
    return [_participation(entrant) for entrant in last]


def _participation(entrant: Entrant) -> Participation:
    row = entrant.tournament
    page = Page.of(row, None)
    line = next((line for line in page.lines if line.entrant == entrant), None)
    return Participation(
        row.name, reverse("tournament", args=[row.code]), row.begins_at, _reached(page, line) if line else ""
    )


def _reached(page: Page, line: Line) -> str:
    if page.is_ladder:
        return gettext("rank {number}").format(number=line.number)
    if page.row.is_going:
        return gettext("in progress")
    if line.place is None:
        return line.reached or gettext("withdrew before the end")
    group = stage_label(line.row.stage) if line.row.stage.startswith("group") else ""
    own = next((table.lines for table in page.crosstables if group and table.title == group), page.lines)
    said = gettext("place {place} of {count}").format(place=line.place, count=len(own))
    return ", ".join(filter(None, (group or line.reached, said)))
