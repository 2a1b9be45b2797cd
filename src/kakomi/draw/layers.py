"""What changes on a board: stones, what was played last, what can be played, marks, numbers, hints.

Every layer is a list of elements as text: drawings are made again after every action.
"""

from collections import defaultdict
from collections.abc import Iterator

from kakomi.draw.board_template import HERE, Sheet, clean, coordinates
from kakomi.draw.scene import Mark, Scene
from kakomi.draw.shapes import STAR, UNIT, around, number, shifted

_MARK_FONT = 15
_NUMBER_FONT = 14
_HINT_FONT = 12
_SHARE = 0.37
"""From a cell's middle to what several players have written there."""


def areas(scene: Scene, sheet: Sheet) -> Iterator[str]:
    """Places tinted in players' colours, under the lines."""
    players_at: dict[str, list[int | None]] = defaultdict(list)
    for mark in _marks(scene):
        if mark.kind == "area" and mark.player not in players_at[mark.at]:
            players_at[mark.at].append(mark.player)
    for at, players in players_at.items():
        tints = ["tint" if player is None else _of("tint", sheet, player) for player in players]
        yield from _area(sheet, at, tints)


def _area(sheet: Sheet, at: str, tints: list[str]) -> Iterator[str]:
    if len(tints) == 1:
        yield _use(sheet, "cell" if at in sheet.cells else "spot", at, tints[0])
        return
    outline = STAR if at in sheet.cells else sheet.look.spot
    for tint, sector in zip(tints, outline.sectors(len(tints), sheet.places[at]), strict=True):
        yield f'<path class="{tint}" d="{sector}" />'


def circles(scene: Scene, sheet: Sheet) -> Iterator[str]:
    """What overlays say of circles, on the lines and under the stones: rings, and whose an area is."""
    written = {mark.at for mark in _marks(scene) if mark.kind == "text"}
    for mark in _marks(scene):
        if mark.at not in sheet.cells:
            continue
        if mark.kind == "ring":
            yield _use(sheet, "cell-ring", mark.at, f"mark {_voice(scene, sheet, mark)}")
        elif mark.kind == "area" and mark.player is not None and mark.at not in written:
            yield f'<use href="#{HERE}-badge-{mark.player}" {sheet.at[mark.at]} />'


def stones(scene: Scene, sheet: Sheet) -> Iterator[str]:
    """Each stone, with its point and its player's class; a paler one in a turn that isn't confirmed."""
    draft, numbered = frozenset(scene.draft), _numbered(scene)
    for name in sheet.geometry.names:
        player = scene.stones.get(name)
        if player is None:
            continue
        shape = "numbered" if name in numbered and sheet.liveries[player].sign else "stone"
        pale = ' opacity=".75"' if name in draft else ""
        yield (
            f'<use href="#{HERE}-{shape}-{player}" {sheet.at[name]} class="stone player-{player}"'
            f" {sheet.hook[name]}{pale} />"
        )


def lasts(scene: Scene, sheet: Sheet) -> Iterator[str]:
    """Rings round the stones and cells played last; a broken one where a stone is gone."""
    there, draft = sheet.cells | scene.stones.keys(), frozenset(scene.draft)
    for at in dict.fromkeys(scene.last):
        if at not in draft:
            yield f'<use href="#{HERE}-{"last" if at in there else "gone"}" {sheet.at[at]} />'


def drafts(scene: Scene, sheet: Sheet) -> Iterator[str]:
    """Broken rings round what isn't confirmed yet, crossed out where a stone is going."""
    for at in dict.fromkeys(scene.draft):
        yield f'<use href="#{HERE}-draft" {sheet.at[at]} />'
        if at not in scene.stones and at not in sheet.cells:
            yield _use(sheet, "cross", at, "going")


def marks(scene: Scene, sheet: Sheet) -> Iterator[str]:
    """The small signs of the overlays."""
    texts: dict[str, list[Mark]] = defaultdict(list)
    numbered = frozenset(_numbered(scene))
    for mark in _marks(scene):
        if mark.kind == "text":
            texts[mark.at].append(mark)
        elif mark.kind != "area" and not (mark.kind == "ring" and mark.at in sheet.cells):
            yield _small_mark(scene, sheet, mark, aside=mark.at in numbered)
    for at, together in texts.items():
        yield from _text_marks(scene, sheet, at, together)


def _small_mark(scene: Scene, sheet: Sheet, mark: Mark, *, aside: bool) -> str:
    """In the middle of its place, or smaller at the upper right of the number there."""
    voice = f"mark {_voice(scene, sheet, mark)}"
    if not aside:
        return _use(sheet, mark.kind, mark.at, voice)
    away = 0.62 * sheet.look.stone
    x, y = shifted(sheet.places[mark.at], (away, -away))
    moved = f"translate({number(x * UNIT)} {number(y * UNIT)}) scale(.62)"
    return f'<use href="#{HERE}-{mark.kind}" transform="{moved}" class="{voice}" />'


