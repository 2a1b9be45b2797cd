"""Checkpoints of a solver, which let it resume after a crash: the known bounds and the table.

The first line is a JSON object, followed by the raw entries of the table. A file is written under another
name and then renamed, so it is never incomplete.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from kakomi.core.system import replacing
from kakomi.kernel.sources import fingerprint
from kakomi.solve import search
from kakomi.solve.bounds import Bounds
from kakomi.solve.solver import Solver
from kakomi.solve.table import ENTRY, PART

FORMAT = "kakomi solve 1"
LONGEST_HEADER = 1 << 20


def save(solver: Solver, path: Path) -> None:
    """Write a solver's checkpoint. Raises OSError if the file can't be written."""
    digest, count = hashlib.blake2b(digest_size=16), 0
    for part in solver.table.used_entries():
        digest.update(part.tobytes())
        count += len(part)
    known = {
        "lower": solver.bounds.lower,
        "upper": solver.bounds.upper,
        "cut": solver.cut,
        "guess": solver.guess,
        "seconds": round(solver.seconds, 3),
        "nodes": solver.nodes,
        "looked_up": int(solver.space.walk["looked_up"]),
        "entries": count,
        "digest": digest.hexdigest(),
    }
    with replacing(path) as file:
        file.write(json.dumps({**_task(solver), **known}).encode() + b"\n")
        for part in solver.table.used_entries():
            file.write(part.tobytes())


def load(solver: Solver, path: Path) -> None:
    """Restore a solver from a checkpoint.

    Raises OSError if the file can't be read, ValueError if it is damaged or for another task or version.
    """
    with path.open("rb") as file:
        header = _header(file.readline(LONGEST_HEADER), path)
        _check_task(header, _task(solver), path)
        digest, left = hashlib.blake2b(digest_size=16), header["entries"]
        while left > 0:
            content = file.read(min(left, PART) * ENTRY.itemsize)
            if not content or len(content) % ENTRY.itemsize:
                break
            digest.update(content)
            solver.table.take_in(np.frombuffer(content, ENTRY).copy())
            left -= len(content) // ENTRY.itemsize
    if left or digest.hexdigest() != header["digest"]:
        raise ValueError(f"{path} is damaged; delete it to begin anew")
    solver.bounds = Bounds(header["lower"], header["upper"])
    solver.cut, solver.guess = header["cut"], header["guess"]
    solver.seconds = header["seconds"]
    solver.space.walk["nodes"], solver.space.walk["looked_up"] = header["nodes"], header["looked_up"]


def _task(solver: Solver) -> dict[str, Any]:
    """Return what a checkpoint must match: the position, the seat and the code's fingerprint."""
    game = solver.position.game
    return {
        "format": FORMAT,
        "game": game.name,
        "options": dict(game.options),
        "position": solver.position.key().hex(),
        "ply": solver.position.ply,
        "seat": solver.seat,
        "code": [fingerprint(name) for name in (search.__name__, *_modules(solver))],
    }


def _modules(solver: Solver) -> list[str]:
    """Return the names of the game's modules that the solver uses."""
    described = solver.position.game.description
    return [module.__name__ for module in (solver.space.model.rules, described.solving) if module]


def _header(line: bytes, path: Path) -> dict[str, Any]:
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ValueError(f"{path} holds no work of `kakomi solve`")
    return header


def _check_task(header: dict[str, Any], task: dict[str, Any], path: Path) -> None:
    for name in ("game", "options", "position", "ply", "seat"):
        if header.get(name) != task[name]:
            shown = "" if name == "position" else f" ({header.get(name)}, not {task[name]})"
            raise ValueError(f"{path} is about another {name}{shown}")
    if header.get("code") != task["code"]:
        raise ValueError(f"{path} was written by another version of Kakomi; delete it to begin anew")
