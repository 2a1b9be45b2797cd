"""`python -m tests.metrics`: the lengths of files, functions and games, and names defined more than once.

`--diagram` prints the packages and their imports, as in docs/architecture.md.
"""

import argparse
import ast
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import grimp

PROJECT = Path(__file__).resolve().parent.parent
SOURCE = PROJECT / "src" / "kakomi"
SMALL = 60
"""In lines: smaller files are rarely worth a module of their own."""


def modules() -> Iterator[tuple[Path, str]]:
    """Every source file with its text, except migrations, which Django generates."""
    for path in sorted(SOURCE.rglob("*.py")):
        if "migrations" not in path.parts:
            yield path, path.read_text(encoding="utf-8")


def sizes() -> dict[str, float]:
    """Figures on the lengths of files and functions, and the share of imports."""
    lines, imports, functions, only_docstring = [], 0, 0, 0
    for _, text in modules():
        lines.append(len(text.splitlines()))
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import | ast.ImportFrom):
                imports += (node.end_lineno or node.lineno) - node.lineno + 1
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                functions += 1
                last, first = node.body[-1], node.body[0]
                body = (last.end_lineno or 0) - (first.end_lineno or 0)
                only_docstring += ast.get_docstring(node) is not None and body <= 2
    full = [length for length in lines if length]
    return {
        "median file, lines": statistics.median(full),
        f"files under {SMALL} lines": sum(length < SMALL for length in lines),
        "import lines, %": 100 * imports / sum(lines),
        "functions": functions,
        "functions with a docstring over one or two lines, %": 100 * only_docstring / functions,
        "packages of server/": len(list((SOURCE / "server").glob("*/__init__.py"))),
    }


ADVICE = {"policy.py", "observation.py", "solving.py", "bounds.py"}
"""What a game may tell search, learners and solver, and needn't (docs/adding-a-game.md)."""


def designer_lines() -> dict[str, tuple[int, int, int]]:
    """By game, the lines that a designer writes: Python without advice, advice, and texts in English.

    Texts are the rules, examples, exercises and the sample game. Blank lines don't count, nor do comments and
    docstrings in Python, translations, and the folder `measured`.
    """
    found = {}
    for game in sorted(path.parent for path in (SOURCE / "games").glob("*/__init__.py")):
        code = {path.name: _code_lines(path.read_text(encoding="utf-8")) for path in game.glob("*.py")}
        advice = sum(code[name] for name in ADVICE & code.keys())
        texts = [*game.glob("*.toml"), game / "rules.md", game / "sample_game.txt"]
        rows = [row for path in texts for row in path.read_text(encoding="utf-8").splitlines()]
        found[game.name] = sum(code.values()) - advice, advice, sum(map(bool, map(str.strip, rows)))
    return found


def _code_lines(text: str) -> int:
    """The lines of a module that hold code."""
    rows = text.splitlines()
    code = {number for number, row in enumerate(rows, 1) if row.strip() and not row.lstrip().startswith("#")}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            code -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(code)


def repeated_names() -> Counter[str]:
    """The names of public functions and classes of `server/` defined in several files, with their counts."""
    found: Counter[str] = Counter()
    for path, text in modules():
        if "server" in path.relative_to(SOURCE).parts:
            defined = {
                node.name
                for node in ast.parse(text).body
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            }
            found.update(name for name in defined if not name.startswith("_"))
    return Counter({name: times for name, times in found.items() if times > 1})


def imports() -> dict[str, set[str]]:
    """Package of `kakomi` → the packages that it imports, without those that they import themselves."""
    graph = grimp.build_graph("kakomi", exclude_type_checking_imports=True, cache_dir=None)
    all_of: defaultdict[str, set[str]] = defaultdict(set)
    for importer in graph.modules:
        for imported in graph.find_modules_directly_imported_by(importer):
            parts = [name.split(".")[1] for name in (importer, imported) if "." in name]
            if len(parts) == 2 and parts[0] != parts[1]:
                all_of[parts[0]].add(parts[1])
    return {
        name: those - {far for near in those for far in _reached(all_of, near)}
        for name, those in all_of.items()
    }


def _reached(graph: dict[str, set[str]], start: str) -> set[str]:
    """All packages that a package imports directly or indirectly."""
    found: set[str] = set()
    waiting = list(graph.get(start, ()))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(graph.get(name, ()))
    return found


def diagram() -> str:
    """A line for each package with its imports, from the top layer down."""
    graph = imports()
    names = {*graph, *(name for those in graph.values() for name in those)} - {"__main__"}
    from_top = sorted(names, key=lambda name: (-len(_reached(graph, name)), name))
    return "\n".join(f"{name:10} {', '.join(sorted(graph.get(name, ())))}".rstrip() for name in from_top)


def main() -> None:
    """Print the figures, or the diagram."""
    arguments = argparse.ArgumentParser(prog="metrics", description=__doc__)
    arguments.add_argument("--diagram", action="store_true", help="print the imports instead")
    if arguments.parse_args().diagram:
        print(diagram())
        return
    for name, figure in sizes().items():
        print(f"{name:55} {figure:10,.0f}")
    print("lines a designer writes: game, advice, texts, all")
    for game, lines in designer_lines().items():
        print(f"{game:>45} {lines[0]:10,} {lines[1]:6,} {lines[2]:6,} {sum(lines):6,}")
    names = repeated_names()
    print(f"{'names defined more than once in server/':55} {len(names):10,}")
    print("the most frequent:", ", ".join(f"{name} {times}" for name, times in names.most_common(12)))


if __name__ == "__main__":
    main()
