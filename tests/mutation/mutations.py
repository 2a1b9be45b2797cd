"""The mutations of a module: small plausible mistakes, one at a time."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

Put = Callable[[ast.AST], None]
"""Replaces one node in the tree with another."""

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}
_FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
_LEFT_ALONE = {"annotation", "returns", "decorator_list", "type_params", "args"}
"""Fields of a function's definition that aren't mutated, because they don't affect calls."""


@dataclass(frozen=True)
class Mutation:
    """One change of a module's tree."""

    function: str
    """The place: `Class.method`, `function`, or the name of a module constant."""
    line: int
    before: str
    after: str
    apply: Callable[[], None]
    """Changes the tree permanently."""
    statement: ast.stmt
    """The definition or assignment that it changes."""

    def __str__(self) -> str:
        return f"{self.line} {self.function}: {self.before}  ->  {self.after}"


def mutations_of(tree: ast.Module) -> Iterator[Mutation]:
    """All mutations of a module's functions, methods and constants."""
    for statement in tree.body:
        if isinstance(statement, ast.ClassDef):
            for inner in statement.body:
                if isinstance(inner, ast.FunctionDef):
                    yield from _within(inner, f"{statement.name}.{inner.name}")
        elif isinstance(statement, ast.FunctionDef):
            yield from _within(statement, statement.name)
        elif isinstance(statement, ast.Assign | ast.AnnAssign) and _is_constant(statement):
            yield from _within(statement, ast.unparse(_target(statement)))


def _target(statement: ast.Assign | ast.AnnAssign) -> ast.expr:
    return statement.targets[0] if isinstance(statement, ast.Assign) else statement.target


def _is_constant(statement: ast.Assign | ast.AnnAssign) -> bool:
    """Whether a statement assigns a constant; types are excluded, since they are fixed after import."""
    names_a_type = isinstance(statement.value, ast.Subscript) or "np.dtype" in ast.unparse(statement)
    return isinstance(_target(statement), ast.Name) and statement.value is not None and not names_a_type


def _within(statement: ast.stmt, name: str) -> Iterator[Mutation]:
    for node, put in _places(statement):
        for before, after, replacement in _changes(node):
            replacement = ast.copy_location(replacement, node)
            yield Mutation(name, node.lineno, before, after, partial(put, replacement), statement)


def _places(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, Put]]:
    """Every expression and statement below a node, with a function that replaces it."""
    for field, value in ast.iter_fields(node):
        if isinstance(node, ast.FunctionDef | ast.AnnAssign) and field in _LEFT_ALONE:
            continue
        for i, child in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr) or _is_docstring(child):
                continue
            if isinstance(child, ast.expr | ast.stmt):
                yield child, _putting(node, field, i if isinstance(value, list) else None)
            yield from _places(child)


def _putting(parent: ast.AST, field: str, place: int | None) -> Put:
    def put(node: ast.AST) -> None:
        if place is None:
            setattr(parent, field, node)
        else:
            getattr(parent, field)[place] = node

    return put


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _changes(node: ast.expr | ast.stmt) -> Iterator[tuple[str, str, ast.AST]]:
    """For each possible mistake at a node, its old source, its new source, and the new node."""
    match node:
        case ast.If() | ast.IfExp() | ast.While():
            test = ast.unparse(node.test)
            keyword = "while" if isinstance(node, ast.While) else "if"
            for value in (False,) if isinstance(node, ast.While) else (True, False):
                forced = _copied(node, test=ast.Constant(value))
                yield f"{keyword} {test}", f"{keyword} {value}", forced
        case _:
            before = ast.unparse(node)
            for replacement in _replacements(node):
                yield before, ast.unparse(replacement), replacement


def _replacements(node: ast.expr | ast.stmt) -> Iterator[ast.AST]:
    match node:
        case ast.Compare():
            for i, operator in enumerate(node.ops):
                for other in _COMPARISONS[type(operator)]:
                    yield _copied(node, ops=[*node.ops[:i], other(), *node.ops[i + 1 :]])
        case ast.BinOp() if type(node.op) in _OPERATORS:
            yield _copied(node, op=_OPERATORS[type(node.op)]())
        case ast.AugAssign():
            yield _copied(node, op=_OPERATORS[type(node.op)]())
            yield ast.Pass()
        case ast.BoolOp():
            yield _copied(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        case ast.UnaryOp():
            yield node.operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield ast.Constant(value + 1)
        case ast.Constant(value=str(value)) if value and " " not in value:  # not a message
            yield ast.Constant("")
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            for i, loop in enumerate(node.generators):
                if loop.ifs:
                    bare = _copied(loop, ifs=[])
                    yield _copied(node, generators=[*node.generators[:i], bare, *node.generators[i + 1 :]])
        case ast.Call(func=ast.Name(id=name)) if name in _FUNCTIONS:
            yield _copied(node, func=ast.Name(_FUNCTIONS[name], ast.Load()))
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.Expr() | ast.Raise() | ast.Continue() | ast.Break():
            yield ast.Pass()


def _copied(node: ast.AST, **changed: object) -> ast.AST:
    return type(node)(**(dict(ast.iter_fields(node)) | changed))
