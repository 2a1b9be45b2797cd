"""Drawings in plain characters."""

from kakomi.draw.glyphs import (
    EMPTY,
    FAINT,
    changes_letters,
    legend_of,
    needs_room,
    notes_of_overlay,
    sign_of_point,
    signs_of_overlay,
)
from kakomi.draw.grid import Grid, painted
from kakomi.draw.player_style import liveries
from kakomi.draw.rotation import turned
from kakomi.draw.rows import levels, row_ends
from kakomi.draw.scene import Overlay, Scene

_PLAYABLE = "+"
_PLAYED = "1;35"
_HINTED = "36"


def draw_text(scene: Scene, colour: bool = False) -> str:
    """The scene in ASCII with a legend under it; `colour` adds terminal colours, which say no more.

    Stones are capital letters, `.` is an empty point and `+` one that can be played; brackets stand
    round what was played last. A cell's sign stands in its middle. What an overlay writes on a stone
    follows its letter.

    Raises ValueError for more than six players.
    """
    return _Text(scene).drawn(colour)


class _Text:
    """A drawing as it comes into being: what stands where, then the characters, then the legend."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.geometry = turned(scene.geometry, scene.turned)
        self.pitch = 4 if needs_room(scene) else 2
        self.heights = levels(y for _, y in self.geometry.places)
        self.lefts = levels(x for x, _ in self.geometry.places)
        points = dict(zip(self.geometry.names, self.geometry.places, strict=True))
        self.places = points | {cell.name: cell.place for cell in self.geometry.cells}
        self.signs = {name: sign_of_point(scene, name) for name in points}
        self.notes: dict[str, str] = {}
        self.grid = Grid()

    def drawn(self, colour: bool) -> str:
        legends = [self._marked(overlay) for overlay in self.scene.overlays]
        for name, sign in self.signs.items():
            self.grid.put(*self._spot(name), self._written(name), sign.paint)
        self._write_playable()
        self._write_last()
        self._write_labels()
        legend = [self._players(colour), *legends]
        return "\n".join([*self.grid.lines(colour), "", *legend]) + "\n"

    def _marked(self, overlay: Overlay) -> str:
        """Note what an overlay marks; the line of the legend that explains it."""
        changing = [other for other in self.scene.overlays if changes_letters(self.scene, other)]
        signs = signs_of_overlay(self.scene, overlay, rank=int(overlay in changing[1:]))
        notes = notes_of_overlay(self.scene, overlay)
        self.signs |= signs
        self.notes |= notes
        return legend_of(overlay.title, signs.values()) if signs or notes else f"{overlay.title} (none)"

    def _written(self, name: str) -> str:
        """What stands at a point or cell; nothing at a cell that isn't marked."""
        return self.signs[name].text + self.notes.get(name, "") if name in self.signs else " "

    def _spot(self, name: str) -> tuple[int, int]:
        """The row and the first column of what is written at a point, or round the middle of a cell."""
        x, y = self.places[name]
        centring = 0 if name in self.geometry.index else (len(self._written(name)) - 1) // 2
        return self.heights.index(round(y, 3)), self._column(x) - centring

    def _column(self, x: float) -> int:
        return round(self.pitch * (x - self.lefts[0]))

    def _write_playable(self) -> None:
        """On an empty place, or before a sign that has to stay."""
        for name in self.scene.legal:
            row, column = self._spot(name)
            if self.grid.at(row, column) not in (EMPTY, " "):
                column -= 1
            self.grid.put(row, column, _PLAYABLE, _HINTED)

    def _write_last(self) -> None:
        for name in dict.fromkeys(self.scene.last):
            row, column = self._spot(name)
            self._write_bracket(row, column - 1, "(")
            self._write_bracket(row, column + len(self._written(name)), ")")

    def _write_bracket(self, row: int, column: int, bracket: str) -> None:
        """One that is there already belongs to the place on the other side."""
        shared = self.grid.at(row, column) in "()"
        self.grid.put(row, column, "|" if shared else bracket, _PLAYED)

    def _write_labels(self) -> None:
        width = max(column for _, column in map(self._spot, self.geometry.names))
        for row, label in enumerate(self.geometry.rows):
            self._write_beside(row, 0, width, label, label)
        if not self.geometry.rows:
            for first, last in row_ends(self.geometry):
                (row, start), (_, end) = self._spot(first), self._spot(last)
                self._write_beside(row, start, end, first, last)
        if self.geometry.columns:
            self._write_columns()

    def _write_beside(self, row: int, start: int, end: int, before: str, after: str) -> None:
        self.grid.put(row, start - 2 - len(before), before, FAINT)
        self.grid.put(row, end + 1 + self.pitch, after, FAINT)

    def _write_columns(self) -> None:
        """Above and below; labels are written downwards, so that they never touch."""
        tallest = max(len(label) for label in self.geometry.columns)
        for label, x in zip(self.geometry.columns, self.lefts, strict=True):
            for down, character in enumerate(label.rjust(tallest)):
                self.grid.put(down - tallest - 1, self._column(x), character, FAINT)
                self.grid.put(len(self.heights) + 1 + down, self._column(x), character, FAINT)

    def _players(self, colour: bool) -> str:
        """Whose stones are whose, and what else may stand on the board."""
        scene = self.scene
        parts = [
            f"{painted(livery.letter, livery.paint if colour else '')} {name}"
            for livery, name in zip(liveries(scene.player_names), scene.player_names, strict=True)
        ]
        if scene.last:
            parts.append("( ) last played")
        if scene.legal:
            parts.append("+ can be played")
        return "  ".join(parts)
