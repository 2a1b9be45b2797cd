"""Pictures and films of a game, made in a process of their own: `python -m kakomi.server.analysis.render`.

The renderer holds the interpreter while it works, a tenth of a second a picture, during which a site could
do nothing else. The job is JSON on standard input, the picture comes out on standard output.
"""

import sys
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec

from kakomi import catalog
from kakomi.core import Game, Position
from kakomi.draw.pixels import PICTURE_WIDTH, frames_of, gif, png


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
    return gif(
        position.svg(theme="light", overlays=job.overlays, turned=job.turned)
        for position in frames_of(positions)
    )


def _positions(game: Game, turns: Sequence[Sequence[str]]) -> Iterator[Position]:
    position = game.start()
    yield position
    for turn in turns:
        for text in turn:
            position = position.play(text)
        yield position


def _image(position: Position, job: RenderJob) -> bytes:
    svg = position.svg(theme="light", overlays=job.overlays, turned=job.turned, numbers=job.numbers or None)
    return png(svg, width=PICTURE_WIDTH)


def main() -> None:
    """Carry out the job on standard input."""
    job: Any = msgspec.json.decode(sys.stdin.buffer.read(), type=RenderJob)
    sys.stdout.buffer.write(rendered(job))


if __name__ == "__main__":
    main()
