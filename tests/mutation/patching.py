"""Apply a mutation to an imported module by replacing the code of its functions."""

import ast
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType

from mutation.mutations import Mutation


def patch(module: ModuleType, tree: ast.Module, mutation: Mutation) -> None:
    """Change a module as if it had been written with the mutation. Changes the tree too.

    Raises ValueError if the function's code can't be replaced in place.
    """
    mutation.apply()
    ast.fix_missing_locations(tree)
    if isinstance(mutation.statement, ast.FunctionDef):
        function = function_named(module, mutation.function)
        function.__code__ = _code_like(function.__code__, compile(tree, str(module.__file__), "exec"))
        return
    before = vars(module)[mutation.function]
    exec(compile(ast.Module([mutation.statement], []), str(module.__file__), "exec"), vars(module))
    for other in list(sys.modules.values()):
        if other.__name__.startswith("kakomi") and vars(other).get(mutation.function) is before:
            setattr(other, mutation.function, vars(module)[mutation.function])


def function_named(module: ModuleType, name: str) -> FunctionType:
    """A function or method, without its wrappers."""
    found: object = module
    for part in name.split("."):
        found = vars(found)[part]
    while not isinstance(found, FunctionType):
        inner = ("__wrapped__", "fget", "__func__", "func", "function")
        found = next(value for attribute in inner if (value := getattr(found, attribute, None)) is not None)
    return getattr(found, "__wrapped__", found)


def _code_like(code: CodeType, within: CodeType) -> CodeType:
    """The code of the function in `within` with the same name and first line."""
    found = next(
        one
        for one in _codes(within)
        if one.co_name == code.co_name and one.co_firstlineno == code.co_firstlineno
    )
    if found.co_freevars != code.co_freevars:
        raise ValueError(f"{code.co_name} would need other variables from around it")
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)
