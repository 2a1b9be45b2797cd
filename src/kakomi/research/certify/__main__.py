"""`python -m kakomi.research.certify rin --size 8` certifies a game; exit code 1 means a fault."""

import argparse
import sys
import time
from collections.abc import Sequence

from kakomi import catalog
from kakomi.core import Description
from kakomi.research.certify.runner import certify

PATIENCE_SECONDS = 2.0
"""How long to wait before showing progress."""

_ERASE = "\r\x1b[K"


def main(arguments: Sequence[str] | None = None) -> int:
    """Certify a game and print the report. Returns 0 without faults, 1 with faults, 2 for wrong usage."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    description = catalog.describe(given[0]) if given and given[0] in catalog.names() else None
    parser = _parser(description)
    chosen = vars(parser.parse_args(given))
    options = {option.name: chosen[option.name] for option in description.options} if description else {}
    try:
        report = certify(
            catalog.game(chosen["game"], **options),
            games=chosen["games"],
            seed=chosen["seed"],
            compiled=not chosen["interpreted"],
            tell=_Progress(),
        )
    except ValueError as error:
        parser.error(str(error))
    finally:
        _show("")
    print(report)
    return 0 if report.ok else 1


def _parser(description: Description | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m kakomi.research.certify",
        description="Put a game through everything that a game has to do, and tell what it does otherwise. "
        "Exit code 1 tells of a fault.",
        epilog="" if description else "GAME --help shows the options of a game, such as its size.",
    )
    parser.add_argument("game", metavar="GAME", choices=catalog.names(), help=", ".join(catalog.names()))
    parser.add_argument("--games", type=int, default=3, help="how many random games are played (3)")
    parser.add_argument("--seed", type=int, default=0, help="what decides which (0)")
    parser.add_argument("--interpreted", action="store_true", help="compile nothing, and compare no modes")
    for option in description.options if description else ():
        parser.add_argument(f"--{option.name.replace('_', '-')}", dest=option.name, help=option.help)
    return parser


class _Progress:
    """Reports the current check on standard error, after a while."""

    def __init__(self) -> None:
        self._started = time.monotonic()

    def __call__(self, part: float, what: str) -> None:
        if time.monotonic() - self._started > PATIENCE_SECONDS:
            _show(f"{part:4.0%} {what} …")


def _show(words: str) -> None:
    if sys.stderr.isatty():
        print(_ERASE + words, end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
