"""Tables of results: by rounds, or everybody of a group against everybody."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from kakomi.contest.tournament import RoundRobin, Row, group_rankings
from kakomi.contest.tournament import Tournament as Replayed
from kakomi.contest.tournament.round_robin import FINAL, group_stage_rounds
from kakomi.contest.tournament.state import Game as Played
from kakomi.contest.tournament.state import PlayedRound
from kakomi.server.tournaments.lines import Cell, Line
from kakomi.server.tournaments.models import Entrant
from kakomi.server.tournaments.wording import stage_label

Numbers = Mapping[str, int]
"""Name in the log -> number in the table."""


@dataclass(frozen=True)
class Crosstable:
    """Standings with results."""

    title: str
    """Of which part of the tournament; empty if it is of all."""
    columns: Sequence[tuple[int, str]]
    """The number at the head of each column of results, and what it means."""
    lines: Sequence[Line]
    is_knock_out: bool = False
    """Whether points only say how far somebody came."""


@dataclass(frozen=True)
class Crosstables:
    """Makes the tables of a tournament, with a link to each game."""

    state: Replayed
    entrants: Mapping[str, Entrant]
    """By their names in the log."""
    codes: Mapping[tuple[int, int], str]
    """The codes of tables, by round and number."""
    own: Entrant | None

    def of_groups(self, rows: Sequence[Row], config: RoundRobin, seed: int) -> list[Crosstable]:
        """A table of each group, and one of the final once it has begun. `rows` are the standings of all."""
        until = group_stage_rounds(self.state)
        found = [
            self.by_opponents(stage_label(f"group {number}"), group, self.state.rounds[:until])
            for number, group in enumerate(group_rankings(self.state, config, seed), start=1)
        ]
        finalists = [row for row in rows if row.stage.startswith(FINAL)]
        title, rounds = stage_label(FINAL), self.state.rounds[until:]
        if finalists and isinstance(config.final, RoundRobin):
            found.append(self.by_opponents(title, finalists, rounds))
        elif finalists:
            found.append(self.by_rounds(title, finalists, rounds, is_knock_out=True))
        return found

    def by_rounds(
        self, title: str, rows: Sequence[Row], rounds: Sequence[PlayedRound], *, is_knock_out: bool = False
    ) -> Crosstable:
        """A table with a column for each round."""
        said = gettext("round {number}")
        columns = [(number, said.format(number=number)) for number in range(1, len(rounds) + 1)]

        def cells(name: str, numbers: Numbers) -> list[Cell]:
            return [self._of_round(name, played, numbers) for played in rounds]

        return Crosstable(title, columns, self._lines(rows, cells), is_knock_out)

    def by_opponents(self, title: str, rows: Sequence[Row], rounds: Sequence[PlayedRound]) -> Crosstable:
        """A table with a column for everybody in it."""
        said = gettext("against number {number}")
        columns = [(number, said.format(number=number)) for number in range(1, len(rows) + 1)]
        games = [game for played in rounds for game in played.games]

        def cells(name: str, numbers: Numbers) -> list[Cell]:
            return [self._against(name, other, games) for other in numbers]

        return Crosstable(title, columns, self._lines(rows, cells))

    def _lines(self, rows: Sequence[Row], cells: Callable[[str, Numbers], Sequence[Cell]]) -> list[Line]:
        numbers = {row.entrant: number for number, row in enumerate(rows, start=1)}
        return [
            Line(
                numbers[row.entrant],
                row,
                self.entrants[row.entrant],
                cells(row.entrant, numbers),
                self.entrants[row.entrant] == self.own,
            )
            for row in rows
        ]

    def _of_round(self, name: str, played: PlayedRound, numbers: Numbers) -> Cell:
        game = next((game for game in played.games if name in game.seats), None)
        if game is not None:
            return self._of_game(game, name, numbers)
        return (
            Cell(gettext("bye"), gettext("sits out"))
            if name in played.byes
            else Cell("", gettext("not paired"))
        )

    def _of_game(self, game: Played, name: str, numbers: Numbers) -> Cell:
        others = ", ".join(str(numbers.get(other, "?")) for other in game.seats if other != name)
        code = self.codes[game.round, game.table]
        if game.result is None:
            return Cell(f"… {others}", gettext("plays against {others}").format(others=others), code)
        seat = game.seats.index(name)
        if seat in game.result.absent:
            return Cell(f"– {others}", gettext("did not come, against {others}").format(others=others), code)
        place = game.result.places[seat]
        said = gettext("place {place} against {others}").format(place=place, others=others)
        if len(game.seats) > 2:
            return Cell(f"{place}. ({others})", said, code)
        return Cell(f"{_score(game, seat)} {others}", said, code)

    def _against(self, name: str, other: str, games: Sequence[Played]) -> Cell:
        """All that two of a group did: mostly one game. The link is to the last."""
        if name == other:
            return Cell("×", gettext("the same"))
        own = [game for game in games if {name, other} <= set(game.seats)]
        if not own:
            return Cell("", gettext("have yet to play"))
        scores = " ".join(_score(game, game.seats.index(name)) for game in own)
        return Cell(
            scores,
            gettext("points: {points}").format(points=scores),
            self.codes[own[-1].round, own[-1].table],
        )


def _score(game: Played, seat: int) -> str:
    """A seat's points of a game for two: … while it goes on, – for who did not come."""
    if game.result is None:
        return "…"
    if seat in game.result.absent:
        return "–"
    place = game.result.places[seat]
    return "½" if game.result.places.count(place) > 1 else "1" if place == 1 else "0"
