"""What each seat is worth among equals, and what repairs make of it (docs/seats.md)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from msgspec.structs import replace

from kakomi import catalog
from kakomi.bots import LevelBot, SearchBot, make_bot
from kakomi.core import Game, Position
from kakomi.core.known_results import nearest_komi
from kakomi.core.returns import chance_of
from kakomi.core.seeds import derived_seed
from kakomi.farm import Piece
from kakomi.records.replay import texts
from kakomi.search import Search
from kakomi.study.first_turns import TurnClasses
from kakomi.study.report.content import Cell, Number, Section, Table
from kakomi.study.report.wording import counted, in_words, options_in_words, p_in_words, player_in_words
from kakomi.study.seat_figures import (
    BoardFigures,
    RepairFigures,
    board_figures,
    corrected,
    match_of_two,
    other_option,
    swap,
)
from kakomi.study.tournament import PATIENCE_SECONDS, Pairing, Played, check_entrant, play, schedule
from kakomi.study.tournament.engine_player import COMMAND
from kakomi.study.trials import Study

BOARD, MATCH, SWAP, FORESEEN = "board", "match of two", "swap", "swap, foreseen"
SIMULATIONS = 5_000
"""Of the search that looks for the most even first turn, for each of them."""
MOST_TURNS = 400
"""Of more first turns none is looked for: turns of several actions would take for ever."""


@dataclass(frozen=True)
class Sample:
    """Games of a bot with itself on one board: those of the study's board, or of a repair."""

    name: str
    game: Game


