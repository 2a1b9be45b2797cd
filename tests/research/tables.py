"""The table of observations and actions in docs/research.md: `python -m tests.research.tables` writes it."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import kakomi
from kakomi.research import observation_spec

PAGE = Path(__file__).resolve().parents[2] / "docs" / "research.md"
OURS = ("lin", "ren", "rin", "rings", "rive")
_KINDS = {
    "place": "a stone on each point",
    "remove": "the removal of the stone on each point",
    "convert": "the conversion of each circle",
    "pass": "a pass",
    "end": "the end of the turn",
}


def table() -> str:
    """The table, with every game on its default board for two players."""
    rows = [f"| {' | '.join(_row(name))} |\n" for name in OURS]
    head = "| game | shape | planes, from 0 | actions, from 0 |\n| --- | --- | --- | --- |\n"
    return head + "".join(rows)


def _row(name: str) -> Iterator[str]:
    game = kakomi.game(name)
    view = observation_spec(game)
    yield f"{game.description.title} {game.options['size']}"
    yield " × ".join(map(str, view.shape))
    yield "<br>".join(f"{number}: {plane}" for number, plane in enumerate(view.planes))
    kinds = [(kind, len(list(actions))) for kind, actions in groupby(action.kind for action in game.actions)]
    yield "<br>".join(f"{_KINDS[kind]} ({count})" if count > 1 else _KINDS[kind] for kind, count in kinds)


if __name__ == "__main__":
    from benchmarks.pages import replace_part

    replace_part(PAGE, "planes", table())
