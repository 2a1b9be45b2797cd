"""Exercises: find positions in bots' games where only one answer secures a margin, and prove them.

Every right answer guarantees the claimed margin, and no other answer does. Playing through all actions proves
a margin after some turns; the solver proves one at the end of the game.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from kakomi import catalog
from kakomi.bots import make_bot
from kakomi.core import Game, IllegalAction, Position
from kakomi.core.attempt import Attempt, attempt_at
from kakomi.core.example import Claim, Example
from kakomi.farm import Piece
from kakomi.puzzles import canonical_key
from kakomi.solve import Solver, margin
from kakomi.study.report.content import Cell, Section, Table, counted, margin_in_words
from kakomi.study.trials import Study

MEMORY_MB = 16
MOST_POSITIONS = 300_000
"""The limit when proving a claim about some turns, since positions multiply fast."""
_Known = dict[tuple[bytes, int], tuple[int, tuple[int, ...]]]


class TooManyPositionsError(Exception):
    """A claim that takes more than `MOST_POSITIONS` positions to check."""


def is_sure(position: Position, seat: int, at_least: int, turns: int | None) -> bool:
    """Whether a seat can guarantee a margin after `turns` turns, or, with None, at the end of the game.

    Raises TooManyPositionsError.
    """
    if turns is not None or position.is_over:
        return _after_turns(position, seat, turns or 0, {})[0] >= at_least
    solver = Solver(position, seat, MEMORY_MB)
    solver.settle(at_least)
    return solver.bounds.lower is not None and solver.bounds.lower >= at_least


def sure_margin(
    position: Position, seat: int, turns: int | None, goes_on: Callable[[], bool] = lambda: True
) -> tuple[int, tuple[str, ...]] | None:
    """The margin that a seat can guarantee after `turns` turns (None: at the end), and a line of best play.

    None if `goes_on` stopped the search. Raises TooManyPositionsError.
    """
    texts = position.game.action_texts
    if turns is not None or position.is_over:
        value, line = _after_turns(position, seat, turns or 0, {})
        return value, tuple(texts[action] for action in line)
    solver = Solver(position, seat, MEMORY_MB)
    if not solver.run(lambda _: goes_on()):
        return None
    best = solver.line(lambda _: goes_on())
    return None if best is None else (solver.value, tuple(texts[action] for action in best))


def _after_turns(position: Position, seat: int, turns: int, known: _Known) -> tuple[int, tuple[int, ...]]:
    """The margin after some turns that the seat maximizes and all others minimize, and a line to it."""
    if position.is_over or turns == 0:
        return margin(position, seat), ()
    key = position.key(), turns
    if key not in known:
        if len(known) >= MOST_POSITIONS:
            raise TooManyPositionsError(
                f"a claim about {turns} turns at {position} is about too many positions"
            )
        answers = []
        for action in position.legal_actions():
            after = position.play_action(action)
            value, line = _after_turns(after, seat, turns if after.turn else turns - 1, known)
            answers.append((value, (action, *line)))
        choose = max if position.to_move == seat else min
        known[key] = choose(answers, key=lambda answer: answer[0])
    return known[key]


def flaws(game: Game, exercise: Example) -> Iterator[str]:
    """Yield what is wrong with an exercise of a game with the given options; nothing if it is proved.

    Follows every attempt that a reader can make. Raises TooManyPositionsError.
    """
    if exercise.claim is None or len(exercise.steps) != 1:
        yield "an exercise has a claim and one step"
        return
    begun = attempt_at(game, exercise)
    told = set(exercise.lines)
    for attempt in _answers(begun):
        told.discard(" ".join(attempt.played))
        yield from _flaws_of(attempt, exercise.claim)
    yield from (f"there is no answer {answer!r} to tell of" for answer in sorted(told))


def _answers(attempt: Attempt) -> Iterator[Attempt]:
    """All completed attempts from here on, right or missed."""
    for action in attempt.position.legal():
        after = attempt.then(action)
        if after.is_open:
            yield from _answers(after)
        else:
            yield after


def _flaws_of(answer: Attempt, claim: Claim) -> Iterator[str]:
    said, is_right, seat = " ".join(answer.played), answer.step is None, answer.seat
    turns = claim.turns if claim.turns is None or answer.position.turn else claim.turns - 1
    if is_sure(answer.position, seat, claim.at_least, turns) != is_right:
        yield f"{said} is {'called right' if is_right else 'missed'}, and that is wrong"
    elif answer.line:
        yield from _flaws_of_line(answer, claim)
    elif not is_right and claim.turns != 1 and not answer.position.is_over:
        yield f"{said} is missed, and no line says why"


def _flaws_of_line(answer: Attempt, claim: Claim) -> Iterator[str]:
    said, is_right, seat = " ".join(answer.played), answer.step is None, answer.seat
    try:
        position = answer.position.play(" ".join(answer.line))
        replied = answer.position.play(" ".join(answer.reply)) if answer.reply else answer.position
    except IllegalAction as error:
        yield f"the line after {said} can't be played: {error}"
        return
    if claim.turns is None and not position.is_over:
        yield f"the line after {said} doesn't come to the end of the game"
    if (margin(position, seat) >= claim.at_least) != is_right:
        yield f"the line after {said} ends with a margin of {margin(position, seat)}"
    turns = claim.turns if claim.turns is None else max(0, claim.turns - 2)
    if not is_right and is_sure(replied, seat, claim.at_least, turns):
        yield f"what is replied to {said} doesn't refute it"


BOT = "2"
"""The level of the bots: weak enough to make mistakes, which leave something to find."""
FEWEST_MISSES = 3
LONGEST_ANSWER = 4
MOST_SLICES = 40
"""The most solver slices to spend on one position."""


class Finding(Struct, frozen=True):
    """A position with one right answer."""

    position: str
    answer: tuple[str, ...]
    at_least: int
    turns: int | None
    lines: dict[str, str]
    """Actions played → how best play goes on, for each miss and for the answer."""

    def toml(self, game: Game, name: str) -> str:
        """A draft of its table in `exercises.toml`, with empty texts to fill in."""
        begun = game.position(self.position)
        now, then = begun.stones(), begun.play(" ".join(self.answer)).stones()
        changed = [point for point in game.geometry.names if now.get(point) != then.get(point)]
        owned = [
            " ".join(point for point in changed if then.get(point) == player)
            for player in range(game.players)
        ]
        emptied = " ".join(point for point in changed if point not in then)
        options = ", ".join(f"{key} = {value}" for key, value in game.options.items())
        claim = f"at_least = {self.at_least}" + ("" if self.turns is None else f", turns = {self.turns}")
        rows = [
            f"[{name}]",
            'title = ""',
            f"options = {{ {options} }}",
            f'position = "{self.position}"',
            f"claim = {{ {claim} }}",
            'task = ""',
            'hint = ""',
            f'solution = "{" ".join(self.answer)}"',
            *([f"becomes = {owned!r}".replace("'", '"')] if any(owned) else []),
            *([f'emptied = "{emptied}"'] if emptied else []),
            'told = ""',
            'lines = """',
            *(f"{played}: {line}" for played, line in self.lines.items() if line),
            '"""',
        ]
        return "\n".join(rows) + "\n"


