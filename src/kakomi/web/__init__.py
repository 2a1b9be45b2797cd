"""Games as WebAssembly modules, which run the rules and the search in a browser (docs/web.md).

A module exports the drivers that `kakomi.web.exports` lists, and describes them in its custom section
`kakomi`. `make web` builds the modules of Kakomi's own games.
"""

from kakomi.web.modules import NETWORK, Manifest, manifest_of, module_of
from kakomi.web.program import Program, program_of

__all__ = ["NETWORK", "Manifest", "Program", "manifest_of", "module_of", "program_of"]
