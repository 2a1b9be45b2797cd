"""Text alternatives for a drawing, for screen readers."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from kakomi.boards import Cell
from kakomi.draw.scene import Mark, Scene

Translate = Callable[[str], str]
"""Translates one of `WORDS`, or a name, title or text of the scene, into the viewer's language."""
WORDS = (
    "A board",
    "A square board of size {size}.",
    "A hexagon board of size {size}.",
    "A honeycomb board of size {size}.",
    "{player} has no stones.",
    "{player} has 1 stone: {places}.",
    "{player} has {count} stones: {places}.",
    "Last played: {places}.",
    "{player} to move.",
    "none",
    "{meaning} at {places}",
    "{player} stone",
    "empty",
    "circle {name}",
    "cell {name}",
    "{count} {player}",
    "no stones",
    "{what} ({player})",
    "{what}: {text}",
    "move {number}",
    "last played",
    "can be played",
    "not confirmed yet",
    "legal",
    "engine: {label}",
    "best: {label}",
)
"""The translatable parts of descriptions and names."""


def title(scene: Scene, translate: Translate = str) -> str:
    """Return the title of the drawing."""
    return translate(scene.title or "A board")


def description(scene: Scene, translate: Translate = str) -> str:
    """Describe the whole drawing in sentences: board, stones, last action, marks."""
    parts = [translate(f"A {scene.geometry.kind} board of size {{size}}.").format(size=scene.geometry.size)]
    stones: dict[int, list[str]] = defaultdict(list)
    for point in scene.geometry.names:
        if point in scene.stones:
            kind = f" ({translate(scene.kind_name(scene.kinds[point]))})" if point in scene.kinds else ""
            stones[scene.owners[point]].append(point + kind)
    players = [translate(name) for name in scene.player_names]
    parts += [_stones(name, stones[player], translate) for player, name in enumerate(players)]
    if scene.last:
        parts.append(translate("Last played: {places}.").format(places=" ".join(scene.last)))
    if scene.to_move is not None:
        parts.append(translate("{player} to move.").format(player=players[scene.to_move]))
    parts += [
        f"{translate(overlay.title)}: {_marks(players, overlay.marks, translate)}."
        for overlay in scene.overlays
    ]
    return " ".join(parts)


def _stones(player: str, names: list[str], translate: Translate) -> str:
    if not names:
        return translate("{player} has no stones.").format(player=player)
    sentence = (
        "{player} has 1 stone: {places}." if len(names) == 1 else "{player} has {count} stones: {places}."
    )
    return translate(sentence).format(player=player, count=len(names), places=" ".join(names))


def _marks(players: list[str], marks: Iterable[Mark], translate: Translate) -> str:
    """List marks, grouping places with the same mark."""
    groups: dict[tuple[int | None, str], list[str]] = defaultdict(list)
    for mark in marks:
        groups[mark.player, mark.text].append(mark.at)
    listed = []
    for (player, text), at in groups.items():
        parts = ("" if player is None else players[player], translate(text) if text else "")
        meaning, places = ", ".join(filter(None, parts)), " ".join(at)
        with_meaning = translate("{meaning} at {places}").format(meaning=meaning, places=places)
        listed.append(with_meaning if meaning else places)
    return "; ".join(listed) or translate("none")


def names_of_targets(scene: Scene, translate: Translate = str) -> dict[str, str]:
    """Name each point and cell with its content: `d4, Black stone, alive`, `3,6, empty, legal`."""
    stone = [translate("{player} stone").format(player=translate(name)) for name in scene.player_names]
    empty, stones = translate("empty"), scene.owners
    names = {
        name: f"{name}, {stone[stones[name]] if name in stones else empty}" for name in scene.geometry.names
    }
    for name, kind in scene.kinds.items():
        names[name] += f", {translate(scene.kind_name(kind))}"
    called = translate("circle {name}" if scene.style.points == "circles" else "cell {name}")
    inside = _Inside(scene, translate)
    for cell in scene.geometry.cells:
        names[cell.name] = f"{called.format(name=cell.name)}, {inside(cell)}"
    for at, more in _remarks(scene, translate):
        names[at] = f"{names[at]}, {more}"
    return names


class _Inside:
    """Counts each player's stones in a cell, in words."""

    def __init__(self, scene: Scene, translate: Translate) -> None:
        self.stones = [scene.owners.get(name) for name in scene.geometry.names]
        self.players = scene.player_names
        self.translate = translate
        self.said: dict[tuple[int | None, ...], str] = {}

    def __call__(self, cell: Cell) -> str:
        inside = tuple(map(self.stones.__getitem__, cell.points))
        if (said := self.said.get(inside)) is None:
            counts = tuple(inside.count(player) for player in range(len(self.players)))
            said = self.said[inside] = self._in_words(counts)
        return said

    def _in_words(self, counts: tuple[int, ...]) -> str:
        each = zip(counts, self.players, strict=True)
        parts = [
            self.translate("{count} {player}").format(count=count, player=self.translate(name))
            for count, name in each
            if count
        ]
        return ", ".join(parts) or self.translate("no stones")


def _remarks(scene: Scene, translate: Translate) -> Iterator[tuple[str, str]]:
    """Yield points and cells with further remarks on them."""
    for overlay in scene.overlays:
        for mark in overlay.marks:
            yield mark.at, _mark_in_words(scene, mark, translate(overlay.name), translate)
    for at, number in scene.numbers.items():
        yield at, translate("move {number}").format(number=number)
    yield from ((at, translate("last played")) for at in dict.fromkeys(scene.last) if at not in scene.draft)
    yield from ((at, translate("not confirmed yet")) for at in dict.fromkeys(scene.draft))
    legal = translate("legal")
    yield from ((at, legal) for at in scene.legal)
    for hint in scene.hints:
        yield hint.at, translate("engine: {label}" if hint.rank else "best: {label}").format(label=hint.label)


def _mark_in_words(scene: Scene, mark: Mark, overlay: str, translate: Translate) -> str:
    """Return the text of a mark, with the player unless they own the stone there."""
    what = overlay if mark.kind == "text" or not mark.text else translate(mark.text)
    if mark.player is not None and scene.owners.get(mark.at) != mark.player:
        what = translate("{what} ({player})").format(
            what=what, player=translate(scene.player_names[mark.player])
        )
    return (
        translate("{what}: {text}").format(what=what, text=translate(mark.text))
        if mark.kind == "text"
        else what
    )
