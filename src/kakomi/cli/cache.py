"""`kakomi cache`: the compiled code on disk."""

import json

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

    files = cached_files()
    size = size_of(files)
    if as_json:
        click.echo(json.dumps({"folder": str(cache_folder()), "files": len(files), "bytes": size}))
    else:
        click.echo(f"{cache_folder()}: {_amount(len(files), size)}")


@command.command()
def clear() -> None:
    """Delete it; it is made again when it is needed."""
    from kakomi.kernel.cache import cache_folder, clear_cache

    click.echo(f"{cache_folder()}: deleted {_amount(*clear_cache())}")


def _amount(files: int, size: int) -> str:
    return f"{files} compiled function{'' if files == 1 else 's'}, {size / 2**20:.1f} MB"
