"""What each seat is worth among equals, and what repairs make of it (docs/seats.md): each seat's share of the
win, and the first one's margin.
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
from kakomi.records.replay import texts
from kakomi.search import Search
from kakomi.study.first_turns import TurnClasses
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
from kakomi.study.tournament import PATIENCE_SECONDS, Pairing, Played, check_entrant, play, schedule
from kakomi.study.tournament.playing import COMMAND
from kakomi.study.trials import Study


@dataclass(frozen=True)
class Decision:
    """What a second player who may swap does in a game."""

    swaps: bool
    becomes: int
    """Whose part they play from then on."""


def decide(played: Played) -> Decision | None:
    """Whether the second player would take over the first turn: if their search expects less than a half from
    the best answer. None where nothing was searched, or the game ended before."""
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
    """The first position of a game."""
    game, text = played.pairing.found_game, played.pairing.position
    return game.position(text) if text else game.start()


@dataclass(frozen=True)
class SeatFigures:
    """A seat's share of the win, and how often chance alone leads so far from an equal one."""

    name: str
    share: Estimate
    p: float
    """Corrected by Holm's method for all that is tested with it."""


@dataclass(frozen=True)
class RepairFigures:
    """What a repair makes of a board."""

    name: str
    """Such as `komi 4`, `swap` or `match of two`."""
    share: Estimate | None
    """What whoever begins gets of the win; None where seats are exchanged, which levels them by itself."""
    p: float
    """As a seat's."""
    level: Estimate
    """The share of games, or of matches, that end level."""
    taken: Estimate | None = None
    """How often the first turn was taken over."""
    level_by_wins: Estimate | None = None
    """The share of matches that would end level if games won counted in place of points."""
    first_turn: str = ""
    """The turn that is begun with."""
    side: Estimate | None = None
    """What the side of that turn gets of the win, whoever plays it; a half if it is even."""


@dataclass(frozen=True)
class BoardFigures:
    """The games of a board, and what they tell."""

    game: Game
    games: int
    seats: tuple[SeatFigures, ...]
    """Of two players the first one alone: the other has the rest."""
    margin: Estimate
    """By how many points the first seat ends ahead of the best other one."""
    level: Estimate
    """The share of games that nobody wins alone."""
    repairs: tuple[RepairFigures, ...] = ()


def board_figures(
    game: Game, played: Sequence[Played], repairs: Sequence[RepairFigures] = ()
) -> BoardFigures:
    """The figures of a board; p-values are not corrected yet. Raises ValueError without games."""
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
    """The same with p-values corrected by Holm's method: those of all seats of all boards together, and those
    of all repairs together."""
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
    """By how many points the first seat ends ahead of the best of the others."""
    first, *others = played.scores
    return float(first - max(others))


def level_share(played: Sequence[Played]) -> Estimate:
    """The share of games that nobody wins alone."""
    return _found(share(_values(played, lambda one: float(len(one.winners) > 1))))


def other_option(name: str, played: Sequence[Played]) -> RepairFigures:
    """What the first seat gets in games with another option."""
    first = _found(share(_values(played, lambda one: one.shares[0])))
    return RepairFigures(name, first, p_value(first, 0.5), level_share(played))


def swap(name: str, played: Sequence[Played], first_turn: str = "") -> RepairFigures | None:
    """What whoever begins gets if the second player may take over the first turn and the games stay as they
    are; None where nothing was searched.

    Equals play on alike from either side, so a game's result is that of whoever has the seat by then. Where
    the position that games begin at has the first turn on it, `first_turn` says so.
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
    """How often a match of two games with seats exchanged ends level, from games two by two; None from fewer.

    Whoever begins the first game has its margin less that of the second (RULES N11).
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
    """Games of equals from the start are independent of each other: each is a block."""
    return [(_block(one), value(one), 1.0) for one in played]


def _block(played: Played) -> str:
    return str(played.pairing.number)


def _found(estimate: Estimate | None) -> Estimate:
    if estimate is None:
        raise ValueError("there is no game to tell anything from")
    return estimate


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
        return [msgspec.structs.replace(pairing, position=position) for pairing in found]

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
