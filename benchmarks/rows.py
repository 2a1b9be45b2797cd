"""The games that benchmarks measure, each with the most similar game of a peer."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """A game, the peer's most similar game, and Ludii's speed in our game."""

    game: str
    options: dict[str, int]
    peer: str | None = None
    ludii_playouts_per_s: float | None = None
    """By Ludii 1.3.13, with our game in its own language, on two such cores; measured once, earlier."""


ROWS = (
    Row("lin", {"size": 9}, peer="go(board_size=9)"),
    Row("lin", {"size": 13}, ludii_playouts_per_s=70),
    Row("rin", {"size": 16}, peer="go(board_size=19)", ludii_playouts_per_s=132),
    Row("rive", {"size": 4}, peer="hex(board_size=11)", ludii_playouts_per_s=216),
    Row("ren", {"size": 10}, peer="havannah(board_size=8)", ludii_playouts_per_s=458),
    Row("rings", {"size": 6}, peer="y(board_size=19)", ludii_playouts_per_s=17),
)
