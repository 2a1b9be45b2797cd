"""Measuring games with a progress bar on stderr."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kakomi.core import Game
    from kakomi.study.speed import Speed


def measured(games: list["Game"], seconds: float, seed: int) -> list["Speed"]:
    """The speed of each game; compiling is not in it."""
    from rich.console import Console
    from rich.progress import Progress

    from kakomi.search import Search
    from kakomi.study import speed

    speeds = []
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=len(games) * speed.ROUNDS)
        for game in games:
            progress.update(
                task, description=f"{game.description.title}: compiling, if this is the first time"
            )
            Search(game).warm()
            progress.update(task, description=f"{game.description.title}: measuring")
            speeds.append(speed.measure(game, seconds, seed, tick=lambda: progress.advance(task)))
    return speeds
