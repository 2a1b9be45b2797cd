"""The value of each seat between equals, and how repairs change it (docs/seats.md): each seat's share of the
win, and the first seat's margin.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import msgspec

from kakomi import catalog
from kakomi.bots import LevelBot, SearchBot, make_bot
from kakomi.core import Game, Position
from kakomi.core.known_results import nearest_komi
from kakomi.core.returns import chance_of
from kakomi.core.seeds import derived_seed
from kakomi.farm import Piece
from kakomi.openings import TurnClasses
from kakomi.records.replay import texts
from kakomi.search import Search
from kakomi.study.matches import PATIENCE_SECONDS, Pairing, Played, check_entrant, play, schedule
from kakomi.study.matches.playing import COMMAND
from kakomi.study.report.content import (
    Cell,
    Number,
    Section,
    Table,
    counted,
    in_words,
    options_in_words,
    p_in_words,
    player_in_words,
)
from kakomi.study.report.estimates import Estimate, holm, mean, p_value, share
from kakomi.study.trials import Study


@dataclass(frozen=True)
class Decision:
    """The second player's choice whether to swap."""

    swaps: bool
    becomes: int
    """The seat that they play from then on."""


def decide(played: Played) -> Decision | None:
    """Whether the second player would take over the first turn: if their search expects less than half the
    win from the best answer. None if nothing was searched, or the game ended before."""
    position = start_of(played)
    first, ply = 0, 0
    while not position.is_over and position.to_move == first and ply < len(played.actions):
        position = position.play(played.actions[ply])
        ply += 1
    if played.chances is msgspec.UNSET or ply >= len(played.chances):
        return None
    chances = played.chances[ply]
    if chances is None:
        return None
    second = 1 - first
    swaps = chances[second] < 0.5
    return Decision(swaps, first if swaps else second)


def start_of(played: Played) -> Position:
    """The position that a game began at."""
    game, text = played.pairing.found_game, played.pairing.position
    return game.position(text) if text else game.start()


@dataclass(frozen=True)
class SeatFigures:
    """A seat's share of the win, and the p-value of its difference from an equal share."""

    name: str
    share: Estimate
    p: float
    """Corrected by Holm's method for all tests made together."""


@dataclass(frozen=True)
class RepairFigures:
    """The effect of a repair on a board."""

    name: str
    """Such as `komi 4`, `swap` or `match of two`."""
    share: Estimate | None
    """The first player's share of the win; None if seats are exchanged, which makes the shares equal."""
    p: float
    """As for `SeatFigures`."""
    level: Estimate
    """The share of games or matches that are drawn."""
    taken: Estimate | None = None
    """How often the second player took over the first turn."""
    level_by_wins: Estimate | None = None
    """The share of matches that would be drawn if games won counted instead of points."""
    first_turn: str = ""
    """The turn that games begin with."""
    side: Estimate | None = None
    """The share of the win for the side that made that turn, whoever plays it; one half if it is even."""


@dataclass(frozen=True)
class BoardFigures:
    """The statistics of a board's games."""

    game: Game
    games: int
    seats: tuple[SeatFigures, ...]
    """For two players, only the first seat: the second has the rest."""
    margin: Estimate
    """The first seat's final score less the best other score."""
    level: Estimate
    """The share of games without a sole winner."""
    repairs: tuple[RepairFigures, ...] = ()


def board_figures(
    game: Game, played: Sequence[Played], repairs: Sequence[RepairFigures] = ()
) -> BoardFigures:
    """The statistics of a board, with uncorrected p-values. Raises ValueError without games."""
    told = range(1 if game.players == 2 else game.players)
    return BoardFigures(
        game=game,
        games=len(played),
        seats=tuple(_seat(game, played, seat) for seat in told),
        margin=_found(mean(_values(played, first_margin))),
        level=level_share(played),
        repairs=tuple(repairs),
    )


