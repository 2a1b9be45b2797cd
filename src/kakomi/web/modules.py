"""Built modules: where they are, and what they say about themselves."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("built")
"""The modules of Kakomi's own games, named after them."""
NETWORK = "network"
"""The name of the module that evaluates networks, which is the same for all games."""
SECTION = "kakomi"
"""The custom section with a module's manifest, as JSON."""
Manifest = dict[str, Any]
"""`game`; `sources`, a digest of them; `functions`: name -> parameters (`kakomi.kernel.wasm.Parameter`);
`records`: name -> `size` in bytes and `fields`, name -> offset, element type in NumPy's notation, shape."""


def module_of(game: str) -> bytes:
    """Return the WebAssembly module of a game. Raises FileNotFoundError if it was never built."""
    return (FOLDER / f"{game}.wasm").read_bytes()


def manifest_of(module: bytes) -> Manifest:
    """Return a module's manifest. Raises ValueError if this isn't a module of a game."""
    from kakomi.kernel.wasm import sections_of

    section = sections_of(module).get(SECTION)
    if section is None:
        raise ValueError("this module has no manifest, so it isn't one of a game")
    manifest: Manifest = json.loads(section)
    return manifest
