"""A search for puzzles in games: from their ends backwards, as far as the solver comes within its budget."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec import Struct, convert, to_builtins

from kakomi import catalog, records
from kakomi.bots import make_bot
from kakomi.core import Game, Position
from kakomi.core.level_config import LEVELS
from kakomi.core.seeds import derived_seed
from kakomi.farm import Piece
from kakomi.records import Record
from kakomi.solve import BudgetSpentError, Prover
from kakomi.study.puzzles.proof import Reason, best_line, in_words, winning_turns
from kakomi.study.puzzles.puzzle import Puzzle, canonical_key, played, written
from kakomi.study.report.content import Cell, Section, Table, counted, player_in_words
from kakomi.study.report.games import games_of
from kakomi.study.tournament.games import Played, record_of
from kakomi.study.trials import Study

MOST_ACTIONS = 5_000
"""Of a game of bots: an endless one is left then."""


@dataclass(frozen=True)
class PlayedLine:
    """A game as it went, from its start or from a position."""

    actions: tuple[str, ...]
    start: str
    """The text of the first position; empty for the game's start."""
    source: str
    """In words."""
    seed: int

    def positions(self, game: Game) -> list[Position]:
        """At the beginning of each turn, in order; the last one is the end."""
        position = game.position(self.start) if self.start else game.start()
        found = [position]
        for action in self.actions:
            position = position.play(action)
            found += [] if position.turn else [position]
        return found


def bot_game(game: Game, bot: str | int, seed: int) -> PlayedLine:
    """A game of a bot with itself. The same arguments play the same."""
    *_, end = self_play(game, bot, seed)
    actions = tuple(game.action_texts[action] for action in end.played())
    return PlayedLine(actions, "", f"{make_bot(bot).name} with itself", seed)


def self_play(game: Game, bot: str | int, seed: int) -> Iterator[Position]:
    """Every position of a game of a bot with itself, from the start to its end, or until it is left."""
    player, position = make_bot(bot, seed=seed), game.start()
    yield position
    while not position.is_over and position.ply < MOST_ACTIONS:
        position = position.play_action(player.choose(position))
        yield position


def games_of_folder(folder: Path, game: Game, seed: int) -> Iterator[PlayedLine]:
    """The games of a folder's records and matches that are of this game, with its options.

    Raises NoGames for a folder without any.
    """
    for number, one in enumerate(games_of(folder, game)):
        record = record_of(one) if isinstance(one, Played) else one
        yield _line_of(record, game, derived_seed(seed, number))


def _line_of(record: Record, game: Game, seed: int) -> PlayedLine:
    """The main line of a record."""
    main = record.tree.main_line
    *_, end = (at for number, at in records.positions(record, game) if number in {0, *main})
    names = " – ".join(seat.name or seat.bot or "?" for seat in record.seats)
    said = ", ".join(part for part in (names, record.event, record.date) if part)
    actions = tuple(game.action_texts[action] for action in end.played())
    return PlayedLine(actions, record.position, said or "a record", seed)


MOST_OVERRUNS = 2
"""After so many positions in succession that are too much for the budget, earlier ones would be too."""


class Demands(Struct, frozen=True):
    """What a puzzle has to be."""

    level: int = 1
    """The lowest level that has to miss it, at least every second time."""
    tries: int = 8
    """How often each level is asked."""
    most_answers: int = 1
    """First turns that keep the win."""
    most_turns: int = 250
    """Turns to choose among."""
    budget: int = 1_000_000
    """Positions that the solver may look at for a puzzle."""


USUAL = Demands()


class Searched(Struct, frozen=True):
    """What was found in a game: the puzzle that the highest level misses, and why others are none."""

    puzzle: Puzzle | None
    tally: dict[str, int]
    """How many positions, by the names of reasons."""


class PuzzleStudy(Study[Searched]):
    """The puzzles in some games, the hardest of each game, no two alike but for a symmetry.

    Games of `player` with itself are looked at, or `lines`, which `source` then tells from others. Once
    `wanted` puzzles are found the search ends. Raises ValueError for a bot that there is none of, or that
    can't play the game.
    """

    name, noun, kind, suffix = "puzzles", "game", Searched, ".jsonl"

    def __init__(
        self,
        game: Game,
        count: int = 200,
        seed: int = 1,
        *,
        player: str = "2",
        source: str = "",
        lines: Sequence[PlayedLine] = (),
        wanted: int = 10**6,
        demands: Demands | Mapping[str, int] = USUAL,
    ) -> None:
        make_bot(player).check(game)
        super().__init__(game, min(count, len(lines)) if lines else count, seed)
        self.player, self.source, self.lines, self.wanted = player, source, lines, wanted
        self.demands = convert(demands, Demands, from_attributes=True)

    @property
    def terms(self) -> Mapping[str, Any]:
        """Where is looked for what."""
        return {"player": self.player, "source": self.source, "demands": to_builtins(self.demands)}

    @property
    def bots(self) -> Sequence[str]:
        """Who plays the games."""
        return (self.player,)

    def piece(self, number: int) -> Piece[Searched]:
        """A game, to be played or at hand."""
        options, demands = dict(self.game.options), self.demands
        if self.lines:
            arguments: tuple[Any, ...] = (self.game.name, options, demands, self.lines[number])
            return Piece(f"game {number + 1}", search_line, arguments)
        own = derived_seed(self.seed, number)
        arguments = (self.game.name, options, demands, self.player)
        return Piece(f"game {number + 1}", search_bot_game, arguments, own)

    def is_enough(self) -> bool:
        """Whether enough were found in games that all earlier ones are done of: the same on any machine."""
        return len(self.puzzles) >= self.wanted

    @property
    def puzzles(self) -> list[Puzzle]:
        """Those that are wanted; of some that are alike the first."""
        found: dict[bytes, Puzzle] = {}
        for place, (number, result) in enumerate(self.trials):
            if number > place:
                break
            if result.puzzle:
                found.setdefault(canonical_key(result.puzzle.shown()), result.puzzle)
        return list(found.values())[: self.wanted]

    def written(self) -> str:
        """A line of JSON for each, as in `puzzles.jsonl` beside a game's rules."""
        return "".join(f"{written(puzzle)}\n" for puzzle in self.puzzles)

    def chapter(self) -> Section:
        """The puzzles, with the levels that miss them."""
        tally = Counter[Reason]()
        for result in self.results:
            tally.update({Reason[name]: count for name, count in result.tally.items()})
        rows = tuple(
            tuple(
                map(Cell, (one.at, ", or ".join(one.answers), str(one.level), f"{one.misses} of {one.tries}"))
            )
            for one in self.puzzles
        )
        source = self.source or f"{player_in_words(self.player)} with itself"
        none = f" Positions that are none: {in_words(tally)}." if tally else ""
        return Section(
            key=f"study-{self.digest:08x}",
            title=f"Puzzles in {counted(len(self.results))} of {source}",
            group="studies",
            finding=f"{counted(len(rows), 'puzzle')} found.{none}",
            means="Positions with a proven win, and the only turns that keep it. Each is told with the "
            "highest level that misses the win at least every second time.",
            not_means="A puzzle that weak bots miss is not hard for people by that alone.",
            figures=(Table("Found", ("position", "answer", "level", "misses"), rows),) if rows else (),
        )