class ExerciseStudy(Study[tuple[Finding, ...]]):
    """Positions from bots' games with one right answer, all different up to symmetry.

    `turns` is as in `kakomi.core.example.Claim`; `most` is the most legal actions that a position may have.
    """

    name, noun, kind, suffix = "exercises", "game", tuple[Finding, ...], ".toml"

    def __init__(
        self, game: Game, count: int = 20, seed: int = 1, *, turns: int | None = None, most: int = 24
    ) -> None:
        super().__init__(game, count, seed)
        self.turns, self.most = turns, most

    @property
    def terms(self) -> Mapping[str, Any]:
        """The criteria for positions."""
        return {"turns": self.turns, "most": self.most}

    @property
    def bots(self) -> Sequence[str]:
        """The bot that plays the games."""
        return (BOT,)

    def piece(self, number: int) -> Piece[tuple[Finding, ...]]:
        """The work of playing one game and finding its exercises."""
        arguments = (self.game.name, dict(self.game.options), f"{self.seed}:{number}", self.turns, self.most)
        return Piece(f"game {number + 1}", find_in_game, arguments)

    @property
    def found(self) -> list[Finding]:
        """The findings of all games: of symmetric ones, only the first."""
        by_key: dict[bytes, Finding] = {}
        for finding in (finding for result in self.results for finding in result):
            by_key.setdefault(canonical_key(self.game.position(finding.position)), finding)
        return list(by_key.values())

    def written(self) -> str:
        """Drafts of tables for `exercises.toml`, with empty texts."""
        return "\n".join(one.toml(self.game, f"found-{place}") for place, one in enumerate(self.found, 1))

    def chapter(self) -> Section:
        """The exercises and their claims as a report section."""
        told = "at the end" if self.turns is None else f"after {counted(self.turns, 'turn')}"
        rows = tuple(
            (Cell(one.position), Cell(" ".join(one.answer)), Cell(margin_in_words(one.at_least)))
            for one in self.found
        )
        return Section(
            key=f"study-{self.digest:08x}",
            title=f"Exercises in {counted(len(self.results))} of level {BOT} with itself",
            group="studies",
            finding=f"{counted(len(rows), 'position')} with one right answer.",
            means=f"The answer, and no other, makes sure of the margin {told}.",
            not_means="Whether an exercise teaches anything is for people to say.",
            figures=(Table("Found", ("position", "answer", "margin"), rows),) if rows else (),
        )


