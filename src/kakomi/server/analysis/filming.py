"""Pictures and films of a game, made in a process of their own: `python -m kakomi.server.analysis.filming`.

The renderer holds the interpreter while it works, a tenth of a second a picture, during which a site could
do nothing else. The order is JSON on standard input, the picture comes out on standard output.
"""

import sys
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec

from kakomi import catalog
from kakomi.core import Game, Position
from kakomi.draw.pixels import PICTURE_WIDTH, frames_of, gif, png


class Order(msgspec.Struct):
    """What is to be drawn."""

    form: Literal["png", "gif"]
    game: str
    options: dict[str, int]
    turns: list[list[str]]
    """The actions of every turn."""
    overlays: list[str] = []
    turned: int = 0
    numbers: dict[str, str] = {}


def drawn(order: Order) -> bytes:
    """The picture, or the film. Raises ImportError where the renderer isn't installed."""
    game = catalog.game(order.game, **order.options)
    positions = list(_positions(game, order.turns))
    if order.form == "png":
        return _picture(positions[-1], order)
    return gif(
        position.svg(theme="light", overlays=order.overlays, turned=order.turned)
        for position in frames_of(positions)
    )


def _positions(game: Game, turns: Sequence[Sequence[str]]) -> Iterator[Position]:
    position = game.start()
    yield position
    for turn in turns:
        for text in turn:
            position = position.play(text)
        yield position


def _picture(position: Position, order: Order) -> bytes:
    svg = position.svg(
        theme="light", overlays=order.overlays, turned=order.turned, numbers=order.numbers or None
    )
    return png(svg, width=PICTURE_WIDTH)


def main() -> None:
    """Carry out the order on standard input."""
    order: Any = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    sys.stdout.buffer.write(drawn(order))


if __name__ == "__main__":
    main()
