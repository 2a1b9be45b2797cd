"""Statistics of where stones go and which kinds of actions are played."""

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np

from kakomi.core.symmetry import Symmetry
from kakomi.draw.board_map import BoardMap
from kakomi.study.report.content import Cell, GameLink, Number, Section, Table, in_words
from kakomi.study.report.estimates import Estimate, mean
from kakomi.study.report.statistics.shared import number, strength_chart
from kakomi.study.report.study import Study, extreme, mean_of, typical
from kakomi.study.report.trace import Trace


def coverage(study: Study) -> Section:
    """The fraction of the board that ever held a stone."""
    own, left = (
        mean_of(study.games, lambda trace: trace.covered),
        mean_of(study.games, lambda trace: _filled(study, trace)),
    )
    assert own
    return Section(
        key="coverage",
        title="Coverage",
        group="board",
        finding=f"{in_words(own, 'percent')} of the points hold a stone at some moment of a game.",
        means="Which part of the board's points ever held a stone, and which still does at the end.",
        not_means="A point without a stone may matter all the same, as territory for one.",
        numbers=(
            *number(study, "points that ever held a stone", own, "percent"),
            *number(study, "points with a stone at the end", left, "percent"),
        ),
        figures=tuple(
            strength_chart(
                study,
                "Coverage over strength",
                "part of the board",
                [("ever held a stone", lambda games: mean_of(games, lambda trace: trace.covered))],
                "Which part of the board is used, over the strength of the players.",
                unit="percent",
            )
        ),
        links=(extreme(study.games, lambda trace: -trace.covered, "The emptiest board", study_end(study)),),
    )


def study_end(study: Study) -> int:
    """The number of plies in the game that covers the least."""
    emptiest = max(study.games, key=lambda trace: (-trace.covered, -trace.id.number))
    return emptiest.plies


def _filled(study: Study, trace: Trace) -> float:
    return len(trace.final_stones) / study.game.geometry.points


Values = Mapping[str, tuple[Trace, float]]


def heat_maps(study: Study) -> Section:
    """First use and ownership of every point and cell, averaged over the board's symmetries."""
    figures = [_first_use(study), _ownership(study)]
    plies = float(np.median([trace.plies for trace in study.games]))
    usual = typical(study.games, lambda trace: trace.plies, plies, "How such a game ends")
    ends = study.trace_by_id[usual.game].plies
    return Section(
        key="maps",
        title="Maps of the board",
        group="board",
        finding="Where games are begun, and where they are won.",
        means="The first map shows how early points are taken, the second who owns them at the end: a "
        "stone's owner, or that of the area that the rules give away.",
        not_means="Places that a symmetry of the board makes alike count together, so the maps show kinds "
        "of places and not single points; a pale point is no useless one.",
        figures=tuple(figure for figure in figures if figure),
        links=(GameLink(usual.game, usual.label, ends),),
    )


def orbits(study: Study) -> list[list[str]]:
    """The orbits of points and cells under the board's symmetries."""
    geometry = study.game.geometry
    cells = [cell.name for cell in geometry.cells]
    symmetries = study.game.known_symmetries
    found = {
        frozenset(names[mapped(symmetry)[place]] for symmetry in symmetries)
        for names, mapped in ((geometry.names, _points), (cells, _cells))
        for place in range(len(names))
    }
    order = {name: place for place, name in enumerate((*geometry.names, *cells))}
    return sorted(
        (sorted(orbit, key=order.__getitem__) for orbit in found), key=lambda orbit: order[orbit[0]]
    )


def _points(symmetry: Symmetry) -> tuple[int, ...]:
    return symmetry.points


def _cells(symmetry: Symmetry) -> tuple[int, ...]:
    return symmetry.cells


def _first_use(study: Study) -> BoardMap | None:
    """How early each place is first touched by the players' actions, as a fraction of the game."""
    firsts = [(trace, dict(_firsts(study, trace))) for trace in study.games]
    shades, texts = {}, {}
    for orbit in orbits(study):
        one = mean(
            (trace.block, sum(first.get(name, 1.0) for name in orbit), float(len(orbit)))
            for trace, first in firsts
        )
        touched = any(name in first for _, first in firsts for name in orbit)
        if one is None or not touched:
            continue
        for name in orbit:
            shades[name] = (1 - one.value, None)
            texts[name] = f"{name}: touched first after {in_words(_clipped(one), 'percent')} of a game"
    if not shades:
        return None
    return BoardMap(
        "How early places are taken",
        f"The stronger the tint, the earlier a place is touched first in games of {study.best.title}; "
        "untouched ones count as touched at the end.",
        _stretched(shades),
        texts,
    )


def _firsts(study: Study, trace: Trace) -> Iterator[tuple[str, float]]:
    actions, seen = study.game.actions, set()
    for ply in range(trace.opening, trace.plies):
        target = actions[trace.actions[ply]].target
        if target and target not in seen:
            seen.add(target)
            yield target, (ply - trace.opening) / trace.played


