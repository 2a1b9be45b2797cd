"""Checks of what people are shown: words, drawings, and actions that the site can offer."""

from collections import Counter
from xml.etree import ElementTree

from kakomi.core import Position
from kakomi.research.certify.random_games import Inspection, spread

DRAWN = 4
"""The number of positions of a game that are drawn."""
EXPLAINED = 4
"""The number of illegal actions at a position whose reason is checked."""


def words(inspection: Inspection) -> None:
    """Messages for players have one line: what is expected, how it ended, why an action isn't legal."""
    explain = inspection.game.description.explain
    numbers = range(len(inspection.game.actions))
    for position in inspection.positions():
        told = explain.account(position) if position.is_over else explain.expects(position)
        _one_line(inspection, "words for players", told)
        illegal = sorted(set(numbers) - set(position.legal_actions()))
        for action in spread(illegal, EXPLAINED):
            text = inspection.game.action_texts[action]
            _one_line(inspection, f"why {text} isn't legal, told", position.why_illegal(action))


def _one_line(inspection: Inspection, what: str, words: object) -> None:
    told = str(words)
    inspection.holds(what, bool(told.strip()) and "\n" not in told, "in one line", repr(told))


def drawings(inspection: Inspection) -> None:
    """Positions can be drawn as text and as SVG, with all overlays, and drawings name existing places
    only."""
    for one in inspection.random_games:
        for position in spread(list(inspection.walk(one)), DRAWN):
            inspection.place = one.actions[: position.ply]
            _draw(inspection, position)


def _draw(inspection: Inspection, position: Position) -> None:
    geometry, overlays = inspection.game.geometry, position.overlays()
    names = [overlay.name for overlay in overlays]
    inspection.same("overlays, none twice:", sorted(set(names)), sorted(names))
    text = position.text(legal=True, overlays=names)
    inspection.holds("a drawing in characters", "\x1b" not in text, "without terminal codes", text)
    root = ElementTree.fromstring(position.svg(legal=True, overlays=names))  # noqa: S314 (drawn here)
    inspection.holds("a picture", root.tag.endswith("svg"), "in SVG", root.tag)
    scene = position.scene(legal=True)
    touched = {*scene.last, *scene.legal, *scene.stones}
    touched |= {mark.at for overlay in overlays for mark in overlay.marks}
    places = {*geometry.names, *(cell.name for cell in geometry.cells)}
    inspection.same("places drawn that there aren't:", set(), touched - places)


def offers(inspection: Inspection) -> None:
    """The site can offer every legal action: no two that are legal at once have the same target."""
    actions = inspection.game.actions
    for position in inspection.positions():
        legal = [actions[number] for number in position.legal_actions()]
        targets = Counter(action.target for action in legal if action.target)
        for target, count in targets.items():
            texts = ", ".join(action.text for action in legal if action.target == target)
            inspection.holds(f"at {target}", count == 1, "one legal action", texts)
