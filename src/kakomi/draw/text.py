"""Drawings as plain text."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from kakomi.draw.alt_text import Translate
from kakomi.draw.player_style import player_styles
from kakomi.draw.rotation import levels, row_ends, turned
from kakomi.draw.scene import Mark, Overlay, Scene

EMPTY = "."
SHARED_GLYPH = ":"
"""The glyph of a place marked for no player or for several."""
FAINT, STRONG = "2", "1"
_FITS, _WIDEST = 2, 3
"""The maximum characters of text at a point, on a board of normal width and on a wide one."""


@dataclass(frozen=True)
class Glyph:
    """Characters, their paint, and their meaning in the legend."""

    text: str
    paint: str
    meaning: str = ""


_SHARED = Glyph(SHARED_GLYPH, STRONG, "several players")


def glyph_of_point(scene: Scene, name: str) -> Glyph:
    """Return the glyph of a stone or an empty point."""
    player = scene.owners.get(name)
    if player is None:
        return Glyph(EMPTY, FAINT)
    style = player_styles(scene.player_names)[player]
    return Glyph(style.letter, style.paint)


def glyphs_of_overlay(scene: Scene, overlay: Overlay, rank: int) -> dict[str, Glyph]:
    """Return the glyphs that an overlay changes, by place.

    `rank` is 0 for the first overlay that changes the letters of stones, 1 for the others.
    """
    glyphs: dict[str, Glyph] = {}
    for mark in overlay.marks:
        if _changes(scene, mark):
            glyph = _glyph(scene, mark, rank)
            glyphs[mark.at] = glyph if glyphs.get(mark.at, glyph) == glyph else _SHARED
    return glyphs


def notes_of_overlay(scene: Scene, overlay: Overlay) -> dict[str, str]:
    """Return the texts that an overlay adds after the letters of stones."""
    return {mark.at: mark.text[:_WIDEST] for mark in overlay.marks if _is_note(scene, mark)}


def changes_letters(scene: Scene, overlay: Overlay) -> bool:
    """Whether an overlay changes the letter of any stone."""
    return any(mark.at in scene.stones and _changes(scene, mark) for mark in overlay.marks)


def needs_room(scene: Scene) -> bool:
    """Whether any text doesn't fit between neighbouring points."""
    if scene.kinds:
        return True
    marks = [mark for overlay in scene.overlays for mark in overlay.marks if mark.kind == "text"]
    return any(_is_note(scene, mark) or len(mark.text) > _FITS for mark in marks)


def _changes(scene: Scene, mark: Mark) -> bool:
    """Whether a mark changes a glyph: not for a note, nor for a stone in an area of its own player."""
    plain = mark.kind == "area" and mark.at in scene.stones and scene.owners[mark.at] == mark.player
    return not plain and not _is_note(scene, mark)


def _is_note(scene: Scene, mark: Mark) -> bool:
    return mark.kind == "text" and mark.at in scene.stones


def _glyph(scene: Scene, mark: Mark, rank: int) -> Glyph:
    players = player_styles(scene.player_names)
    if mark.at in scene.stones:
        stone = scene.owners[mark.at]
        return Glyph(players[stone].marked[rank], players[stone].paint, scene.player_names[stone])
    paint = STRONG if mark.player is None else players[mark.player].hue
    if mark.kind == "text":
        return Glyph(mark.text[:_WIDEST], paint, mark.text)
    if mark.player is None:
        return Glyph(SHARED_GLYPH, paint, mark.text)
    return Glyph(_letter(scene, mark, players[mark.player].letter), paint, scene.player_names[mark.player])


def _letter(scene: Scene, mark: Mark, letter: str) -> str:
    """Return a player's letter in lower case, or in upper case for a strongly marked cell."""
    strong = mark.kind in ("ring", "square") and mark.at not in scene.geometry.index
    return letter if strong else letter.lower()


def legend_of(title: str, glyphs: Iterable[Glyph]) -> str:
    """Return an overlay's legend line, without the glyphs that are their own meaning."""
    meanings = sorted({(glyph.text, glyph.meaning) for glyph in glyphs if glyph.text != glyph.meaning})
    parts = [f"{text} {meaning}".rstrip() for text, meaning in meanings]
    return f"{title} ({', '.join(parts)})" if parts else title


_PLAYABLE = "+"
_PLAYED = "1;35"
_HINTED = "36"


def draw_text(scene: Scene, colour: bool = False, translate: Translate = str) -> str:
    """Draw the scene in ASCII with a legend below it. `colour` adds terminal colours, but no information.

    Stones are capital letters, `.` is an empty point and `+` a playable one; brackets enclose the last
    action. A cell's glyph is in its middle. Texts of overlays follow a stone's letter. `translate` translates
    the legend: `alt_text.WORDS`, and the names of the scene.

    Raises ValueError for more than six players.
    """
    return _Text(scene, translate).drawn(colour)


