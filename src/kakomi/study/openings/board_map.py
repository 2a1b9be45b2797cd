"""The board, tinted by how often the first stone went to each place."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from kakomi.study.openings.classes import Turn, TurnClasses
from kakomi.study.openings.table import OpeningTable
from kakomi.study.report.content import BoardMap
from kakomi.study.report.page.boards import draw_board


class OpeningMap(NamedTuple):
    """Where the first stones of first turns went; turns that are alike share what came to them."""

    places: dict[str, float]
    """The part of all searches in which the first stone went to each point or cell."""
    elsewhere: float
    """The part of searches whose first turn touches no place, such as a pass."""

    @property
    def most(self) -> float:
        """The largest part, 0 if no place was touched."""
        return max(self.places.values(), default=0.0)


def opening_map(classes: TurnClasses, turns: Iterable[tuple[Turn, float]]) -> OpeningMap:
    """The map of first turns, each with the part of all searches that it stands for."""
    actions = classes.game.actions
    places: dict[str, float] = defaultdict(float)
    elsewhere = 0.0
    for turn, part in turns:
        first = next((action for action in turn if actions[action].target), None)
        if first is None:
            elsewhere += part
            continue
        for symmetry in classes.symmetries:
            target = actions[symmetry.actions[first]].target
            assert target
            places[target] += part / len(classes.symmetries)
    return OpeningMap(dict(places), elsewhere)


def shaded(found: OpeningMap, title: str, about: str, said: str) -> BoardMap:
    """The map for a drawing; `said` of each place has `{place}` and `{percent}` in it."""
    return BoardMap(
        title,
        about,
        {place: (part / found.most, None) for place, part in found.places.items()},
        {
            place: said.format(place=place, percent=f"{100 * part:.1f}")
            for place, part in found.places.items()
        },
    )


def drawn_map(table: OpeningTable, player: str) -> str:
    """The map of a study's searches as an SVG document, light or dark as the viewer has it."""
    found = opening_map(table.classes, ((row.actions, row.share.value) for row in table.played))
    title = f"Where {player} begins"
    about = (
        f"The stronger the tint, the more of {table.searches:,} searches put their first stone there; places "
        f"that are alike share what came to them. The strongest stands for {100 * found.most:.1f} %."
    )
    if found.elsewhere:
        about += f" {100 * found.elsewhere:.1f} % of first turns touch no place."
    said = "{place}: the first stone of {percent} % of searches"
    return draw_board(table.game, shaded(found, title, about, said), "openings")
