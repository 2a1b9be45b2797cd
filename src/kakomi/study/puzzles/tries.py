"""What bots make of a puzzle."""

from kakomi.bots import make_bot
from kakomi.core import Position
from kakomi.core.level_config import LEVELS
from kakomi.core.seeds import derived_seed
from kakomi.study.puzzles.puzzle import played


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
