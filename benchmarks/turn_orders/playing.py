"""Games of a bot with itself in some order of turns, kept in a file."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import msgspec

from benchmarks.turn_orders import rules
from benchmarks.turn_orders.orders import ORDERS
from kakomi import catalog
from kakomi.bots import make_bot
from kakomi.core import Game, Option
from kakomi.core.line_file import LineFile
from kakomi.core.returns import chances_of
from kakomi.core.seeds import derived_seed
from kakomi.farm import Farm, Piece

NAME = "rings-in-order"


class OrderedGame(msgspec.Struct, frozen=True):
    """A finished game."""

    number: int
    shares: tuple[float, ...]
    """What each seat gets of the win."""
    actions: int


@dataclass(frozen=True)
class OrderedSample:
    """So many games on a board of Rings, with its players in some order."""

    size: int
    players: int
    order: int
    """Its place in `ORDERS`."""
    bot: str
    games: int

    @property
    def title(self) -> str:
        """The order's name."""
        return list(ORDERS)[self.order]

    def play(
        self, farm: Farm, folder: Path, tell: Callable[[int], None] = lambda done: None
    ) -> list[OrderedGame]:
        """Play what the folder doesn't hold yet."""
        folder.mkdir(parents=True, exist_ok=True)
        bot = self.bot.replace(":", "-").replace("=", "")
        file = folder / f"{NAME}-size{self.size}-players{self.players}-order{self.order}-{bot}.jsonl"
        found: dict[int, OrderedGame] = {}
        with LineFile(file) as lines:
            for line in lines.lines():
                one = msgspec.json.decode(line, type=OrderedGame)
                found[one.number] = one
            with contextlib.closing(farm.run(self._pieces(found))) as done:
                for _, one in done:
                    lines.add(msgspec.json.encode(one))
                    found[one.number] = one
                    tell(len(found))
        return [one for number, one in sorted(found.items()) if number < self.games]

    def _pieces(self, found: dict[int, OrderedGame]) -> Iterator[Piece[OrderedGame]]:
        for number in range(self.games):
            if number not in found:
                arguments = (self.size, self.players, self.order, self.bot, number)
                seed = derived_seed(1, "orders", *arguments)
                yield Piece(f"{self.title}, game {number + 1}", play_in_order, arguments, seed)


@cache
def game_in_order(size: int, players: int, order: int) -> Game:
    """Rings with its players in some order of `ORDERS`."""
    usual = catalog.describe("rings")
    option = Option("order", "whose turn is when", 0, range(len(ORDERS)))
    described = replace(usual, name=NAME, rules=rules, options=[*usual.options, option])
    return Game(described, {"size": size, "players": players, "order": order})


def play_in_order(size: int, players: int, order: int, bot: str, number: int, *, seed: int) -> OrderedGame:
    """Play a game, each seat by a bot of its own with a seed of its own."""
    position = game_in_order(size, players, order).start()
    bots = [make_bot(bot, seed=derived_seed(seed, seat)) for seat in range(players)]
    while not position.is_over:
        position = position.play_action(bots[position.to_move].choose(position))
    return OrderedGame(number, chances_of(position.returns()), position.ply)
