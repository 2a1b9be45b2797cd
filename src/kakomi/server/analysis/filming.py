"""Pictures and films of a game, made in a process of their own: `python -m kakomi.server.analysis.filming`.

The renderer holds the interpreter while it works, a tenth of a second a picture, during which a site could
do nothing else. The order is JSON on standard input, the picture comes out on standard output.
"""

import io
import sys
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec

from kakomi import catalog
from kakomi.core import Game, Position
from kakomi.draw.pixels import png

MOST_FRAMES = 200
"""A longer game is shown every second turn, or every third."""
_PICTURE_WIDTH, _FRAME_WIDTH = 1_000, 400
_FRAME_MS, _LAST_MS = 700, 4_000
_COLOURS = 96


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
    return _film(chosen(positions), order)


def chosen(positions: Sequence[Position]) -> list[Position]:
    """The positions that a film shows: at most so many, evenly, the last one among them."""
    step = -(-len(positions) // MOST_FRAMES)
    return list(reversed(positions[::-1][::step]))


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
    return png(svg, width=_PICTURE_WIDTH)


def _film(positions: Sequence[Position], order: Order) -> bytes:
    from PIL import Image

    frames = []
    for position in positions:
        svg = position.svg(theme="light", overlays=order.overlays, turned=order.turned)
        frames.append(Image.open(io.BytesIO(png(svg, width=_FRAME_WIDTH))).convert("RGB"))
    palette = frames[-1].quantize(_COLOURS)  # all stones are on the last board
    first, *rest = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    out = io.BytesIO()
    times = [_FRAME_MS] * (len(frames) - 1) + [_LAST_MS]
    first.save(out, "GIF", save_all=True, append_images=rest, duration=times, loop=0, optimize=False)
    return out.getvalue()


def main() -> None:
    """Carry out the order on standard input."""
    order: Any = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    sys.stdout.buffer.write(drawn(order))


if __name__ == "__main__":
    main()
