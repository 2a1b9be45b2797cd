"""Standings and results for pages: lines, pairings, crosstables and knock-out brackets."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext

from kakomi.bots import make_bot
from kakomi.contest.tournament import Elimination, RoundRobin, Row, group_rankings
from kakomi.contest.tournament import Tournament as Replayed
from kakomi.contest.tournament.knockout import UNKNOWN, Bracket, Place, Tie, walk
from kakomi.contest.tournament.log import Game as Played
from kakomi.contest.tournament.log import PlayedRound
from kakomi.contest.tournament.round_robin import FINAL, group_stage_rounds
from kakomi.server.tournaments.models import Entrant
from kakomi.server.tournaments.wording import LEAVING, knock_out_label, points_label, stage_label


@dataclass(frozen=True)
class Cell:
    """An entrant's result in a round, or against an opponent."""

    text: str
    description: str
    """The result in words."""
    code: str = ""
    """The table's code."""
    annulled: str = ""
    """Why the game doesn't count; empty if it does."""


@dataclass(frozen=True)
class Line:
    """An entrant in the standings, with their cell in each column of the table."""

    number: int
    """From 1, in the order of the table."""
    row: Row
    entrant: Entrant
    cells: Sequence[Cell]
    is_own: bool
    reached: str = ""
    """In a knock-out: the round in which they were knocked out, or that they are still in or have won."""
    place: int | None = None
    """The place shown; None for entrants who left early or are still in a knock-out."""

    @property
    def bot(self) -> str:
        """The name of a bot of the site; empty for a guest."""
        return bot_name(self.entrant)

    @property
    def points(self) -> str:
        """The points as text."""
        return points_label(self.row.points)

    @property
    def tie_breaks(self) -> list[str]:
        """The tie-breaks as text."""
        return [points_label(value) for value in self.row.tie_breaks]

    @property
    def status(self) -> str:
        """Why they have left; empty if they haven't."""
        return str(LEAVING.get(self.entrant.leaving, ""))


@dataclass(frozen=True)
class Player:
    """An entrant at a table, with their result."""

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
    round: int
    part: str
    """The part of the tournament it belongs to, in words."""
    is_annulled: bool = False
    """Whether it doesn't count because somebody left."""

    @property
    def running_number(self) -> str:
        """A unique number for ladders, whose rounds aren't shown."""
        return f"{self.round}-{self.number}"


@dataclass(frozen=True)
class RoundPart:
    """A round on the page."""

    number: int
    ends_at: float
    is_over: bool
    pairings: Sequence[PairingLine]
    byes: Sequence[Entrant]


@dataclass(frozen=True)
class ClimbLine:
    """An entrant's climb on a ladder from one rung to another by a game."""

    entrant: Entrant
    before: int
    after: int
    code: str
    """The table's code."""

    @property
    def bot(self) -> str:
        """The name of a bot of the site; empty for a guest."""
        return bot_name(self.entrant)


@dataclass(frozen=True)
class Side:
    """One side of a match of a bracket."""

    entrant: Entrant | None
    """None for a bye, or while the preceding match is undecided."""
    cells: Sequence[Cell] = ()
    """Their results in the games of the match."""
    is_winner: bool = False
    is_bye: bool = False

    @property
    def bot(self) -> str:
        """The name of a bot of the site; empty for a guest."""
        return bot_name(self.entrant) if self.entrant else ""


@dataclass(frozen=True)
class BracketColumn:
    """A round of a bracket, or its winner: matches from top to bottom, each with its sides."""

    title: str
    matches: Sequence[Sequence[Side]]
    """A match that nobody reaches has no sides."""


@dataclass(frozen=True)
class BracketPart:
    """A drawn bracket."""

    title: str
    """Empty if it is the only one."""
    columns: Sequence[BracketColumn]


def display_name(entrant: Entrant) -> str:
    """An entrant's name in texts."""
    return bot_name(entrant) or str(entrant.guest)


def bot_name(entrant: Entrant) -> str:
    """The name of a bot of the site; empty for a guest."""
    return make_bot(entrant.bot).name if entrant.bot else ""


@dataclass(frozen=True)
class Crosstable:
    """Standings with individual results."""

    title: str
    """The part of the tournament it covers; empty for the whole."""
    columns: Sequence[tuple[int, str]]
    """The number at the head of each result column, and its meaning."""
    lines: Sequence[Line]
    is_knock_out: bool = False
    """Whether it shows the round reached instead of points."""


