"""How a game stood at each moment, by what searches expected: what several statistics are made of."""

import numpy as np

from kakomi.study.report.trace import Trace

MARGIN = 0.05
"""So much larger than the leader's must another chance be to make a new leader: searches are noisy."""
DECIDED = 0.9
"""A chance from which a game counts as decided."""


def rows(trace: Trace) -> np.ndarray:
    """The players' chances from the first action that somebody chose to the last, the result left out."""
    return trace.chances[trace.opening : trace.plies]


def leaders(trace: Trace) -> list[int]:
    """Who leads before each action. A lead passes when another chance is larger by `MARGIN`."""
    chances = rows(trace)
    leading, found = int(chances[0].argmax()), []
    for row in chances:
        first = int(row.argmax())
        if row[first] > row[leading] + MARGIN:
            leading = first
        found.append(leading)
    return found


def lead_changes(trace: Trace) -> list[int]:
    """The actions before which the lead had passed."""
    led = leaders(trace)
    return [trace.opening + place for place in range(1, len(led)) if led[place] != led[place - 1]]


def drama(trace: Trace) -> float:
    """How far behind the winner was while behind: the mean root of the leader's lead over them, over all
    moments at which they were behind; 0 if they never were. NaN for a draw."""
    if trace.winner is None:
        return float("nan")
    chances = rows(trace)
    behind = chances.max(axis=1) - chances[:, trace.winner]
    behind = behind[behind > 0]
    return float(np.sqrt(behind).mean()) if behind.size else 0.0


def deepest(trace: Trace) -> int:
    """The action before which the winner's chance was smallest."""
    assert trace.winner is not None
    return trace.opening + int(rows(trace)[:, trace.winner].argmin())


def decided_at(trace: Trace) -> float:
    """The part of the game after which the winner's chance never fell below `DECIDED` again; NaN for a
    draw."""
    if trace.winner is None:
        return float("nan")
    open_still = np.flatnonzero(rows(trace)[:, trace.winner] < DECIDED)
    return float(open_still[-1] + 1) / trace.played if open_still.size else 0.0


def uncertainty(chances: np.ndarray) -> np.ndarray:
    """How open positions are, from 0, decided, to 1, all players alike: the entropy of their chances over its
    maximum."""
    held = np.clip(chances, 1e-12, 1.0)
    entropy: np.ndarray = -(held * np.log(held)).sum(axis=-1) / np.log(chances.shape[-1])
    return entropy


def swings(trace: Trace) -> np.ndarray:
    """By how much each action changed the chance that changed most."""
    changes: np.ndarray = np.abs(np.diff(trace.chances[trace.opening :], axis=0)).max(axis=1)
    return changes
