"""A module of a game in `wasmtime`: drivers called with NumPy arrays, as in the processor's code."""

from typing import Any

import numpy as np
import wasmtime

from kakomi.web import manifest_of
from kakomi.web.program import Image

PAGE = 1 << 16


class Machine:
    """A running module. Its memory holds nothing between two calls."""

    def __init__(self, module: bytes, engine: wasmtime.Engine | None = None) -> None:
        self.functions = manifest_of(module)["functions"]
        self._store = wasmtime.Store(engine or wasmtime.Engine())
        compiled = wasmtime.Module(self._store.engine, module)
        self.imports = [f"{one.module}.{one.name}" for one in compiled.imports]
        self.exports = {one.name for one in compiled.exports}
        self._exports: Any = wasmtime.Instance(self._store, compiled, []).exports(self._store)
        self._memory: Any = self._exports["memory"]
        heap: Any = self._exports["__heap_base"]
        self.base = int(heap.value(self._store))

    def call(self, name: str, args: tuple[Any, ...]) -> int:
        """Call a driver, and change the arrays among the arguments as it does. Return its result."""
        result, contents = self.run(name, args)
        for array, content in contents:
            if array.flags.writeable:
                array.view(np.uint8).reshape(-1)[:] = np.frombuffer(content, np.uint8)
        return result

    def run(self, name: str, args: tuple[Any, ...]) -> tuple[int, list[tuple[np.ndarray, bytearray]]]:
        """Call a driver, and leave the arguments as they are. Return its result, and each array with the
        bytes that it would have."""
        image = Image(self.base)
        slots, _ = image.slots(args, self.functions[name])
        arrays = list(image.arrays)
        block = image.add(np.frombuffer(slots, np.uint8))
        missing = image.end - self._memory.data_len(self._store)
        if missing > 0:
            self._memory.grow(self._store, -(-missing // PAGE))
        for array, at in image.arrays:
            self._memory.write(self._store, array.tobytes(), at)
        result = int(self._exports[name](self._store, block))
        return result, [
            (array, self._memory.read(self._store, at, at + array.nbytes)) for array, at in arrays
        ]