def find_in_game(
    name: str, options: Mapping[str, int], seed: str, turns: int | None, most_legal: int
) -> tuple[Finding, ...]:
    """Play a game of bots and return its exercises. The same arguments give the same result."""
    seen: set[bytes] = set()
    found = []
    for position in _late_positions(catalog.game(name, **options), seed, most_legal):
        key = canonical_key(position)
        if key not in seen:
            seen.add(key)
            found.append(examine(position, turns))
    return tuple(one for one in found if one)


def examine(position: Position, turns: int | None) -> Finding | None:
    """The exercise at a position; None if there isn't one, or if the search takes too long."""
    left = iter(range(MOST_SLICES))
    try:
        return _Examination(position, turns, lambda: next(left, None) is not None).finding()
    except TooManyPositionsError:
        return None


def _late_positions(game: Game, seed: str, most_legal: int) -> Iterator[Position]:
    """The positions of a game of bots, after the first, that have few legal actions."""
    chance, position = random.Random(seed), game.start()
    bot = make_bot(BOT, seed=chance.getrandbits(30))
    while not position.is_over:
        if position.ply and len(position.legal_actions()) <= most_legal:
            yield game.position(str(position))
        position = position.play_action(bot.choose(position))


class _Examination:
    """The search for one right answer to a position."""

    def __init__(self, position: Position, turns: int | None, goes_on: Callable[[], bool]) -> None:
        self._position, self._turns, self._goes_on = position, turns, goes_on
        self._seat = position.to_move
        self._margins: dict[tuple[str, ...], tuple[int, tuple[str, ...]]] = {}

    def finding(self) -> Finding | None:
        """The exercise, if there is one."""
        values = self._values(self._position, ())
        if values is None or len(set(values.values())) == 1:
            return None
        best = max(values.values())
        if self._turns is None and best < 0:
            return None  # losing by less makes a poor exercise
        for at_least in dict.fromkeys([*(bound for bound in (1, 0) if bound <= best), best]):
            answer = self._answer(self._position, (), at_least)
            if answer and len(answer) <= LONGEST_ANSWER:
                return self._made(answer, at_least)
        return None

    def _values(self, position: Position, played: tuple[str, ...]) -> dict[str, int] | None:
        """The margin that each action guarantees; None if that takes too long."""
        found = {}
        for text in position.legal():
            way = (*played, text)
            if way not in self._margins:
                after = position.play(text)
                turns = self._turns if self._turns is None or after.turn else self._turns - 1
                known = sure_margin(after, self._seat, turns, self._goes_on)
                if known is None:
                    return None
                self._margins[way] = known
            found[text] = self._margins[way][0]
        return found

    def _answer(self, position: Position, played: tuple[str, ...], at_least: int) -> tuple[str, ...] | None:
        """The forced actions of the answer, each the only right one, until all are right or the turn ends."""
        values = self._values(position, played)
        if values is None:
            return None
        right = [text for text, value in values.items() if value >= at_least]
        if len(right) == len(values) and (self._turns is None or len(values) > 1):
            return played
        if len(right) != 1:
            return None
        after, way = position.play(right[0]), (*played, right[0])
        if after.is_between_turns or len(way) > LONGEST_ANSWER:
            return way
        return self._answer(after, way, at_least)

    def _made(self, answer: tuple[str, ...], at_least: int) -> Finding | None:
        """The exercise, with best play after each miss and the whole answer; None with too few misses."""
        lines = {
            " ".join(way): " ".join(line)
            for way, (value, line) in self._margins.items()
            if way == answer or (value < at_least and way[:-1] == answer[: len(way) - 1])
        }
        if len(lines) <= FEWEST_MISSES:
            return None
        kept = lines if self._turns != 1 else {}
        return Finding(str(self._position), answer, at_least, self._turns, kept)
