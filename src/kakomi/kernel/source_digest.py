"""A digest of the source of drivers that doesn't depend on the version of Python, comments or docstrings.

It tells whether WebAssembly modules, which are built once and shipped, still belong to the source. The
fingerprint of `kakomi.kernel.sources` can't, because Python's bytecode changes with every version.
"""

import ast
import hashlib
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

_LEFT_OUT = {
    "lineno",
    "col_offset",
    "end_lineno",
    "end_col_offset",
    "ctx",
    "kind",
    "type_comment",
    "type_params",
}
"""Fields of Python's syntax trees that some versions lack, or that don't change what code does."""


def source_digest(functions: list[FunctionType], modules: list[ModuleType], *more: str) -> str:
    """Return a digest of modules, of functions with all that they and those modules call, and of texts.

    Of each function in the modules and each function called, it covers the syntax tree and the constants that
    it names.
    """
    inside = [
        value for module in modules for value in vars(module).values() if isinstance(value, FunctionType)
    ]
    parts = [f"{module.__name__}:{_dumped(_tree(module))}" for module in modules]
    for function in _reached([*functions, *inside]):
        definition = _definitions(inspect.getmodule(function)).get(function.__name__)
        if definition is not None:
            constants = sorted(_constants(function))
            parts.append(f"{function.__module__}.{function.__name__}:{_dumped(definition)}{constants}")
    return hashlib.sha256("\n".join([*sorted(set(parts)), *more]).encode()).hexdigest()[:32]


def _reached(functions: list[FunctionType]) -> list[FunctionType]:
    """Return functions of ours, and all that they call."""
    found: dict[FunctionType, None] = {}
    waiting = list(functions)
    while waiting:
        function = waiting.pop()
        if function not in found and function.__module__.split(".")[0] not in ("numpy", "numba", "llvmlite"):
            found[function] = None
            waiting += [value for _, value in _named(function) if isinstance(value, FunctionType)]
    return list(found)


def _named(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield the global values that a function names, and attributes of modules that aren't Python's own.

    Python's own describe the machine, such as `sys.executable`.
    """
    for name in sorted(set(_names(function.__code__))):
        value = function.__globals__.get(name)
        yield name, value
        if isinstance(value, ModuleType) and value.__name__.split(".")[0] not in sys.stdlib_module_names:
            attributes = sorted(set(_names(function.__code__)) & set(vars(value)))
            yield from ((f"{name}.{attribute}", getattr(value, attribute)) for attribute in attributes)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _constants(function: FunctionType) -> Iterator[str]:
    for name, value in _named(function):
        if isinstance(value, np.ndarray):
            yield f"{name}={value.dtype.str}{value.shape}{value.tobytes().hex()}"
        elif isinstance(value, np.generic):
            yield f"{name}={value.dtype.str}{value.item()!r}"
        elif isinstance(value, bool | int | float | str | tuple | None):
            yield f"{name}={value!r}"


@cache
def _tree(module: ModuleType) -> ast.Module:
    return ast.parse(inspect.getsource(module))


@cache
def _definitions(module: ModuleType | None) -> dict[str, ast.AST]:
    """Return the functions at the top of a module's source."""
    body = _tree(module).body if module else []
    return {one.name: one for one in body if isinstance(one, ast.FunctionDef)}


def _dumped(value: Any) -> str:
    """Return a syntax tree as text, without docstrings, imports and empty fields."""
    if isinstance(value, ast.AST):
        fields = ((name, getattr(value, name, None)) for name in value._fields if name not in _LEFT_OUT)
        inside = ",".join(f"{name}={_dumped(one)}" for name, one in fields if one not in (None, []))
        return f"{type(value).__name__}({inside})"
    if isinstance(value, list):
        return f"[{','.join(_dumped(one) for one in value if not _is_prose(one))}]"
    return repr(value)


def _is_prose(node: Any) -> bool:
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_text or isinstance(node, ast.Import | ast.ImportFrom)
