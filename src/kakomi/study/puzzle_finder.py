"""Find puzzles in games, working back from the end as far as the solver gets within its budget."""

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
from kakomi.puzzles import Puzzle, canonical_key, played, written
from kakomi.records import Record
from kakomi.solve import BudgetSpentError, Prover
from kakomi.study.matches.games import Played, record_of
from kakomi.study.puzzle_proof import Reason, best_line, in_words, winning_turns
from kakomi.study.report.content import Cell, Section, Table, counted, player_in_words
from kakomi.study.report.games import games_of
from kakomi.study.trials import Study

MOST_ACTIONS = 5_000
"""A game of bots is abandoned as endless after this many actions."""


@dataclass(frozen=True)
class PlayedLine:
    """The actions of a game, from its start or from a position."""

    actions: tuple[str, ...]
    start: str
    """The text of the first position; empty for the game's start."""
    source: str
    """Where the game is from, for readers."""
    seed: int

    def positions(self, game: Game) -> list[Position]:
        """The positions at the beginning of each turn, in order, and the last position."""
        position = game.position(self.start) if self.start else game.start()
        found = [position]
        for action in self.actions:
            position = position.play(action)
            found += [] if position.turn else [position]
        return found


def bot_game(game: Game, bot: str | int, seed: int) -> PlayedLine:
    """Play a game of a bot against itself. The same arguments give the same game."""
    *_, end = self_play(game, bot, seed)
    actions = tuple(game.action_texts[action] for action in end.played())
    return PlayedLine(actions, "", f"{make_bot(bot).name} with itself", seed)


def self_play(game: Game, bot: str | int, seed: int) -> Iterator[Position]:
    """Play a bot against itself, yielding every position until the end, or until `MOST_ACTIONS`."""
    player, position = make_bot(bot, seed=seed), game.start()
    yield position
    while not position.is_over and position.ply < MOST_ACTIONS:
        position = position.play_action(player.choose(position))
        yield position


def games_of_folder(folder: Path, game: Game, seed: int) -> Iterator[PlayedLine]:
    """The games of `game`, with its options, in a folder's records and matches.

    Raises NoGames if there are none.
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
"""The search of a game stops after this many successive positions over budget: earlier ones are harder."""


class Demands(Struct, frozen=True):
    """The criteria for a puzzle."""

    level: int = 1
    """The lowest level that must miss it, in at least half its tries."""
    tries: int = 8
    """The number of tries of each level."""
    most_answers: int = 1
    """The most first turns that may keep the win."""
    most_turns: int = 250
    """The most turns to choose from."""
    budget: int = 1_000_000
    """The most positions that the solver may search for a puzzle."""


USUAL = Demands()


class Searched(Struct, frozen=True):
    """What was found in a game: its hardest puzzle, and why other positions aren't puzzles."""

    puzzle: Puzzle | None
    tally: dict[str, int]
    """The name of each `Reason` → the number of positions rejected for it."""


class PuzzleStudy(Study[Searched]):
    """The hardest puzzle of each game, all different up to symmetry.

    Searches games of `player` against itself, or `lines`, which `source` then identifies. The search ends
    after `wanted` puzzles. Raises ValueError if the bot doesn't exist or can't play the game.
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
        """The source of the games and the criteria for puzzles."""
        return {"player": self.player, "source": self.source, "demands": to_builtins(self.demands)}

    @property
    def bots(self) -> Sequence[str]:
        """The bot that plays the games."""
        return (self.player,)

    def piece(self, number: int) -> Piece[Searched]:
        """The work of searching one game, playing it first if there are no `lines`."""
        options, demands = dict(self.game.options), self.demands
        if self.lines:
            arguments: tuple[Any, ...] = (self.game.name, options, demands, self.lines[number])
            return Piece(f"game {number + 1}", search_line, arguments)
        own = derived_seed(self.seed, number)
        arguments = (self.game.name, options, demands, self.player)
        return Piece(f"game {number + 1}", search_bot_game, arguments, own)

    def is_enough(self) -> bool:
        """Whether enough puzzles were found. Only counts games before the first unfinished one, so that the
        result is the same on any machine."""
        return len(self.puzzles) >= self.wanted

    @property
    def puzzles(self) -> list[Puzzle]:
        """The first `wanted` puzzles: of symmetric ones, only the first."""
        found: dict[bytes, Puzzle] = {}
        for place, (number, result) in enumerate(self.trials):
            if number > place:
                break
            if result.puzzle:
                found.setdefault(canonical_key(result.puzzle.shown()), result.puzzle)
        return list(found.values())[: self.wanted]

    def written(self) -> str:
        """The puzzles as JSON lines, as in a game's `measured/puzzles.jsonl`."""
        return "".join(f"{written(puzzle)}\n" for puzzle in self.puzzles)

    def chapter(self) -> Section:
        """The puzzles and the levels that miss them as a report section."""
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
    """Play a bot against itself and search the game for a puzzle. The same arguments give the same result."""
    game = catalog.game(name, **options)
    return _searched(bot_game(game, player, seed), game, demands)


def search_line(name: str, options: Mapping[str, int], demands: Demands, line: PlayedLine) -> Searched:
    """Search a given game for a puzzle."""
    return _searched(line, catalog.game(name, **options), demands)


class _Candidate(Struct, frozen=True):
    """A position with a win to miss, and the highest level that misses it."""

    position: Position
    answers: list[tuple[str, ...]]
    level: int
    misses: int


def _searched(line: PlayedLine, game: Game, demands: Demands) -> Searched:
    """Find the puzzle missed by the highest level; of several, the one missed most often, then the first."""
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
    """The candidate at a position, or the reason why it is none. Raises BudgetSpentError."""
    prover = Prover(position, demands.budget)
    answers = winning_turns(position, demands.most_turns, demands.most_answers, prover)
    if isinstance(answers, Reason):
        return answers
    hardest = hardest_level(position, answers, demands.level, demands.tries, seed)
    return _Candidate(position, answers, *hardest) if hardest else Reason.FOUND_BY_BOTS


def _puzzle_of(candidate: _Candidate, line: PlayedLine, tries: int) -> Puzzle:
    """The puzzle with its line of best play, which often takes longer than the proof."""
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
    """How often a level's turn isn't one of the answers, in `tries` tries with different seeds."""
    right = {played(begun, " ".join(answer)).key() for answer in answers}
    return sum(_turn_of(begun, level, derived_seed(seed, level, n)).key() not in right for n in range(tries))


def hardest_level(
    begun: Position, answers: list[tuple[str, ...]], lowest: int, tries: int, seed: int
) -> tuple[int, int] | None:
    """The highest level that misses the win in at least half its tries, and how often it does.

    Tries levels from the lowest up to the first that misses it less often; None if that is the lowest.
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
