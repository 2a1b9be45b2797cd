"""Plain Python rules at machine-code speed: dispatch, compilation, disk cache and random numbers.

This is the only part of Kakomi that imports Numba. A game's rules are undecorated functions on NumPy records
(`contract`). Generic code calls them through stubs of the same names inside a `driver`, which runs compiled,
compiled with bounds checks, interpreted, or adaptively (`mode`), with the same results.
"""

from kakomi.kernel.cache import when_compiling
from kakomi.kernel.driver import Driver, Mode, as_records, driver, load_compiler, mode, use_mode
from kakomi.kernel.random import below, random_state
from kakomi.kernel.registry import register

__all__ = [
    "Driver",
    "Mode",
    "as_records",
    "below",
    "driver",
    "load_compiler",
    "mode",
    "random_state",
    "register",
    "use_mode",
    "when_compiling",
]
