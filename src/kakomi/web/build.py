"""`python -m kakomi.web.build [GAME ...]`: build the WebAssembly modules of games, by default of all."""

import argparse
import json
import sys
from pathlib import Path

from kakomi import catalog
from kakomi.kernel.wasm import link, use_generic_code
from kakomi.web.exports import exports_of, manifest_for, network_exports
from kakomi.web.modules import FOLDER, NETWORK, SECTION

NETWORK_DATA = 3 << 15
"""Where the constants of the module for networks begin, which shares the memory of a game's module."""


def build(name: str) -> bytes:
    """Return the module of a game, or that of networks, after `kakomi.kernel.wasm.use_generic_code`."""
    manifest = json.dumps(manifest_for(name), separators=(",", ":")).encode()
    calls = network_exports() if name == NETWORK else exports_of(catalog.game(name))
    return link(calls, {SECTION: manifest}, data_from=NETWORK_DATA if name == NETWORK else None)


def main() -> None:
    """Build the chosen modules, and print their sizes."""
    arguments = argparse.ArgumentParser(prog="kakomi.web.build", description=__doc__)
    arguments.add_argument("games", nargs="*", metavar="GAME", default=[])
    arguments.add_argument("--folder", type=Path, default=FOLDER, help="where to write GAME.wasm")
    arguments.add_argument("--check", action="store_true", help="write nothing, and fail if they differ")
    chosen = arguments.parse_args()
    use_generic_code()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    for name in chosen.games or (*catalog.names(), NETWORK):
        module, file = build(name), chosen.folder / f"{name}.wasm"
        print(f"{name:8} {len(module):8,} bytes")
        if not chosen.check:
            file.write_bytes(module)
        elif file.read_bytes() != module:
            sys.exit(f"{file} is another module: run `make web`")


if __name__ == "__main__":
    main()
