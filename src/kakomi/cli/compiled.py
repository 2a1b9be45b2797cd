"""Compiled code: `kakomi warm` compiles what play needs; `kakomi cache` shows or removes the code on disk."""

import contextlib
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kakomi.cli.shared.output import report_kept_on_interrupt

if TYPE_CHECKING:
    from kakomi.core import Game


@click.command(
    epilog="""\b
Examples:
  kakomi warm          all games, about ten seconds each the first time
  kakomi warm rin lin
"""
)
@click.argument("games", nargs=-1, metavar="[GAME]...")
def warm(games: tuple[str, ...]) -> None:
    """Compile games in advance, so that they start at once.

    Compiles the rules and the search of these games, or of all. `kakomi cache info` shows where the code is.
    """
    from kakomi import catalog
    from kakomi.cli.shared.parameters import checked_game_name
    from kakomi.kernel import Mode, mode, use_mode

    kept = "the code compiled so far is saved; run the same command to continue"
    with report_kept_on_interrupt(kept), use_mode(Mode.CHECKED if mode() is Mode.CHECKED else Mode.COMPILED):
        for name in [checked_game_name(game) for game in games] or catalog.names():
            _warm(catalog.game(name))


def _warm(game: "Game") -> None:
    started = time.perf_counter()
    with _counted(game.description.title) as compiled:
        use_everything(game)
    seconds = time.perf_counter() - started
    told = f"compiled {len(compiled)} functions in {seconds:.1f} s" if compiled else "was ready"
    click.echo(f"{game.description.title} {told}")


def use_everything(game: "Game") -> None:
    """Run all compiled code that playing or studying a game needs, as briefly as possible.

    The search comes first: until it is compiled, the bots of a site play below their level.
    """
    from kakomi.bots import BotSpec, RandomBot, SearchBot, strongest_specs
    from kakomi.core.position import position_from_key
    from kakomi.core.validation import unmet_requirements
    from kakomi.search.playout import ownership
    from kakomi.solve import Solver
    from kakomi.study.perft import perft

    position = game.start()
    bot = SearchBot(BotSpec(simulations=2))
    after = position.play_action(bot.think(position).action)
    position_from_key(game, after.key()).scores()
    bot.think(after)
    for spec in strongest_specs(game):  # for analyses and the highest levels
        spec.search_to_compile(game).warm()
    if game.description.komi_option:
        RandomBot().name_komi(game)
    perft(position, 1)
    ownership(position, 1)
    if not unmet_requirements(game):
        Solver(position, memory_mb=1).warm()


@contextlib.contextmanager
def _counted(title: str) -> Iterator[list[str]]:
    """Collect the drivers that are compiled inside the block, and show them meanwhile."""
    from kakomi.kernel import when_compiling

    compiled: list[str] = []

    @contextlib.contextmanager
    def note(driver: str) -> Iterator[None]:
        compiled.append(driver)
        if sys.stderr.isatty():
            click.echo(f"\r\x1b[KCompiling {title}: {len(compiled)} ({driver}) …", nl=False, err=True)
        yield
        if sys.stderr.isatty():
            click.echo("\r\x1b[K", nl=False, err=True)

    with when_compiling(note):
        yield compiled


@click.group(
    epilog="""\b
Examples:
  kakomi cache info
  kakomi cache clear
"""
)
def cache() -> None:
    """Show or delete the compiled code on disk.

    It is never out of date: each file's name contains a hash of its source. Clearing frees the space of
    older versions. KAKOMI_CACHE_DIR sets another folder.
    """


@cache.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
def info(as_json: bool) -> None:
    """Show the folder and its size."""
    from kakomi.kernel.cache import cache_folder, cached_files, size_of

    folder, files = cache_folder(), cached_files()
    size = size_of(files)
    if as_json:
        name = None if folder is None else str(folder)
        click.echo(json.dumps({"folder": name, "files": len(files), "bytes": size}))
    else:
        click.echo(_cache_in_words(folder, _amount(len(files), size)))


@cache.command()
def clear() -> None:
    """Delete the code; it is compiled again when needed."""
    from kakomi.kernel.cache import cache_folder, clear_cache

    click.echo(_cache_in_words(cache_folder(), f"deleted {_amount(*clear_cache())}"))


def _cache_in_words(folder: Path | None, amount: str) -> str:
    from kakomi.kernel.cache import NO_FOLDER

    return f"nothing is saved: {NO_FOLDER}" if folder is None else f"{folder}: {amount}"


def _amount(files: int, size: int) -> str:
    return f"{files} compiled function{'' if files == 1 else 's'}, {size / 2**20:.1f} MB"
