"""The games that a page links to, as data for its script: every action, what it changed, and how the game
stood."""

from typing import Any

import numpy as np

from kakomi import records
from kakomi.core import Game, Position
from kakomi.kernel.records import EMPTY
from kakomi.records import Result, Seat
from kakomi.records.json_form import write_json
from kakomi.study.report.content import GameLink
from kakomi.study.report.page.links import anchor
from kakomi.study.report.statistics.fairness import ENDINGS
from kakomi.study.report.study import Study
from kakomi.study.report.trace import Trace


def replays(study: Study, links: list[GameLink]) -> dict[str, Any]:
    """The games by their names on the page."""
    return {anchor(link): replay(study.game, study.trace_by_id[link.game], link.label) for link in links}


def replay(game: Game, trace: Trace, label: str) -> dict[str, Any]:
    """One game. `steps` has for each action its text, its player, what it touches, and the points that
    changed with what they hold then (-1: nothing); `chances` and `scores` have a row more than there are
    actions."""
    position, steps = game.position(trace.position) if trace.position else game.start(), []
    first = before = _stones(position)
    for number, action in enumerate(trace.actions):
        position = position.play_action(action)
        after = _stones(position)
        changed = np.flatnonzero(before != after).tolist()
        steps.append(
            [
                game.action_texts[action],
                int(trace.movers[number]),
                game.actions[action].target or "",
                [[point, int(after[point])] for point in changed],
            ]
        )
        before = after
    return {
        "label": label,
        "title": f"{_versus(game, trace)}, game {trace.id.number % 1_000_000}",
        "result": _result(game, trace),
        "opening": trace.opening,
        "start": first.tolist(),
        "steps": steps,
        "turns": trace.turns.tolist(),
        "scores": [[float(one) for one in row] for row in trace.scores.tolist()],
        "chances": [
            None if np.isnan(row[0]) else [round(float(one), 3) for one in row] for row in trace.chances
        ],
        "record": record_text(game, trace),
    }


def record_text(game: Game, trace: Trace) -> str:
    """The game as a record, which `kakomi replay` and the site read. Of a game that was resigned or agreed
    on, it tells the actions alone: who resigned when is not known any more."""
    winners = tuple(seat for seat, share in enumerate(trace.shares) if share == max(trace.shares))
    result = Result(reason=trace.ending, winners=winners, scores=tuple(trace.scores[-1].tolist()))
    record = records.recorded(
        game,
        list(trace.actions),
        position=trace.position,
        seats=tuple(Seat(name=name) for name in trace.seats),
        result=None if trace.ending in ("resignation", "agreement") else result,
        comment=f"The first {trace.opening} actions are a random opening." if trace.opening else "",
    )
    return write_json(record).decode()


def _stones(position: Position) -> np.ndarray:
    """The player of the stone on each point, -1 for none."""
    stones = position.state["stones"][: position.game.geometry.points].astype(np.int64)
    held: np.ndarray = np.where(stones == EMPTY, -1, stones % position.game.players)
    return held


def _versus(game: Game, trace: Trace) -> str:
    seats = [name.split(" (")[0] for name in trace.seats]
    spelled = [f"level {name}" if name.isdigit() else name.replace(":", " of level ") for name in seats]
    return ", ".join(f"{name}: {who}" for name, who in zip(game.player_names, spelled, strict=True))


def _result(game: Game, trace: Trace) -> str:
    scores = " to ".join(f"{score:g}" for score in trace.scores[-1].tolist())
    who = "Nobody wins alone" if trace.winner is None else f"{game.player_names[trace.winner]} wins"
    return f"{who}, {scores}, after {trace.plies} actions ({ENDINGS[trace.ending]})"