def _ownership(study: Study) -> BoardMap | None:
    """How often each player owns each place at the end."""
    names = study.game.player_names
    shades, texts = {}, {}
    for orbit in orbits(study):
        owned = [_owned(study, orbit, seat) for seat in range(study.game.players)]
        values = [one.value for one in owned]
        if not sum(values):
            continue
        ordered = sorted(values, reverse=True)
        leading = values.index(ordered[0])
        told = ", ".join(
            f"{name} {in_words(_clipped(one), 'percent')}" for name, one in zip(names, owned, strict=True)
        )
        for name in orbit:
            shades[name] = (ordered[0] - ordered[1], leading)
            texts[name] = f"{name} belongs in the end to: {told}"
    if not shades:
        return None
    return BoardMap(
        "Who owns what at the end",
        f"Tinted for whoever owns a place more often at the end of games of {study.best.title}, the "
        "stronger the larger the difference; where nothing is tinted it is even.",
        _stretched(shades),
        texts,
    )


def _owned(study: Study, orbit: list[str], seat: int) -> Estimate:
    one = mean(
        (trace.block, float(sum(trace.owners.get(name) == seat for name in orbit)), float(len(orbit)))
        for trace in study.games
    )
    assert one
    return one


def _clipped(one: Estimate) -> Estimate:
    return Estimate(one.value, max(0.0, one.low), min(1.0, one.high), one.games, one.blocks)


def _stretched(shades: Mapping[str, tuple[float, int | None]]) -> dict[str, tuple[float, int | None]]:
    """Rescale strengths so that the strongest is 1 and, for neutral tints, the weakest 0."""
    values = [strength for strength, _ in shades.values()]
    least = min(values) if any(player is None for _, player in shades.values()) else 0.0
    span = max(values) - least
    return {
        name: ((strength - least) / span if span else 0.0, player)
        for name, (strength, player) in shades.items()
    }


KIND_NAMES = {
    "place": "placements",
    "remove": "removals",
    "convert": "conversions",
    "pass": "passes",
    "end": "ends of a turn",
}


def action_kinds(study: Study) -> Section:
    """The share of each kind of action, in whole games and in each third."""
    kinds = np.array([action.kind for action in study.game.actions])
    used = Counter(str(kinds[action]) for trace in study.games for action in trace.actions)
    rows = []
    for kind in (kind for kind in KIND_NAMES if used[kind]):
        cells = [Cell(KIND_NAMES[kind])]
        for begin, end in ((0.0, 1.0), (0.0, 1 / 3), (1 / 3, 2 / 3), (2 / 3, 1.0)):
            one = mean(_share_of_kind(trace, kinds, kind, begin, end) for trace in study.games)
            cells.append(
                Cell(number=Number(KIND_NAMES[kind], one, "percent", study.best.title)) if one else Cell("–")
            )
        rows.append(tuple(cells))
    first = rows[0][1].number
    assert first
    return Section(
        key="actions",
        title="Kinds of actions",
        group="board",
        finding=f"{in_words(first.estimate, 'percent')} of actions are {first.label}.",
        means="What players do: which share of all actions is of each kind, in whole games and in each "
        "third of them.",
        not_means="Actions that come of themselves by the rules, such as captures that nobody has to "
        "choose, are none.",
        figures=(
            Table(
                "Kinds of actions",
                ("kind", "whole game", "first third", "second third", "last third"),
                tuple(rows),
                f"Games of {study.best.title}.",
            ),
        ),
    )


def _share_of_kind(
    trace: Trace, kinds: np.ndarray, kind: str, begin: float, end: float
) -> tuple[str, float, float]:
    inside = trace.actions[trace.at(begin) if begin else 0 : trace.at(end)]
    return trace.block, float((kinds[list(inside)] == kind).sum()) if inside else 0.0, float(len(inside))


def repetition(study: Study) -> Section:
    """How often positions repeat within a game, and how many games differ."""
    again = mean((trace.block, float(trace.repeated), float(len(trace.hashes))) for trace in study.games)
    assert again
    different = len({trace.actions for trace in study.games})
    most = max(study.games, key=lambda trace: (trace.repeated, -trace.id.number))
    return Section(
        key="repetition",
        title="Repetition",
        group="board",
        finding=f"{in_words(again, 'percent')} of positions had been there before in the same game; of "
        f"{len(study.games):,} games {different:,} differ.",
        means="How often a position comes again in the same game, and whether players of one strength "
        "play the same game twice.",
        not_means="Bots draw on chance, and people do not: that games differ says that there is more than "
        "one way to play, not that all ways are good.",
        numbers=(
            *number(study, "positions that had been there before", again, "percent"),
            *number(study, "repeated positions a game", mean_of(study.games, lambda trace: trace.repeated)),
        ),
        figures=tuple(
            strength_chart(
                study,
                "Repetition over strength",
                "repeated positions a game",
                [("repeated", lambda games: mean_of(games, lambda trace: trace.repeated))],
                "How many positions of a game had been there before, over the strength of the players.",
            )
        )
        if again.value
        else (),
        links=(extreme(study.games, lambda trace: trace.repeated, f"{most.repeated} positions come again"),)
        if most.repeated
        else (),
    )