class SeatStudy(Study[Played]):
    """What each seat of a board is worth among equals of one strength: `games` games, and as many for each
    repair that asks for games of its own.

    Games begin at the start, or at a `position`: random openings are drawn so that they are not one-sided,
    and would hide what being first is worth. A board for two that is begun at its start has repairs: a komi
    where the fair one is known, options that are `tried`, a swap, and a match of two games with seats
    exchanged. The swap is told twice: of games in which whoever begins knows nothing of it, and of games that
    begin with the turn that a search finds most even; neither of bots that don't search.

    Raises ValueError for a bot that there is none of or that can't play, for a position that is none or over,
    and for options that the game hasn't.
    """

    name, noun, kind = "seats", "game", Played

    def __init__(
        self,
        game: Game,
        games: int = 400,
        seed: int = 1,
        *,
        bot: str = "5",
        position: str = "",
        tried: Sequence[Mapping[str, int]] = (),
    ) -> None:
        check_entrant(bot, game)
        if position and game.position(position).is_over:
            raise ValueError("the game is over in this position: there is nothing to play")
        if tried and (position or game.players > 2):
            raise ValueError("other options are tried as repairs of games for two from their start alone")
        self.bot, self.position, self.tried = bot, position, [dict(changed) for changed in tried]
        self.samples = [Sample(BOARD, game), *self._repaired(game)]
        super().__init__(game, games * len(self.samples), seed)

    @property
    def terms(self) -> Mapping[str, Any]:
        """Who plays, where games begin, and what is tried."""
        return {"bot": self.bot, "position": self.position, "tried": self.tried}

    @property
    def bots(self) -> Sequence[str]:
        """Who plays with itself."""
        return (self.bot,)

    def piece(self, number: int) -> Piece[Played]:
        """A game; samples take turns."""
        place, sample = divmod(number, len(self.samples))
        pairing = self._pairings[sample][place]
        return Piece(f"game {number + 1}", play, (pairing, PATIENCE_SECONDS, True))

    def played(self, name: str) -> list[Played]:
        """The games of a sample, but for forfeits."""
        names = [sample.name for sample in self.samples]
        return [
            one
            for number, one in self.trials
            if names[number % len(names)] == name and one.reason != "forfeit"
        ]

    def figures(self) -> BoardFigures:
        """What the games tell; p-values are not corrected yet. Raises ValueError without games."""
        board = self.played(BOARD)
        told: list[RepairFigures | None] = []
        if self._can_be_repaired(self.game):
            told += [self._of_repair(sample.name) for sample in self.samples[1:] if sample.name != FORESEEN]
            told += [swap(SWAP, board), self._foreseen_swap(), match_of_two(MATCH, board)]
        return board_figures(self.game, board, [one for one in told if one])

    def chapter(self) -> Section:
        """What each seat gets, and what repairs make of it."""
        return self.chapters([self])[0]

    @classmethod
    def chapters(cls, studies: Sequence[Self]) -> list[Section]:
        """Those of several boards, whose p-values are corrected together."""
        boards = corrected([study.figures() for study in studies])
        return [study._chapter_of(board) for study, board in zip(studies, boards, strict=True)]

    def _chapter_of(self, board: BoardFigures) -> Section:
        player = player_in_words(self.bot)
        first = board.seats[0]
        beginning = f" from {self.position}" if self.position else ""
        numbers = (
            Number("ends level", board.level, "percent", player),
            Number(f"margin of {first.name}", board.margin, "plain", player),
        )
        shares = tuple(
            (Cell(seat.name), Cell(in_words(seat.share, "percent")), Cell(p_in_words(seat.p)))
            for seat in board.seats
        )
        repairs = tuple(map(_repair_row, board.repairs))
        columns = ("repair", "who begins gets", "p", "ends level", "")
        repaired = (Table("Repaired", columns, repairs),) if repairs else ()
        return Section(
            key=f"study-{self.digest:08x}",
            title=f"Seats in {counted(board.games)} of {player} with itself{beginning}",
            group="studies",
            finding=f"{first.name} gets {in_words(first.share, 'percent')} of the win.",
            means="What each seat gets between equals, and what whoever begins gets under repairs; draws are "
            "shared.",
            not_means="It is no value under best play, and stronger players may differ.",
            numbers=numbers,
            figures=(Table("What each seat gets", ("seat", "share of the win", "p"), shares), *repaired),
            method="p: how often chance alone leads so far from equal shares, corrected for all boards that "
            "were studied together, and apart from them for all repairs.",
        )

    def _of_repair(self, name: str) -> RepairFigures | None:
        games = self.played(name)
        return other_option(name, games) if games else None

    def _foreseen_swap(self) -> RepairFigures | None:
        games = self.played(FORESEEN)
        if not games:
            return None
        begun = self.game.position(games[0].pairing.position)
        turn = next(after for after in first_turns(self.game) if str(after) == str(begun))
        return swap(FORESEEN, games, " ".join(texts(turn)))

    def _can_be_repaired(self, game: Game) -> bool:
        return game.players == 2 and not self.position

    def _repaired(self, game: Game) -> list[Sample]:
        """The samples of repairs."""
        if not self._can_be_repaired(game):
            return []
        found = [
            Sample(options_in_words(changed), catalog.game(game.name, **{**game.options, **changed}))
            for changed in [*_fair_komi(game), *self.tried]
        ]
        return [*found, *([Sample(FORESEEN, game)] if _searches(self.bot) and _can_be_listed(game) else [])]

    @cached_property
    def _pairings(self) -> list[list[Pairing]]:
        """The schedule of each sample. Those of one study draw nothing in common."""
        return [self._schedule(sample) for sample in self.samples]

    def _schedule(self, sample: Sample) -> list[Pairing]:
        position = self._most_even if sample.name == FORESEEN else self.position
        own = derived_seed(self.seed, "seats", self.bot, position, *sample.game.options.items())
        entrants = [self.bot] * sample.game.players
        found = schedule(sample.game, entrants, self.count // len(self.samples), seed=own, opening_plies=0)
        return [replace(pairing, position=position) for pairing in found]

    @property
    def _most_even(self) -> str:
        """The position after the most even first turn: the one that games have begun with, if any have."""
        games = self.played(FORESEEN)
        return games[0].pairing.position if games else str(most_even_turn(self.game, self.seed))


def first_turns(game: Game) -> list[Position]:
    """The positions after each first turn; of those that a symmetry of the board makes alike there is one.

    Raises ValueError if there are more than `MOST_TURNS`.
    """
    if not _can_be_listed(game):
        raise ValueError(
            f"{game.name} has more than {MOST_TURNS} first turns: the most even is not looked for"
        )
    classes = TurnClasses(game)
    return [classes.after(one.turn) for one in classes.all or ()]


def most_even_turn(game: Game, seed: int) -> Position:
    """The position after the first turn that leaves both sides most alike, as a search of `SIMULATIONS` sees
    each of them. Raises ValueError as `first_turns`."""
    turns = [position for position in first_turns(game) if not position.is_over]
    return min(turns, key=lambda position: _lopsided(position, seed))


def _lopsided(position: Position, seed: int) -> float:
    game = position.game
    returns = Search(game, seed=seed).run(position, simulations=SIMULATIONS).returns
    return abs(chance_of(returns[0], game.players) - 0.5)


def _can_be_listed(game: Game) -> bool:
    found = TurnClasses(game).all
    return found is not None and len(found) <= MOST_TURNS


def _searches(bot: str) -> bool:
    """Whether a bot expects something of a position."""
    return not bot.startswith(COMMAND) and isinstance(make_bot(bot), SearchBot | LevelBot)


def _fair_komi(game: Game) -> list[Mapping[str, int]]:
    """The possible komi that is nearest to the fair one, where that is known and none is set."""
    option = game.description.komi_option
    known = game.description.fair_komi(game.options) if option else None
    if known is None or game.options[option]:
        return []
    return [{option: nearest_komi(known.fair, game.description.komi.allowed_given(game.options))}]


def _repair_row(one: RepairFigures) -> tuple[Cell, ...]:
    notes = [f"begins with {one.first_turn}"] if one.first_turn else []
    notes += [f"whose side wins {in_words(one.side, 'percent')}"] if one.side else []
    notes += [f"taken over in {in_words(one.taken, 'percent')}"] if one.taken else []
    notes += [f"by games won {in_words(one.level_by_wins, 'percent')}"] if one.level_by_wins else []
    told = (
        one.name,
        in_words(one.share, "percent") if one.share else "50 %, as made",
        p_in_words(one.p) if one.share else "–",
        in_words(one.level, "percent"),
        "; ".join(notes),
    )
    return tuple(map(Cell, told))
