"""Which repairs a board has, and which games say what they make of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from kakomi import catalog
from kakomi.bots import LevelBot, SearchBot, make_bot
from kakomi.core import Game
from kakomi.core.fair_komi import nearest_komi
from kakomi.records.replay import texts
from kakomi.study.report.wording import options_in_words
from kakomi.study.seats.figures import RepairFigures, match_of_two, other_option, swap
from kakomi.study.seats.sample import SeatSample
from kakomi.study.seats.swap import most_even_turn
from kakomi.study.tournament import Played
from kakomi.study.tournament.engine_player import COMMAND

MATCH, SWAP, FORESEEN = "match of two", "swap", "swap, foreseen"


@dataclass(frozen=True)
class Repair:
    """A way to level the seats, and the games that tell what it makes of a board."""

    name: str
    sample: SeatSample
    """The games: those of the board itself, or others."""
    figures: Callable[[Sequence[Played]], RepairFigures | None]


def repairs_of(
    sample: SeatSample,
    options: Sequence[Mapping[str, int]] = (),
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> list[Repair]:
    """The repairs of a board for two that is begun at its start: a komi where the fair one is known, other
    options that were asked for, a swap, and a match of two games with seats exchanged.

    The swap is told twice: of games in which whoever begins knows nothing of it, and of games that begin
    with the turn that a search finds most even; neither of bots that don't search. `tell` is called with the
    number of first turns that were looked at for it, and of all. Raises ValueError for an option that the
    game hasn't.
    """
    if sample.game.players != 2 or sample.position:
        return []
    found = [_with_options(sample, changed) for changed in [*_fair_komi(sample.game), *options]]
    if _searches(sample.bot):
        found += [Repair(SWAP, sample, lambda played: swap(SWAP, played)), *_foreseen(sample, tell)]
    found.append(Repair(MATCH, sample, lambda played: match_of_two(MATCH, played)))
    return found


def _searches(bot: str) -> bool:
    """Whether a bot expects something of a position."""
    return not bot.startswith(COMMAND) and isinstance(make_bot(bot), SearchBot | LevelBot)


def _with_options(sample: SeatSample, changed: Mapping[str, int]) -> Repair:
    game = catalog.game(sample.game.name, **{**sample.game.options, **changed})
    name = options_in_words(changed)
    return Repair(name, replace(sample, game=game), lambda played: other_option(name, played))


def _fair_komi(game: Game) -> list[Mapping[str, int]]:
    """The possible komi that is nearest to the fair one, where that is known and none is set."""
    option = game.description.komi_option
    known = game.description.fair_komi(game.options) if option else None
    if known is None or game.options[option]:
        return []
    return [{option: nearest_komi(known.fair, game.description.komi.allowed_given(game.options))}]


def _foreseen(sample: SeatSample, tell: Callable[[int, int], None]) -> list[Repair]:
    try:
        after = most_even_turn(sample.game, sample.seed, tell=tell)
    except ValueError:
        return []
    turn = " ".join(texts(after))
    begun = replace(sample, position=str(after))
    return [Repair(FORESEEN, begun, lambda played: swap(FORESEEN, played, turn))]
