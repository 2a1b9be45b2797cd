"""Pictures and films of a game, made in a process of their own: `python -m kakomi.server.analysis.render`.

The renderer holds the interpreter while it works, a tenth of a second a picture, during which a site could
do nothing else. The job is JSON on standard input, the picture comes out on standard output.
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


class RenderJob(msgspec.Struct):
    """What is to be drawn."""

    form: Literal["png", "gif"]
    game: str
    options: dict[str, int]
    turns: list[list[str]]
    """The actions of every turn."""
    overlays: list[str] = []
    turned: int = 0
    numbers: dict[str, str] = {}


def rendered(job: RenderJob) -> bytes:
    """The picture, or the film. Raises ImportError where the renderer isn't installed."""
    game = catalog.game(job.game, **job.options)
    positions = list(_positions(game, job.turns))
    if job.form == "png":
        return _image(positions[-1], job)
    return _animation(select_frames(positions), job)


def select_frames(positions: Sequence[Position]) -> list[Position]:
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


def _image(position: Position, job: RenderJob) -> bytes:
    svg = position.svg(theme="light", overlays=job.overlays, turned=job.turned, numbers=job.numbers or None)
    return png(svg, width=_PICTURE_WIDTH)


def _animation(positions: Sequence[Position], job: RenderJob) -> bytes:
    from PIL import Image

    frames = []
    for position in positions:
        svg = position.svg(theme="light", overlays=job.overlays, turned=job.turned)
        frames.append(Image.open(io.BytesIO(png(svg, width=_FRAME_WIDTH))).convert("RGB"))
    palette = frames[-1].quantize(_COLOURS)  # all stones are on the last board
    first, *rest = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    out = io.BytesIO()
    times = [_FRAME_MS] * (len(frames) - 1) + [_LAST_MS]
    first.save(out, "GIF", save_all=True, append_images=rest, duration=times, loop=0, optimize=False)
    return out.getvalue()


def main() -> None:
    """Carry out the job on standard input."""
    job: Any = msgspec.json.decode(sys.stdin.buffer.read(), type=RenderJob)
    sys.stdout.buffer.write(rendered(job))


if __name__ == "__main__":
    main()