def corrected(boards: Sequence[BoardFigures]) -> tuple[BoardFigures, ...]:
    """The boards with p-values corrected by Holm's method: over all seats of all boards, and separately over
    all repairs."""
    seats = iter(holm([seat.p for board in boards for seat in board.seats]))
    repairs = iter(holm([one.p for board in boards for one in board.repairs if one.share]))
    return tuple(
        replace(
            board,
            seats=tuple(replace(seat, p=next(seats)) for seat in board.seats),
            repairs=tuple(replace(one, p=next(repairs)) if one.share else one for one in board.repairs),
        )
        for board in boards
    )


def first_margin(played: Played) -> float:
    """The first seat's score less the best of the others."""
    first, *others = played.scores
    return float(first - max(others))


def level_share(played: Sequence[Played]) -> Estimate:
    """The share of games without a sole winner."""
    return _found(share(_values(played, lambda one: float(len(one.winners) > 1))))


def other_option(name: str, played: Sequence[Played]) -> RepairFigures:
    """The effect of an option on the first seat's share, from games played with it."""
    first = _found(share(_values(played, lambda one: one.shares[0])))
    return RepairFigures(name, first, p_value(first, 0.5), level_share(played))


def swap(name: str, played: Sequence[Played], first_turn: str = "") -> RepairFigures | None:
    """The effect of letting the second player take over the first turn, with the games unchanged; None if
    nothing was searched.

    Equal players play either side alike, so a game's result belongs to whoever has the seat after the swap.
    `first_turn` names the first turn if games begin at the position after it.
    """
    decided = [(one, decision) for one in played if (decision := decide(one)) is not None]
    if not decided:
        return None
    first = _found(share((_block(one), 1 - one.shares[decision.becomes], 1.0) for one, decision in decided))
    taken = _found(share((_block(one), float(decision.swaps), 1.0) for one, decision in decided))
    games = [one for one, _ in decided]
    side = _found(share(_values(games, lambda one: one.shares[0]))) if first_turn else None
    return RepairFigures(
        name, first, p_value(first, 0.5), level_share(games), taken, first_turn=first_turn, side=side
    )


def match_of_two(name: str, played: Sequence[Played]) -> RepairFigures | None:
    """How often a match of two games with seats exchanged is drawn, from pairs of games; None without a pair.

    The first player of the first game scores its margin less that of the second (RULES N11).
    """
    pairs = list(pairwise(played))[::2]
    if not pairs:
        return None

    def level(value: Callable[[Played], float]) -> Estimate:
        return _found(share((_block(one), float(value(one) == value(other)), 1.0) for one, other in pairs))

    by_wins = level(lambda one: one.shares[0])
    return RepairFigures(name, None, 1.0, level(first_margin), level_by_wins=by_wins)


def _seat(game: Game, played: Sequence[Played], seat: int) -> SeatFigures:
    found = _found(share(_values(played, lambda one: one.shares[seat])))
    return SeatFigures(game.player_names[seat], found, p_value(found, 1 / game.players))


def _values(played: Sequence[Played], value: Callable[[Played], float]) -> list[tuple[str, float, float]]:
    """A game's value in a block of its own: games of equals from the start are independent."""
    return [(_block(one), value(one), 1.0) for one in played]


def _block(played: Played) -> str:
    return str(played.pairing.number)


def _found(estimate: Estimate | None) -> Estimate:
    if estimate is None:
        raise ValueError("there is no game to tell anything from")
    return estimate


BOARD, MATCH, SWAP, FORESEEN = "board", "match of two", "swap", "swap, foreseen"
SIMULATIONS = 5_000
"""Simulations per first turn in the search for the most even one."""
MOST_TURNS = 400
"""The most even first turn isn't searched for among more than this, which would take too long."""


@dataclass(frozen=True)
class Sample:
    """Games of a bot against itself on one board: the study's own board, or a repair."""

    name: str
    game: Game


