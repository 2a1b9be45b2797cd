"""Drivers as a WebAssembly module: Numba's code for the processor, compiled by LLVM for another target.

Each driver becomes an exported function of one number, the address of a block of 64-bit slots that hold its
arguments, and returns an int64. `parameters_of` describes the slots. A driver that raises ends in a trap.
The module imports nothing: its memory is its own, and drivers allocate none (docs/web.md).

It needs the linker in the package `ziglang`, and Numba's code as it is before it is optimized for this
processor: call `use_generic_code` first. Optimized for this target alone, modules are a third smaller and
faster.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import llvmlite.binding as llvm
import numba
import numpy as np
from numba import types
from numba.core.registry import cpu_target

from kakomi.kernel.compiler import signature_of
from kakomi.kernel.driver import Driver
from kakomi.kernel.registry import callees_of, make_compilable

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+bulk-memory-opt,+sign-ext,+nontrapping-fptoint,+mutable-globals"
"""What modules may use; every browser released since 2022 has all of it."""
SIMD = ",+simd128"
"""Modules that import their memory may use this too: they make play better, but not possible."""
SLOT = 8
"""Bytes of an argument's slot."""
_LINK = ["--no-entry", "--gc-sections", "--strip-all", "-O2", "--stack-first", "-z", "stack-size=65536"]
_NO_ERROR = "0", "-2"
"""What Numba's functions return to their caller unless they raise; -2 if they return None."""


@dataclass(frozen=True)
class Parameter:
    """A number or an array among a driver's arguments, where tuples are flattened to `tuple.field`.

    An array takes a slot for its address, one for its length in each dimension, and if it is `strided` one
    for its stride in bytes in each dimension; a number takes one slot, and None takes none.
    """

    name: str
    kind: str
    """`array`, `int` (int64), `float` (float64) or `none`."""
    dtype: str = ""
    """An array's element type in NumPy's notation; records are called by a name that the caller chooses."""
    dimensions: int = 0
    strided: bool = False

    @property
    def slots(self) -> int:
        """The number of slots."""
        return {"array": 1 + self.dimensions * (1 + self.strided), "none": 0}.get(self.kind, 1)


def parameters_of(driver: Driver, args: tuple[Any, ...], records: Mapping[np.dtype, str]) -> list[Parameter]:
    """Return the flattened parameters of a driver called with these arguments, in the order of their slots.

    `records` are the names of record types. Raises ValueError for other arguments than arrays, int, float,
    None and tuples of them.
    """
    code = driver.function.__code__
    names = code.co_varnames[: code.co_argcount]
    return [one for name, arg in zip(names, args, strict=True) for one in _parameters(name, arg, records)]


def _parameters(name: str, arg: Any, records: Mapping[np.dtype, str]) -> Iterator[Parameter]:
    if isinstance(arg, np.ndarray):
        kind = records[arg.dtype] if arg.dtype.names else arg.dtype.str
        yield Parameter(name, "array", kind, arg.ndim, numba.typeof(arg).layout != "C")
    elif isinstance(arg, tuple):
        for field, value in zip(getattr(arg, "_fields", range(len(arg))), arg, strict=True):
            yield from _parameters(f"{name}.{field}", value, records)
    elif arg is None or type(arg) in (int, float):
        yield Parameter(name, "none" if arg is None else type(arg).__name__)
    else:
        raise ValueError(f"{name} is {arg!r}, which has no slot")


def described(parameters: list[Parameter]) -> list[list[Any]]:
    """Return parameters as JSON has them: their fields in order, without trailing ones that have their
    default."""
    found = [[*astuple(one)] for one in parameters]
    for each in found:
        while not each[-1]:
            each.pop()
    return found