class _Text:
    """A text drawing in progress: its content by place, its characters and its legend."""

    def __init__(self, scene: Scene, translate: Translate) -> None:
        self.scene = scene
        self.translate = translate
        self.geometry = turned(scene.geometry, scene.turned)
        self.pitch = 4 if needs_room(scene) else 2
        self.heights = levels(y for _, y in self.geometry.places)
        self.lefts = levels(x for x, _ in self.geometry.places)
        points = dict(zip(self.geometry.names, self.geometry.places, strict=True))
        self.places = points | {cell.name: cell.place for cell in self.geometry.cells}
        self.glyphs = {name: glyph_of_point(scene, name) for name in points}
        self.notes = {at: scene.kind_letter(at) for at in scene.kinds}
        self.grid = Grid()

    def drawn(self, colour: bool) -> str:
        legends = [self._marked(overlay) for overlay in self.scene.overlays]
        for name, glyph in self.glyphs.items():
            self.grid.put(*self._spot(name), self._written(name), glyph.paint)
        self._write_playable()
        self._write_last()
        self._write_labels()
        legend = [self._players(colour), *legends]
        return "\n".join([*self.grid.lines(colour), "", *legend]) + "\n"

    def _marked(self, overlay: Overlay) -> str:
        """Add an overlay's marks. Return its legend line."""
        changing = [other for other in self.scene.overlays if changes_letters(self.scene, other)]
        glyphs = glyphs_of_overlay(self.scene, overlay, rank=int(overlay in changing[1:]))
        notes = notes_of_overlay(self.scene, overlay)
        self.glyphs |= glyphs
        self.notes |= {at: self.notes.get(at, "") + note for at, note in notes.items()}
        return legend_of(overlay.title, glyphs.values()) if glyphs or notes else f"{overlay.title} (none)"

    def _written(self, name: str) -> str:
        """Return the characters at a point or cell; a space at an unmarked cell."""
        return self.glyphs[name].text + self.notes.get(name, "") if name in self.glyphs else " "

    def _spot(self, name: str) -> tuple[int, int]:
        """Return the row and first column of the text at a point, or centred in a cell."""
        x, y = self.places[name]
        centring = 0 if name in self.geometry.index else (len(self._written(name)) - 1) // 2
        return self.heights.index(round(y, 3)), self._column(x) - centring

    def _column(self, x: float) -> int:
        return round(self.pitch * (x - self.lefts[0]))

    def _write_playable(self) -> None:
        """Mark playable places, in place of an empty glyph or before any other."""
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
        """Write a bracket; `|` if the neighbouring place has one in the same column."""
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
        """Write the column labels above and below the board, vertically so that they never touch."""
        tallest = max(len(label) for label in self.geometry.columns)
        for label, x in zip(self.geometry.columns, self.lefts, strict=True):
            for down, character in enumerate(label.rjust(tallest)):
                self.grid.put(down - tallest - 1, self._column(x), character, FAINT)
                self.grid.put(len(self.heights) + 1 + down, self._column(x), character, FAINT)

    def _players(self, colour: bool) -> str:
        """Return the legend of stones and of the other signs on the board."""
        scene = self.scene
        parts = [
            f"{painted(style.letter, style.paint if colour else '')} {self.translate(name)}"
            for style, name in zip(player_styles(scene.player_names), scene.player_names, strict=True)
        ]
        parts += [
            f"{scene.kind_name(kind)[:1].upper()} {scene.kind_name(kind)}"
            for kind in sorted(set(scene.kinds.values()))
            if kind < len(scene.style.kinds)
        ]
        if scene.last:
            parts.append(f"( ) {self.translate('last played')}")
        if scene.legal:
            parts.append(f"+ {self.translate('can be played')}")
        return "  ".join(parts)


class Grid:
    """Characters by row and column, both of which may be negative; unset ones are spaces.

    A paint is the text between `ESC [` and `m` of a terminal's escape sequence, `""` for none.
    """

    def __init__(self) -> None:
        self._marks: dict[tuple[int, int], tuple[str, str]] = {}

    def put(self, row: int, column: int, text: str, paint: str = "") -> None:
        """Write a text to the right from a place, overwriting what was there."""
        for offset, character in enumerate(text):
            self._marks[row, column + offset] = character, paint

    def at(self, row: int, column: int) -> str:
        """Return the character at a place."""
        return self._marks.get((row, column), (" ", ""))[0]

    def lines(self, colour: bool) -> list[str]:
        """Return the rows from top to bottom, without trailing spaces."""
        rows, columns = zip(*self._marks, strict=True)
        left = min(columns)
        return [self._line(row, left, colour) for row in range(min(rows), max(rows) + 1)]

    def _line(self, row: int, left: int, colour: bool) -> str:
        right = max((column for at, column in self._marks if at == row), default=left - 1)
        marks = [self._marks.get((row, column), (" ", "")) for column in range(left, right + 1)]
        if not colour:
            return "".join(character for character, _ in marks)
        return "".join(
            painted("".join(character for character, _ in run), paint)
            for paint, run in groupby(marks, key=lambda mark: mark[1])
        )


def painted(text: str, paint: str) -> str:
    """Return the text with the escape sequences of a paint."""
    return f"\x1b[{paint}m{text}\x1b[0m" if paint else text
