"""`kakomi cache`: the compiled code on disk."""

import json
from pathlib import Path

import click


@click.group(
    epilog="""\b
Examples:
  kakomi cache info
  kakomi cache clear
"""
)
def command() -> None:
    """Look at or clear the compiled code on disk.

    It can't go stale: what it was compiled from is part of each file's name. Clearing frees the room of
    code that older versions left. KAKOMI_CACHE_DIR names another folder.
    """


@command.command()
@click.option("--json", "as_json", is_flag=True, help="Print one object, for programs.")
def info(as_json: bool) -> None:
    """Say where it is and how much there is."""
    from kakomi.kernel.cache import cache_folder, cached_files, size_of

    folder, files = cache_folder(), cached_files()
    size = size_of(files)
    if as_json:
        name = None if folder is None else str(folder)
        click.echo(json.dumps({"folder": name, "files": len(files), "bytes": size}))
    else:
        click.echo(_told(folder, _amount(len(files), size)))


@command.command()
def clear() -> None:
    """Delete it; it is made again when it is needed."""
    from kakomi.kernel.cache import cache_folder, clear_cache

    click.echo(_told(cache_folder(), f"deleted {_amount(*clear_cache())}"))


def _told(folder: Path | None, amount: str) -> str:
    from kakomi.kernel.cache import NO_FOLDER

    return f"nothing is kept: {NO_FOLDER}" if folder is None else f"{folder}: {amount}"


def _amount(files: int, size: int) -> str:
    return f"{files} compiled function{'' if files == 1 else 's'}, {size / 2**20:.1f} MB"