def use_generic_code() -> None:
    """Have Numba compile for any processor, and leave optimizing to `link`.

    Raises RuntimeError if Numba has already compiled for this one.
    """
    if "_toplevel_target_context" in vars(cpu_target):
        raise RuntimeError("Numba has already compiled something for this processor")
    os.environ |= {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_OPT": "0"}
    numba.config.reload_config()


def link(
    drivers: Mapping[str, tuple[Driver, tuple[Any, ...]]],
    sections: Mapping[str, bytes],
    *,
    data_from: int | None = None,
) -> bytes:
    """Return a module that exports drivers, each for the types of its arguments, and its memory.

    `sections` are custom sections to add. With `data_from`, it imports the memory of another module instead,
    has its constants from this address on, and may use `SIMD`. Raises RuntimeError if the linker fails, for
    example because a driver allocates and so needs an allocator, which no module has.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu="generic", features=FEATURES + ("" if data_from is None else SIMD), opt=3, reloc="static"
    )
    whole = llvm.parse_assembly(_header(machine))
    for name, (driver, args) in drivers.items():
        symbol, code = _compiled(driver, args)
        whole.link_in(llvm.parse_assembly(_retargeted(code, machine)))
        whole.link_in(llvm.parse_assembly(_header(machine) + _entry(name, symbol, signature_of(args))))
    for function in whole.functions:
        if not function.is_declaration and function.name not in drivers:
            function.linkage = "internal"
    whole.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_unrolling = False  # browsers' compilers unroll; here it would add a tenth to the size
    options.inlining_threshold = 100  # a tenth smaller than by default, and no slower
    passes = llvm.create_pass_builder(machine, options)
    merging = llvm.create_new_module_pass_manager()
    merging.add_merge_functions_pass()
    merging.run(whole, passes)
    passes.getModulePassManager().run(whole, passes)
    return _linked(machine.emit_object(whole), list(drivers), data_from) + b"".join(
        map(_section, sections.items())
    )


def _header(machine: Any) -> str:
    return f'target datalayout = "{machine.target_data}"\ntarget triple = "{TRIPLE}"\n'


def _compiled(driver: Driver, args: tuple[Any, ...]) -> tuple[str, str]:
    """Return the symbol of a driver's compiled function, and LLVM's code of it and all that it calls."""
    for callee in callees_of(driver.function):
        make_compilable(callee)
    jit: Any = numba.njit  # whose types leave out options
    dispatcher = jit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(driver.function)
    signature = signature_of(args)
    dispatcher.compile(signature)
    found = dispatcher.overloads[signature]
    return found.fndesc.llvm_func_name, found.library.get_llvm_str()


def _retargeted(code: str, machine: Any) -> str:
    """Return code for the other target, without reference counts: drivers allocate nothing to count."""
    code = re.sub(r"(?m)^target (datalayout|triple) = .*\n", "", code)
    code = re.sub(r'"target-(cpu|features)"="[^"]*"', "", code)
    code = re.sub(r"(?ms)^define [^\n]*@NRT_(?:incref|decref)\(ptr[^)]*\)[^\n]*\{.*?^\}\n", "", code)
    code = re.sub(r"(?m)^declare [^\n]*@NRT_(?:incref|decref)\(.*\n", "", code)
    code = re.sub(r"(?m)^.* call void @NRT_(?:incref|decref)\(.*\n", "", code)
    return _header(machine) + code.replace("= common ", "= internal ")


def _entry(name: str, symbol: str, signature: tuple[Any, ...]) -> str:
    """Return code of the exported function, which calls the driver with the arguments in the slots."""
    lines: list[str] = []
    passed = ["ptr %result", "ptr %error"]
    for kind in signature:
        passed += _passed(kind, lines)
    arguments = ", ".join(passed)
    kinds = ", ".join(one.split(" ")[0] for one in passed)
    fine = "\n".join(f"    i32 {code}, label %fine" for code in _NO_ERROR)
    return f"""
declare i32 @"{symbol}"({kinds})
declare void @llvm.trap()
define i64 @"{name}"(i32 %block) {{
  %slots = inttoptr i32 %block to ptr
  %result = alloca i64
  %error = alloca ptr
  store i64 0, ptr %result
{chr(10).join(lines)}
  %status = call i32 @"{symbol}"({arguments})
  switch i32 %status, label %raised [
{fine}
  ]
raised:
  call void @llvm.trap()
  unreachable
fine:
  %value = load i64, ptr %result
  ret i64 %value
}}
"""


def _passed(kind: Any, lines: list[str]) -> list[str]:
    """Add lines that load an argument from the next slots. Return it as Numba's functions expect it."""

    def load(what: str) -> str:
        number = sum(" = load " in line for line in lines)
        lines.append(f"  %at{number} = getelementptr i64, ptr %slots, i32 {number}")
        lines.append(f"  %slot{number} = load {what}, ptr %at{number}")
        return f"{what} %slot{number}"

    def compute(operation: str, first: str, second: str) -> str:
        name = f"%n{len(lines)}"
        lines.append(f"  {name} = {operation} {first}, {second.removeprefix('i64 ')}")
        return f"i64 {name}"

    if isinstance(kind, types.BaseTuple):
        return [one for member in cast("Iterable[Any]", kind) for one in _passed(member, lines)]
    if isinstance(kind, types.Array):
        itemsize = f"i64 {np.dtype(numba.np.numpy_support.as_dtype(kind.dtype)).itemsize}"
        data = load("ptr")
        shape = [load("i64") for _ in range(kind.ndim)]
        strides = [load("i64") for _ in range(kind.ndim)] if kind.layout != "C" else [itemsize]
        while len(strides) < kind.ndim:
            strides.insert(0, compute("mul", strides[0], shape[kind.ndim - len(strides)]))
        items = shape[0]
        for length in shape[1:]:
            items = compute("mul", items, length)
        return ["ptr null", "ptr null", items, itemsize, data, *shape, *strides]
    if kind == types.none:
        return ["ptr null"]
    return [load({types.int64: "i64", types.float64: "double"}[kind])]


def _linked(code: bytes, names: list[str], data_from: int | None) -> bytes:
    if find_spec("ziglang") is None:
        raise ImportError("building WebAssembly needs its linker: pip install 'kakomi[wasm]'")
    exports = [f"--export={name}" for name in (*names, "__heap_base")]
    sharing = [] if data_from is None else ["--import-memory", f"--global-base={data_from}"]
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "module.o"), Path(folder, "module.wasm")
        source.write_bytes(code)
        command = [
            sys.executable,
            "-m",
            "ziglang",
            "wasm-ld",
            *_LINK,
            *sharing,
            *exports,
            "-o",
            str(target),
            str(source),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"the linker failed: {done.stderr.strip()}")
        return target.read_bytes()


def _section(section: tuple[str, bytes]) -> bytes:
    """Return a custom section as it stands in a module."""
    name, content = section[0].encode(), section[1]
    body = _leb128(len(name)) + name + content
    return b"\0" + _leb128(len(body)) + body


def _leb128(number: int) -> bytes:
    """Return an unsigned number in groups of seven bits, the lowest first."""
    found = bytearray()
    while number >= 128:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def sections_of(module: bytes) -> dict[str, bytes]:
    """Return a module's custom sections. Raises ValueError if it isn't a WebAssembly module."""
    if module[:4] != b"\0asm":
        raise ValueError("this is no WebAssembly module")
    found, at = {}, 8
    while at < len(module):
        kind = module[at]
        size, at = _read_leb128(module, at + 1)
        if kind == 0:
            length, start = _read_leb128(module, at)
            found[module[start : start + length].decode()] = module[start + length : at + size]
        at += size
    return found


def _read_leb128(module: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while module[at] >= 128:
        number |= (module[at] & 127) << shift
        at, shift = at + 1, shift + 7
    return number | module[at] << shift, at + 1
