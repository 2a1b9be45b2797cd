"""A drawing in words, for people who hear it read."""

from collections.abc import Iterable

from kakomi.draw.scene import Mark, Scene


def title(scene: Scene) -> str:
    """What the drawing is called."""
    return scene.title or "A board"


def description(scene: Scene) -> str:
    """The whole drawing in sentences: board, stones, last action, marks."""
    size = scene.geometry.size
    parts = [f"A {scene.geometry.kind} board of size {size}."]
    parts += [_stones(name, _of_player(scene, player)) for player, name in enumerate(scene.player_names)]
    if scene.last:
        parts.append(f"Last played: {' '.join(scene.last)}.")
    if scene.to_move is not None:
        parts.append(f"{scene.player_names[scene.to_move]} is to move.")
    parts += [f"{overlay.title}: {_marks(scene, overlay.marks)}." for overlay in scene.overlays]
    return " ".join(parts)


def _of_player(scene: Scene, player: int) -> list[str]:
    return [name for name in scene.geometry.names if scene.stones.get(name) == player]


def _stones(player: str, names: list[str]) -> str:
    if not names:
        return f"{player} has no stones."
    return f"{player} has {len(names)} {'stone' if len(names) == 1 else 'stones'}: {' '.join(names)}."


def _marks(scene: Scene, marks: Iterable[Mark]) -> str:
    """Places that are marked alike, together."""
    groups: dict[str, list[str]] = {}
    for mark in marks:
        groups.setdefault(_spoken(scene, mark), []).append(mark.at)
    return "; ".join(_group(meaning, places) for meaning, places in groups.items()) or "none"


def _spoken(scene: Scene, mark: Mark) -> str:
    player = "" if mark.player is None else scene.player_names[mark.player]
    return ", ".join(part for part in (player, mark.text) if part)


def _group(meaning: str, places: list[str]) -> str:
    return f"{meaning} at {' '.join(places)}" if meaning else " ".join(places)