class SeatStudy(Study[Played]):
    """The value of each seat of a board between equals, from `games` games, and as many for each repair that
    needs its own games.

    Games begin at the start, or at `position`: random openings are selected to be balanced, which would hide
    the value of moving first. A two-player board played from its start has repairs: a komi if the fair one is
    known, the options in `tried`, a swap, and a match of two games with seats exchanged. For bots that
    search, the swap is evaluated twice: on games whose first player doesn't foresee it, and on games that
    begin with the turn that a search finds most even.

    Raises ValueError if the bot doesn't exist or can't play, if the position is invalid or its game over, or
    if the game has no such options.
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
        """The bot, the position that games begin at, and the options tried."""
        return {"bot": self.bot, "position": self.position, "tried": self.tried}

    @property
    def bots(self) -> Sequence[str]:
        """The bot that plays against itself."""
        return (self.bot,)

    def piece(self, number: int) -> Piece[Played]:
        """The work of playing one game; numbers alternate between samples."""
        place, sample = divmod(number, len(self.samples))
        pairing = self._pairings[sample][place]
        return Piece(f"game {number + 1}", play, (pairing, PATIENCE_SECONDS, True))

    def played(self, name: str) -> list[Played]:
        """The games of a sample, without forfeits."""
        names = [sample.name for sample in self.samples]
        return [
            one
            for number, one in self.trials
            if names[number % len(names)] == name and one.reason != "forfeit"
        ]

    def figures(self) -> BoardFigures:
        """The statistics of the games, with uncorrected p-values. Raises ValueError without games."""
        board = self.played(BOARD)
        told: list[RepairFigures | None] = []
        if self._can_be_repaired(self.game):
            told += [self._of_repair(sample.name) for sample in self.samples[1:] if sample.name != FORESEEN]
            told += [swap(SWAP, board), self._foreseen_swap(), match_of_two(MATCH, board)]
        return board_figures(self.game, board, [one for one in told if one])

    def chapter(self) -> Section:
        """The value of each seat, and the effect of repairs, as a report section."""
        return self.chapters([self])[0]

    @classmethod
    def chapters(cls, studies: Sequence[Self]) -> list[Section]:
        """The sections of several boards, with p-values corrected together."""
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
        """The samples of repairs that need their own games."""
        if not self._can_be_repaired(game):
            return []
        found = [
            Sample(options_in_words(changed), catalog.game(game.name, **{**game.options, **changed}))
            for changed in [*_fair_komi(game), *self.tried]
        ]
        return [*found, *([Sample(FORESEEN, game)] if _searches(self.bot) and _can_be_listed(game) else [])]

    @cached_property
    def _pairings(self) -> list[list[Pairing]]:
        """The schedule of each sample, each with its own seed."""
        return [self._schedule(sample) for sample in self.samples]

    def _schedule(self, sample: Sample) -> list[Pairing]:
        position = self._most_even if sample.name == FORESEEN else self.position
        own = derived_seed(self.seed, "seats", self.bot, position, *sample.game.options.items())
        entrants = [self.bot] * sample.game.players
        found = schedule(sample.game, entrants, self.count // len(self.samples), seed=own, opening_plies=0)
        return [msgspec.structs.replace(pairing, position=position) for pairing in found]

    @property
    def _most_even(self) -> str:
        """The position after the most even first turn, taken from the games if there are any."""
        games = self.played(FORESEEN)
        return games[0].pairing.position if games else str(most_even_turn(self.game, self.seed))


def first_turns(game: Game) -> list[Position]:
    """The positions after each first turn, one for each class of symmetric turns.

    Raises ValueError if there are more than `MOST_TURNS`.
    """
    if not _can_be_listed(game):
        raise ValueError(
            f"{game.name} has more than {MOST_TURNS} first turns: the most even is not looked for"
        )
    classes = TurnClasses(game)
    return [classes.after(one.turn) for one in classes.all or ()]


def most_even_turn(game: Game, seed: int) -> Position:
    """The position after the most even first turn, by a search of `SIMULATIONS` simulations for each. Raises
    ValueError as `first_turns` does."""
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
    """Whether a bot searches, and so gives its expected share of the win."""
    return not bot.startswith(COMMAND) and isinstance(make_bot(bot), SearchBot | LevelBot)


def _fair_komi(game: Game) -> list[Mapping[str, int]]:
    """The allowed komi nearest to the fair one, if that is known and no komi is set."""
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