def _text_marks(scene: Scene, sheet: Sheet, at: str, together: list[Mark]) -> Iterator[str]:
    """A text in the middle of its place; those of several players round it, each always on its side."""
    if len({mark.player for mark in together}) == 1:
        for mark in together:
            yield from _text_mark(scene, sheet, mark)
        return
    sides = around(len(sheet.liveries), _SHARE, 180 if len(sheet.liveries) == 2 else -90)
    for mark in together:
        if mark.player is not None:
            place = shifted(sheet.places[at], sides[mark.player])
            voice = _of("of", sheet, mark.player)
            yield f'<use href="#{HERE}-share" {coordinates(place)} class="mark {voice}" />'
            size = 12 if len(mark.text) < 2 else 20 / len(mark.text)
            yield _write(mark.text, place, size, f"written {_of('on', sheet, mark.player)}")


def _text_mark(scene: Scene, sheet: Sheet, mark: Mark) -> Iterator[str]:
    """Text inked onto its player's own stone, else onto a chip in the player's colour."""
    voice = _voice(scene, sheet, mark)
    if mark.player is not None and voice == _of("of", sheet, mark.player):
        yield _use(sheet, "chip", mark.at, f"mark {voice}")
        voice = _of("on", sheet, mark.player)
    size = _MARK_FONT if len(mark.text) < 3 else 2.4 * _MARK_FONT / len(mark.text)
    yield _write(mark.text, sheet.places[mark.at], size, f"written {voice}")


def numbers(scene: Scene, sheet: Sheet) -> Iterator[str]:
    """Numbers of actions, on stones a little below the middle if a sign is over them."""
    for at in _numbered(scene):
        text, stone = scene.numbers[at], scene.stones.get(at)
        size = _NUMBER_FONT if len(text) < 3 else 2.6 * _NUMBER_FONT / len(text)
        x, y = sheet.places[at]
        if stone is None:
            yield _write(text, (x, y), size, "number plain")
            continue
        livery = sheet.liveries[stone]
        down = 0.22 * sheet.look.stone if livery.sign and not livery.is_rim else 0
        yield _write(text, (x, y + down), size, f"number {_of('on', sheet, stone)}")


def playable(scene: Scene, sheet: Sheet) -> Iterator[str]:
    """Points where an action is possible."""
    if scene.dotted:
        movers = _movers(scene, sheet)
        yield from (_use(sheet, "dot", at, movers) for at in _open(scene) if at not in sheet.cells)


def choices(scene: Scene, sheet: Sheet) -> Iterator[str]:
    """Cells where an action is possible."""
    movers = _movers(scene, sheet)
    yield from (_use(sheet, "cell-hint", at, movers) for at in _open(scene) if at in sheet.cells)


def _open(scene: Scene) -> Iterator[str]:
    """Where an action is possible and no analysis says what it thinks of it."""
    hinted = {hint.at for hint in scene.hints}
    return (at for at in scene.legal if at not in hinted)


def _movers(scene: Scene, sheet: Sheet) -> str:
    """The class of a mark of the player to act."""
    return "mark plain" if scene.to_move is None else f"mark {_of('of', sheet, scene.to_move)}"


def hints(scene: Scene, sheet: Sheet) -> Iterator[str]:
    """What an analysis thinks of actions; the best one last, so that nothing covers it."""
    for hint in sorted(scene.hints, key=lambda hint: -hint.rank):
        rank = "best" if hint.rank == 0 else "other"
        yield _use(sheet, "hint", hint.at, f"hint {rank}")
        size = _HINT_FONT if len(hint.label) < 5 else 5 * _HINT_FONT / len(hint.label)
        yield _write(hint.label, sheet.places[hint.at], size, f"opinion {rank}")


def _use(sheet: Sheet, shape: str, at: str, cls: str) -> str:
    """A shape that is defined once, put at a point or a cell."""
    return f'<use href="#{HERE}-{shape}" {sheet.at[at]} class="{cls}" />'


def _write(text: str, place: tuple[float, float], size: float, cls: str) -> str:
    """Centred text; `size` is the font's, in drawing units."""
    x, y = number(place[0] * UNIT), number(place[1] * UNIT + 0.35 * size)
    return f'<text x="{x}" y="{y}" class="{cls}" font-size="{number(size)}">{clean(text)}</text>'


def _marks(scene: Scene) -> list[Mark]:
    return [mark for overlay in scene.overlays for mark in overlay.marks]


def _numbered(scene: Scene) -> list[str]:
    """Where a number stands: an overlay's text goes before it."""
    taken = {mark.at for mark in _marks(scene) if mark.kind == "text"} if scene.numbers else ()
    return [at for at in scene.numbers if at not in taken]


def _of(voice: str, sheet: Sheet, player: int) -> str:
    """A class in a player's colours."""
    return f"{voice}-{sheet.liveries[player].name}"


def _voice(scene: Scene, sheet: Sheet, mark: Mark) -> str:
    """A class that makes the mark legible: inked onto its player's own stone, else in their colour."""
    stone = scene.stones.get(mark.at)
    if stone is not None and mark.player in (None, stone):
        return _of("on", sheet, stone)
    return "plain" if mark.player is None else _of("of", sheet, mark.player)