@dataclass(frozen=True)
class Crosstables:
    """Builds the crosstables of a tournament, with a link to each game. Cells refer to entrants by number."""

    state: Replayed
    entrants: Mapping[str, Entrant]
    """By their names in the log."""
    codes: Mapping[tuple[int, int], str]
    """The table codes, by round and number."""
    own: Entrant | None
    annulled: Collection[tuple[int, int]] = ()
    """The games that don't count, by round and number."""

    def of_groups(
        self, rows: Sequence[Row], config: RoundRobin, seed: int, final: "Knockout | None"
    ) -> list[Crosstable]:
        """A table of each group, and one of the final once it has begun. `rows` are the overall standings."""
        until = group_stage_rounds(self.state)
        found = [
            self.by_opponents(stage_label(f"group {number}"), group, self.state.rounds[:until])
            for number, group in enumerate(group_rankings(self.state, config, seed), start=1)
        ]
        finalists = [row for row in rows if row.stage.startswith(FINAL)]
        if finalists and final is None:
            found.append(self.by_opponents(stage_label(FINAL), finalists, self.state.rounds[until:]))
        elif finalists and final is not None:
            found.append(self.of_knock_out(stage_label(FINAL), finalists, final))
        return found

    def by_rounds(self, title: str, rows: Sequence[Row], rounds: Sequence[PlayedRound]) -> Crosstable:
        """A table with a column for each round."""
        said = gettext("round {number}")
        columns = [(number, said.format(number=number)) for number in range(1, len(rounds) + 1)]
        return Crosstable(
            title, columns, self._lines(rows, lambda name: [self._of_round(name, each) for each in rounds])
        )

    def by_opponents(self, title: str, rows: Sequence[Row], rounds: Sequence[PlayedRound]) -> Crosstable:
        """A table with a column for each entrant in it, ordered by number."""
        games = [game for played in rounds for game in played.games]
        names = sorted((row.entrant for row in rows), key=lambda name: self.entrants[name].number)
        columns = [(self.entrants[name].number, display_name(self.entrants[name])) for name in names]
        return Crosstable(
            title,
            columns,
            self._lines(rows, lambda name: [self._against(name, other, games) for other in names]),
        )

    def of_knock_out(self, title: str, rows: Sequence[Row], knockout: "Knockout") -> Crosstable:
        """A table that shows the round that everybody reached."""
        lines = self._lines(rows, lambda name: [])
        return Crosstable(title, [], [knockout.with_reached(line) for line in lines], is_knock_out=True)

    def _lines(self, rows: Sequence[Row], cells: Callable[[str], Sequence[Cell]]) -> list[Line]:
        return [
            Line(
                number,
                row,
                self.entrants[row.entrant],
                cells(row.entrant),
                self.entrants[row.entrant] == self.own,
                place=row.place,
            )
            for number, row in enumerate(rows, start=1)
        ]

    def _of_round(self, name: str, played: PlayedRound) -> Cell:
        game = next((game for game in played.games if name in game.seats), None)
        if game is not None:
            return self.of_game(game, name)
        if name in played.byes:
            return Cell(gettext("bye"), gettext("sits out"))
        return Cell("", gettext("not paired"))

    def of_game(self, game: Played, name: str) -> Cell:
        """An entrant's result of a game: `+4` is a win against number 4; brackets mean it wasn't played."""
        others = [self.entrants[other] for other in game.seats if other != name]
        numbers = ", ".join(str(other.number) for other in others)
        seat, result = game.seats.index(name), game.result
        if result is None:
            text = f"… {numbers}"
        elif len(game.seats) > 2:
            text = f"– ({numbers})" if seat in result.absent else f"{result.places[seat]}. ({numbers})"
        else:
            text = f"{_SIGNS[_score(game, seat)]}{numbers}"
            text = f"({text})" if result.absent else text
        return self._cell(text, game, name)

    def of_match(self, game: Played, name: str) -> Cell:
        """An entrant's points in a game of a match."""
        return self._cell(_score(game, game.seats.index(name)), game, name)

    def _cell(self, text: str, game: Played, name: str) -> Cell:
        said = self._result_in_words(game, name)
        why = ""
        if (game.round, game.table) in self.annulled:
            gone = [
                display_name(self.entrants[each])
                for each in game.seats
                if not self.state.participants[each].is_present
            ]
            why = gettext("not counted: {names} withdrew before playing half of their games").format(
                names=", ".join(gone)
            )
            said = f"{said}; {why}"
        return Cell(text, said, self.codes[game.round, game.table], why)

    def _result_in_words(self, game: Played, name: str) -> str:
        """An entrant's result of a game, in words."""
        seat, result = game.seats.index(name), game.result
        others = ", ".join(display_name(self.entrants[other]) for other in game.seats if other != name)
        if result is None:
            said = gettext("plays against {others}")
        elif seat in result.absent:
            said = gettext("didn’t show up against {others}")
        elif len(game.seats) > 2:
            said = gettext("place {place} against {others}")
        elif result.absent:
            said = gettext("won by forfeit: {others} didn’t show up")
        else:
            said = {
                "1": gettext("won against {others}"),
                "½": gettext("drew with {others}"),
                "0": gettext("lost to {others}"),
            }[_score(game, seat)]
        return said.format(others=others, place=result.places[seat] if result else "")

    def _against(self, name: str, other: str, games: Sequence[Played]) -> Cell:
        """All games of two entrants of a group, usually one. The link leads to the last."""
        if name == other:
            return Cell("×", gettext("same player"))
        own = [game for game in games if {name, other} <= set(game.seats)]
        if not own:
            return Cell("", gettext("still to play"))
        cells = [self.of_match(game, name) for game in own]
        return replace(
            cells[-1],
            text=" ".join(cell.text for cell in cells),
            description=", ".join(cell.description for cell in cells),
        )


