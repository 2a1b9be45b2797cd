"""Checks of the rules (legal actions, turns, the ends of games) and of what people see: messages, drawings,
and the actions that the site offers.
"""

import math
from collections import Counter
from xml.etree import ElementTree

from kakomi.core import Position
from kakomi.core.validation import unmet_requirements
from kakomi.research.certify.random_games import Inspection, most_plies, spread


def requirements(inspection: Inspection) -> None:
    """The game fits: for example no chance, and a unique text for each action (docs/what-fits.md)."""
    inspection.same("reasons against it:", [], list(unmet_requirements(inspection.game)))


def running(inspection: Inspection) -> None:
    """Interpreted rules run without an overflow or any other error."""
    for one in inspection.random_games:
        inspection.place = one.failing
        inspection.count += len(one.actions)
        inspection.same("error", "none", one.error)


def listing(inspection: Inspection) -> None:
    """Legal actions are distinct ascending numbers, and exist until the game is over."""
    for position in inspection.positions():
        legal = position.legal_actions()
        inspection.same("legal actions ascending:", sorted(set(legal)), legal)
        actions = range(len(inspection.game.actions))
        inspection.holds(f"legal actions 0 to {actions[-1]}:", set(legal) <= set(actions), "these", legal)
        inspection.same("that the game is over:", not legal, position.is_over)


def kinds(inspection: Inspection) -> None:
    """Stones change according to the kind of action: a removal removes its stone, a pass changes none."""
    for before, number, after in inspection.steps():
        action = inspection.game.actions[number]
        changes = (before.stones(), before.kinds()) != (after.stones(), after.kinds())
        is_quiet = action.kind in ("pass", "end")
        inspection.same(f"that {action.text} changes stones:", not is_quiet, changes)
        if action.kind == "remove":
            held = [action.point in position.stones() for position in (before, after)]
            inspection.same(f"a stone before and after {action.text}:", [True, False], held)


def turns(inspection: Inspection) -> None:
    """The player to act exists and stays the same during a turn, and plies and turns are counted."""
    for before, action, after in inspection.steps():
        players = range(inspection.game.players)
        inspection.holds("the player to act", after.to_move in players, f"among {players}", after.to_move)
        inspection.same("the player to act, by the state:", int(after.state["to_move"]), after.to_move)
        inspection.same("ply", before.ply + 1, after.ply)
        turn = (*before.turn, action)
        inspection.same("the turn", turn, after.turn or after.previous_turn)
        if after.turn:
            inspection.same("the player of the turn", before.to_move, after.to_move)


def endings(inspection: Inspection) -> None:
    """Games end, with a return for each player; the returns' sum is 0, and the best score wins."""
    game = inspection.game
    for walk in inspection.walks():
        *_, last = walk
        if last.is_over:
            _settled(inspection, last)
        elif game.cut_off is None and last.ply >= most_plies(game):
            inspection.same("an end within plies:", most_plies(game), "none")


def _settled(inspection: Inspection, last: Position) -> None:
    players, scores, returns = inspection.game.players, last.scores(), last.returns()
    inspection.same("returns, as many as players:", players, len(returns))
    inspection.holds("returns", abs(sum(returns)) < 1e-9, "whose sum is 0", returns)
    inspection.holds("scores", all(map(math.isfinite, scores)), "that are finite numbers", scores)
    inspection.same("the winners", _best(scores), _best(returns))


def _best(numbers: list[float]) -> list[int]:
    return [player for player, number in enumerate(numbers) if number == max(numbers)]


DRAWN = 4
"""The number of positions of a game to draw."""
EXPLAINED = 4
"""The number of illegal actions at a position whose reason is checked."""


def words(inspection: Inspection) -> None:
    """Messages for players are one line: what is expected, how the game ended, why an action is illegal."""
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
    """Positions can be drawn as text and SVG with all overlays, and drawings name only existing places."""
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
    """The site can offer every legal action: no two legal actions have the same target."""
    actions = inspection.game.actions
    for position in inspection.positions():
        legal = [actions[number] for number in position.legal_actions()]
        targets = Counter(action.target for action in legal if action.target)
        for target, count in targets.items():
            texts = ", ".join(action.text for action in legal if action.target == target)
            inspection.holds(f"at {target}", count == 1, "one legal action", texts)
