"""A search for exercises: positions of bots' games in which one answer alone keeps a margin."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kakomi.bots import make_bot
from kakomi.core import Game, Position
from kakomi.study.exercises.margins import TooManyPositionsError, sure_margin

BOT = "2"
"""The level of the bots: their games hold mistakes, so something is to be found in them."""
FEWEST_MISSES = 3
LONGEST_ANSWER = 4
MOST_SLICES = 40
"""How much of the solver's work goes into one position at most, in its slices."""


@dataclass(frozen=True)
class Finding:
    """A position with one right answer."""

    position: Position
    answer: tuple[str, ...]
    at_least: int
    turns: int | None
    lines: dict[str, str]
    """What was played -> how best play goes on, for all answers."""

    def toml(self, name: str) -> str:
        """A draft of its table in `exercises.toml`: texts have to be written."""
        end = self.position.play(" ".join(self.answer))
        now, then = self.position.stones(), end.stones()
        changed = [point for point in self.position.game.geometry.names if now.get(point) != then.get(point)]
        owned = [
            " ".join(point for point in changed if then.get(point) == player)
            for player in range(self.position.game.players)
        ]
        emptied = " ".join(point for point in changed if point not in then)
        options = ", ".join(f"{key} = {value}" for key, value in self.position.game.options.items())
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


def find(
    game: Game,
    turns: int | None,
    seed: int,
    games: int,
    most_legal: int = 24,
    tell: Callable[[float], None] = lambda part: None,
) -> Iterator[Finding]:
    """Positions with one right answer from so many games of bots, no two of them alike but for a symmetry.

    `turns` is as in `kakomi.core.example.Claim`, `most_legal` the most actions that may be legal at first.
    The same arguments find the same.
    """
    seen: set[bytes] = set()
    for number in range(games):
        for position in _late_positions(game, f"{seed}:{number}", most_legal):
            key = canonical_key(position)
            if key not in seen:
                seen.add(key)
                if finding := examine(position, turns):
                    yield finding
        tell((number + 1) / games)


def canonical_key(position: Position) -> bytes:
    """The same for positions of a game whose stones are alike but for a symmetry of the board."""
    stones = position.states()["stones"][0][: position.game.geometry.points].tolist()
    images = (
        tuple(stone for _, stone in sorted(zip(symmetry.points, stones, strict=True)))
        for symmetry in position.game.symmetries
    )
    return repr((position.game, position.to_move, min(images))).encode()


def examine(position: Position, turns: int | None) -> Finding | None:
    """The exercise at a position; None if several answers are right, or it takes too long to tell."""
    left = iter(range(MOST_SLICES))
    try:
        return _Examination(position, turns, lambda: next(left, None) is not None).finding()
    except TooManyPositionsError:
        return None


def _late_positions(game: Game, seed: str, most_legal: int) -> Iterator[Position]:
    """A game of bots from where few actions are legal."""
    chance, position = random.Random(seed), game.start()
    bot = make_bot(BOT, seed=chance.getrandbits(30))
    while not position.is_over:
        if position.ply and len(position.legal_actions()) <= most_legal:
            yield game.position(str(position))
        position = position.play_action(bot.choose(position))


class _Examination:
    """Looks at all answers to a position."""

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
            return None  # nobody likes to lose by less
        for at_least in dict.fromkeys([*(bound for bound in (1, 0) if bound <= best), best]):
            answer = self._answer(self._position, (), at_least)
            if answer and len(answer) <= LONGEST_ANSWER:
                return self._made(answer, at_least)
        return None

    def _values(self, position: Position, played: tuple[str, ...]) -> dict[str, int] | None:
        """The margin that each action makes sure of; None if that takes too long."""
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
        """The actions of which each is the only right one, until all are right or the turn is over."""
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
        """The exercise, with what follows on each miss, and on the answer itself at its end."""
        lines = {
            " ".join(way): " ".join(line)
            for way, (value, line) in self._margins.items()
            if way == answer or (value < at_least and way[:-1] == answer[: len(way) - 1])
        }
        if len(lines) <= FEWEST_MISSES:
            return None
        kept = lines if self._turns != 1 else {}
        return Finding(self._position, answer, at_least, self._turns, kept)