@dataclass(frozen=True)
class Knockout:
    """Draws the brackets of a knock-out or a knock-out final."""

    tables: Crosstables
    bracket: Bracket
    config: Elimination
    earlier: int
    """The number of rounds played before it began."""

    @staticmethod
    def of(
        tables: Crosstables, state: Replayed, config: Elimination, seed: int, earlier: int = 0
    ) -> "Knockout":
        """The current state of the knock-out."""
        return Knockout(tables, walk(state, config, seed), config, earlier)

    @property
    def parts(self) -> list[BracketPart]:
        """The bracket; with two losses, the main bracket, the second one and the final."""
        winner = BracketColumn(gettext("Winner"), [[self._side(self.bracket.champion or UNKNOWN)]])
        columns = {
            stage: self._column(stage) for stage in dict.fromkeys(tie.stage for tie in self.bracket.ties)
        }
        main, second, last = (
            [column for stage, column in columns.items() if stage.startswith(name)]
            for name in ("winners", "losers", "final")
        )
        if self.config.losses == 1:
            return [BracketPart("", [*main, winner])]
        parts = [
            BracketPart(gettext("Main bracket"), main),
            BracketPart(gettext("Second bracket"), second),
            BracketPart(gettext("Final"), [*last, winner]),
        ]
        return [part for part in parts if part.columns]

    def label(self, stage: str) -> str:
        """The name of a stage."""
        if self.config.losses == 2:
            return stage_label(stage)
        return knock_out_label(sum(tie.stage == stage for tie in self.bracket.ties))

    def with_reached(self, line: Line) -> Line:
        """A line of the standings with the round reached."""
        name = line.row.entrant
        if name == self.bracket.champion:
            return replace(line, reached=gettext("Winner"))
        if name in self.bracket.out_in:
            return replace(line, reached=self.label(self.bracket.out_in[name]))
        if name in self.bracket.seeds:
            return replace(line, reached=gettext("still in"), place=None)
        return line

    def _column(self, stage: str) -> BracketColumn:
        title = self.label(stage)
        if self.config.losses == 2 and not stage.startswith("final"):
            title = gettext("Round {number}").format(number=stage.rsplit(maxsplit=1)[-1])
        ties = [tie for tie in self.bracket.ties if tie.stage == stage]
        return BracketColumn(title, [self._match(tie) for tie in ties])

    def _match(self, tie: Tie) -> list[Side]:
        if tie.sides == (None, None):
            return []
        return [self._side(side, tie) for side in tie.sides]

    def _side(self, side: Place, tie: Tie | None = None) -> Side:
        if not isinstance(side, str):
            return Side(None, is_bye=side is None)
        entrant = self.tables.entrants[side]
        if tie is None:
            return Side(entrant)
        games = [replace(game, round=game.round + self.earlier) for game in tie.games]
        cells = [self.tables.of_match(game, side) for game in games]
        if tie.winner and not cells and all(isinstance(each, str) for each in tie.sides):
            is_winner = tie.winner == side
            cells = [Cell("+" if is_winner else "–", gettext("no game"))]
        return Side(entrant, cells, tie.winner == side)


_SIGNS = {"1": "+", "½": "=", "0": "−", "–": "−"}


def _score(game: Played, seat: int) -> str:
    """A seat's points in a game for two: … while it is in progress, – if its player was absent."""
    if game.result is None:
        return "…"
    if seat in game.result.absent:
        return "–"
    place = game.result.places[seat]
    return "½" if game.result.places.count(place) > 1 else "1" if place == 1 else "0"
