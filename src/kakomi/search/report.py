"""Reports of a search, with likely owners and leads: the types that search, protocol and site all use."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec.structs import replace

from kakomi.core import Game, Position
from kakomi.core.returns import chances_of, return_of, sharpened
from kakomi.search.tree import DRAWN, NOBODY, ROOT, Tree, losing

DIGITS = 4
"""Decimal places of returns, chances and seconds in JSON."""
FOLLOWED = 10
"""The number of best lines that are reported with a continuation."""


def leads_of(scores: np.ndarray) -> np.ndarray:
    """Each player's score less the best of the others', float32 [G, players]."""
    best = np.stack(
        [np.delete(scores, player, axis=1).max(axis=1) for player in range(scores.shape[1])], axis=1
    )
    leads: np.ndarray = (scores - best).astype(np.float32)
    return leads


class Ownership(NamedTuple):
    """An estimate from playouts: the owner of each point, and each player's lead, at the end of the game.

    A point's owner is the player with a piece there; in Lin, the player with the point in a living domain
    (`kakomi.kernel.contract.owner`). The estimates for n positions have one more axis in front.
    """

    owner: np.ndarray
    """float64 [points, players]: the share of playouts in which a player owns a point. What a row lacks to 1
    is the share in which nobody does."""
    lead: np.ndarray
    """float64 [players]: the mean of a player's score less the best of the others'."""
    spread: np.ndarray
    """float64 [players]: what two in three such leads are off by at most: their standard deviation among
    playouts, times the game's `lead_spread`."""
    playouts: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ownership) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return self.playouts

    def to_json(self) -> dict[str, Any]:
        """Return JSON data (docs/analyse.md), rounded to `DIGITS`; owners in the order of the points."""
        return {
            "owner": self.owner.round(DIGITS).tolist(),
            "lead": self.lead.round(DIGITS).tolist(),
            "spread": self.spread.round(DIGITS).tolist(),
            "playouts": self.playouts,
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> "Ownership":
        """Read what `to_json` wrote."""
        owner, lead, spread = (np.array(data[name], np.float64) for name in ("owner", "lead", "spread"))
        return Ownership(owner, lead, spread, data["playouts"])


class Line(msgspec.Struct, frozen=True):
    """One action at the root, with its visits and its value."""

    action: int
    visits: int
    returns: tuple[float, ...]
    """Each player's mean return, from -1 to 1."""
    wins: bool = False
    """Whether it is proven to win the game for the player to act."""
    loses: bool = False
    """Whether it is proven to lose the game."""
    principal: tuple[int, ...] = ()
    """The action and its best continuation; just the action beyond the first `FOLLOWED` lines."""

    @property
    def chances(self) -> tuple[float, ...]:
        """Each player's expected share of the win, from 0 to 1; they sum to 1."""
        return chances_of(self.returns)


class Report(msgspec.Struct, frozen=True):
    """The result of a search so far, or, without lines, the result of a finished game."""

    to_move: int
    simulations: int
    """Simulations made by this call."""
    seconds: float
    returns: tuple[float, ...]
    """Each player's mean return, from -1 to 1, over all simulations in the tree."""
    lines: tuple[Line, ...]
    """The actions that were tried or are known to win, best first: proven wins, then by visits, then by
    value, with proven losses last."""
    is_proven: bool = False
    """Whether the result under best play is proven; `returns` are then exact."""
    is_full: bool = False
    """Whether the memory limit stopped the tree from growing."""
    plies: int = 0
    """Plies played by this call, in the tree and in playouts; not part of the JSON."""
    owned: Ownership | None = None
    """Likely owners and leads, if they were asked for. Of a finished game only the leads."""

    @property
    def action(self) -> int:
        """The best action."""
        return self.lines[0].action

    @property
    def principal(self) -> tuple[int, ...]:
        """The principal line."""
        return self.lines[0].principal if self.lines else ()

    @property
    def chances(self) -> tuple[float, ...]:
        """Each player's expected share of the win, from 0 to 1; they sum to 1. With two players it is the
        probability of a win, where a draw counts half."""
        return chances_of(self.returns)

    @property
    def is_exact(self) -> bool:
        """Whether the chances are exact: from a finished game or a proven win."""
        return not self.lines or (self.is_proven and max(self.returns) == 1)

    @property
    def samples(self) -> int:
        """The number of simulations behind the chances; 0 if they are exact."""
        return 0 if self.is_exact else self.simulations

    @staticmethod
    def of_result(position: Position) -> "Report":
        """Make the report of a finished game. Raises ValueError for an unfinished one."""
        returns = tuple(map(float, position.returns()))
        lead = leads_of(np.array([position.scores()], np.float64))[0]
        owned = Ownership(np.zeros((0, len(lead))), lead, np.zeros(len(lead)), 0)
        return Report(position.to_move, 0, 0.0, returns, (), is_proven=True, owned=owned)

    def part_of(self, simulations: int | None, seconds: float | None) -> float:
        """Return the fraction of these limits used so far, from 0 to 1."""
        parts = (
            self.simulations / simulations if simulations else 0.0,
            self.seconds / seconds if seconds else 0.0,
        )
        return min(1.0, max(parts))

    def to_json(self, game: Game, most: int | None = None) -> dict[str, Any]:
        """Return JSON data (docs/protocol.md) with the best `most` lines: actions as texts, numbers rounded
        to `DIGITS`, and derived values such as chances."""
        return {
            "action": game.action_texts[self.action],
            "to_move": self.to_move,
            "simulations": self.simulations,
            "seconds": round(self.seconds, DIGITS),
            "returns": _rounded(self.returns),
            "chances": _rounded(self.chances),
            "is_proven": self.is_proven,
            "is_full": self.is_full,
            "principal": _texts(game, self.principal),
            "lines": [_line_to_json(game, line) for line in self.lines[:most]],
            **(self.owned.to_json() if self.owned else {}),
        }

    def progress_to_json(self, game: Game, part: float) -> dict[str, Any]:
        """Return JSON data about a bot's progress; `part` is the fraction of its limits used so far. The bot
        may still choose another action, and a weak bot often does."""
        return {
            "progress": round(part, DIGITS),
            "to_move": self.to_move,
            "chances": _rounded(self.chances),
            "principal": _texts(game, self.principal),
        }

    @staticmethod
    def from_json(data: Mapping[str, Any], game: Game) -> "Report":
        """Read what `to_json` wrote, without the plies, lines and digits that it left out.

        Raises IllegalAction for an action that isn't in the game, msgspec.ValidationError or KeyError for
        malformed data.
        """
        lines = [_numbered(game, line) for line in data["lines"]]
        report = msgspec.convert({**data, "lines": lines}, Report)
        return replace(report, owned=Ownership.from_json(data)) if "owner" in data else report


class RootReport:
    """Reads lines and returns from the root of a tree. `as_value` converts a node's mean gain to a
    return, and `sharpness` is the power of its chances (`Description.sharpness`)."""

    def __init__(
        self, tree: Tree, players: int, as_value: Callable[[float], float], sharpness: float = 1.0
    ) -> None:
        self._tree = tree
        self._players = players
        self._as_value = as_value
        self._sharpness = sharpness

    def lines(self, followed: int = FOLLOWED) -> tuple[Line, ...]:
        """Return the root's children that were visited or are proven wins, best first; the first `followed`
        with their continuation."""
        ranked = self._ranked(ROOT)
        return tuple(self._line(int(node), place < followed) for place, node in enumerate(ranked))

    def returns(self, node: int) -> tuple[float, ...]:
        """Return each player's mean return through a node that was visited or is proven."""
        winner = int(self._tree.nodes["winner"][node])
        players = range(self._players)
        if winner in players:
            return tuple(return_of(float(player == winner), self._players) for player in players)
        if winner == DRAWN:
            return (0.0,) * self._players
        visits = int(self._tree.nodes["visits"][node])
        returns = tuple(self._as_value(float(total) / visits) for total in self._tree.sums[node])
        return returns if self._sharpness == 1 else sharpened(returns, self._sharpness)

    def _line(self, node: int, is_followed: bool) -> Line:
        child = self._tree.nodes[node]
        player, winner = int(child["player"]), int(child["winner"])
        return Line(
            action=int(child["action"]),
            visits=int(child["visits"]),
            returns=self.returns(node),
            wins=winner == player,
            loses=winner not in (NOBODY, DRAWN, player),
            principal=self._principal(node) if is_followed else (int(child["action"]),),
        )

    def _principal(self, node: int) -> tuple[int, ...]:
        """Return the action that leads to a node and its best continuation."""
        actions = [int(self._tree.nodes["action"][node])]
        while (ranked := self._ranked(node)).size:
            node = int(ranked[0])
            actions.append(int(self._tree.nodes["action"][node]))
        return tuple(actions)

    def _ranked(self, node: int) -> np.ndarray:
        """Return a node's children that were visited or are proven wins, best first: wins first, losses
        last, then by visits, value and the action's number."""
        children = self._tree.children(node)
        if not children:
            return np.zeros(0, np.int64)
        nodes = self._tree.nodes[children.start : children.stop]
        player, winner, visits = int(nodes["player"][0]), nodes["winner"], nodes["visits"]
        wins = winner == player
        loses = losing(winner, player)
        values = self._tree.sums[children.start : children.stop, player] / np.maximum(visits, 1)
        order = np.lexsort((nodes["action"], -values, -visits, loses, ~wins))
        seen = (visits > 0) | wins
        ranked: np.ndarray = children.start + order[seen[order]]
        return ranked


def _line_to_json(game: Game, line: Line) -> dict[str, Any]:
    return {
        "action": game.action_texts[line.action],
        "visits": line.visits,
        "returns": _rounded(line.returns),
        "chances": _rounded(line.chances),
        "wins": line.wins,
        "loses": line.loses,
        "principal": _texts(game, line.principal),
    }


def _numbered(game: Game, line: Mapping[str, Any]) -> dict[str, Any]:
    principal = [game.action(text) for text in line["principal"]]
    return {**line, "action": game.action(line["action"]), "principal": principal}


def _rounded(values: Iterable[float]) -> list[float]:
    return [round(value, DIGITS) for value in values]


def _texts(game: Game, actions: Iterable[int]) -> list[str]:
    return [game.action_texts[action] for action in actions]