def search_bot_game(
    name: str, options: Mapping[str, int], demands: Demands, player: str, *, seed: int
) -> Searched:
    """Let a bot play a game with itself, and look for a puzzle in it. The same arguments find the same."""
    game = catalog.game(name, **options)
    return _searched(bot_game(game, player, seed), game, demands)


def search_line(name: str, options: Mapping[str, int], demands: Demands, line: PlayedLine) -> Searched:
    """Look for a puzzle in a game."""
    return _searched(line, catalog.game(name, **options), demands)


class _Candidate(Struct, frozen=True):
    """A position with wins to miss, and the highest level that misses them."""

    position: Position
    answers: list[tuple[str, ...]]
    level: int
    misses: int


def _searched(line: PlayedLine, game: Game, demands: Demands) -> Searched:
    """The puzzle that the highest level misses; of several the one missed most, then the first."""
    found: list[_Candidate] = []
    tally, seen, overruns = Counter[Reason](), set[bytes](), 0
    for position in reversed(line.positions(game)):
        if position.is_over or (key := canonical_key(position)) in seen:
            continue
        seen.add(key)
        try:
            candidate = _candidate_at(position, demands, line.seed)
        except BudgetSpentError:
            tally[Reason.OVER_BUDGET] += 1
            overruns += 1
            if overruns == MOST_OVERRUNS:
                break
            continue
        overruns = 0
        if isinstance(candidate, Reason):
            tally[candidate] += 1
        else:
            found.append(candidate)
    hardest = max(reversed(found), key=lambda candidate: (candidate.level, candidate.misses), default=None)
    puzzle = _puzzle_of(hardest, line, demands.tries) if hardest else None
    return Searched(puzzle, {reason.name: count for reason, count in tally.items()})


def _candidate_at(position: Position, demands: Demands, seed: int) -> _Candidate | Reason:
    """Raises BudgetSpentError."""
    prover = Prover(position, demands.budget)
    answers = winning_turns(position, demands.most_turns, demands.most_answers, prover)
    if isinstance(answers, Reason):
        return answers
    hardest = hardest_level(position, answers, demands.level, demands.tries, seed)
    return _Candidate(position, answers, *hardest) if hardest else Reason.FOUND_BY_BOTS


def _puzzle_of(candidate: _Candidate, line: PlayedLine, tries: int) -> Puzzle:
    """With its line, which is often more work than the proof."""
    position, answer = candidate.position, candidate.answers[0]
    texts = position.game.action_texts
    best = best_line(played(position, " ".join(answer)), position.to_move)
    return Puzzle(
        game=position.game.name,
        options=dict(position.game.options),
        position=line.start,
        before=" ".join(texts[action] for action in position.played()),
        at=str(position),
        seat=position.to_move,
        answers=tuple(" ".join(turn) for turn in candidate.answers),
        line=" ".join((*answer, *best)),
        level=candidate.level,
        misses=candidate.misses,
        tries=tries,
        source=line.source,
        seed=line.seed,
    )


def misses_of_level(
    begun: Position, answers: list[tuple[str, ...]], level: int, tries: int, seed: int
) -> int:
    """How often a level's turn is none of the answers, in so many tries with seeds of their own."""
    right = {played(begun, " ".join(answer)).key() for answer in answers}
    return sum(_turn_of(begun, level, derived_seed(seed, level, n)).key() not in right for n in range(tries))


def hardest_level(
    begun: Position, answers: list[tuple[str, ...]], lowest: int, tries: int, seed: int
) -> tuple[int, int] | None:
    """The highest level that misses the win at least every second time, and how often it does.

    Levels are asked from the lowest up to the first that finds it more often; None if that is the lowest.
    """
    found = None
    for level in range(lowest, LEVELS + 1):
        misses = misses_of_level(begun, answers, level, tries, seed)
        if 2 * misses < tries:
            break
        found = level, misses
    return found


def _turn_of(begun: Position, level: int, seed: int) -> Position:
    """The position after the turn that a level plays."""
    bot, position = make_bot(level, seed=seed), begun
    while True:
        position = position.play_action(bot.choose(position))
        if position.is_between_turns:
            return position
