"""Rings in words and marks: why an action is forbidden, who has which circles, and with what influence."""

from collections.abc import Iterator

from kakomi.core import Action, Position
from kakomi.core.guidance import Guidance
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.i18n import lazy_join, lazy_message, lazy_plural
from kakomi.draw import Mark, Overlay
from kakomi.games.rings.rules import FULL, NOBODY


def why_illegal(position: Position, action: int) -> str:
    """The wrong part of the turn, a stone in the way, no majority, or nothing to convert."""
    wanted = position.game.actions[action]
    if position.state["converting"]:
        return _why_not_in_second_part(position, wanted)
    if wanted.kind == "place":
        return lazy_message(
            "there is a stone on that point already, and stones go on empty points (RULES G5)"
        )
    return lazy_message("a turn begins with a stone on an empty point or a pass (RULES G5)")


def _why_not_in_second_part(position: Position, wanted: Action) -> str:
    if wanted.kind != "convert":
        return lazy_message(
            "this turn's stone or pass is done already: convert a circle or end the turn (RULES G5)"
        )
    circle = _circle(position, wanted.cell)
    player = position.to_move
    influence, needed = _influence(position, player, circle), _needed(position, circle)
    if influence < needed:
        return lazy_message(
            "{name} has {influence} influence on {cell} of the {needed} needed for the majority (RULES G4)",
            name=lazy_message(position.game.player_names[player]),
            influence=influence,
            cell=wanted.cell,
            needed=needed,
        )
    if position.state["occupied"][circle] == position.state["own"][player, circle]:
        return lazy_message("no opponent has a stone in {cell} to convert (RULES G5)", cell=wanted.cell)
    return lazy_message("the opposing stones in {cell} are all safe in rings (RULES G3)", cell=wanted.cell)


def expects(position: Position) -> str:
    """What the player to act does next."""
    if not position.state["converting"]:
        return lazy_message("a stone on an empty point, or a pass")
    count = int(position.state["convertible_count"][position.to_move])
    return lazy_plural(
        "a conversion (1 circle to choose from), or the end of the turn",
        "a conversion ({count} circles to choose from), or the end of the turn",
        count=count,
    )


def account(position: Position) -> str:
    """What the score is made of."""
    scores = position.scores()
    have = [
        lazy_message("{name} {score}", name=lazy_message(name), score=score)
        for name, score in zip(position.game.player_names, scores, strict=True)
    ]
    nobody = len(position.game.geometry.cells) - sum(scores)
    return lazy_message(
        "circles with the majority: {have}; nobody has it in {nobody}",
        have=lazy_join(", ", have),
        nobody=nobody,
    )


def guide(position: Position) -> Guidance:
    """A conversion, or a majority to build."""
    if position.state["converting"]:
        return Guidance(
            lazy_message("Convert a marked circle: the dotted stones become yours. Then end the turn."), "G5"
        )
    if position.state["convertible_count"][position.to_move]:
        return Guidance(lazy_message("Put a stone anywhere; after it you can convert a marked circle."), "G5")
    return Guidance(
        lazy_message("Get four of the six stones of a circle: then it counts for you."),
        "G4",
    )


def overlays(position: Position) -> tuple[Overlay, ...]:
    """Conversions, rings, majorities, and influence: the mover's, or everybody's (RULES G3 to G5)."""
    return (
        Overlay(
            "conversions",
            _("Conversions: circles that can be converted, and the stones that will flip"),
            tuple(_conversions(position)),
            for_newcomers=True,
        ),
        Overlay("rings", _("Rings: their stones are safe for good"), tuple(_rings(position))),
        Overlay(
            "majority", _("Majority: circles that count"), tuple(_majorities(position)), for_newcomers=True
        ),
        Overlay(
            _("influence"),
            _("Influence of the player to act, and how much is needed"),
            tuple(_influences(position)),
        ),
        Overlay(_("influences"), _("Influence of every player"), tuple(_everybodys(position))),
    )


def _conversions(position: Position) -> Iterator[Mark]:
    """The circles that the player to act can convert as the board stands, and what would change owners."""
    if position.is_over:
        return
    state, cells, player = position.state, position.game.geometry.cells, position.to_move
    names, stones = position.game.geometry.names, position.stones()
    flipping = set()
    for circle in sorted(state["convertible"][player, : state["convertible_count"][player]].tolist()):
        yield Mark("square", cells[circle].name, player, _("can be converted"))
        kept = int(state["safe"][circle]) | int(state["own"][player, circle])
        around = [names[point] for bit, point in enumerate(cells[circle].points) if not kept >> bit & 1]
        flipping |= stones.keys() & set(around)
    for name in sorted(flipping):
        yield Mark("dot", name, player, _("will flip"))


def _rings(position: Position) -> Iterator[Mark]:
    cells = position.game.geometry.cells
    of_players = position.state["own"][: position.game.players, : len(cells)].tolist()
    for cell, own in zip(cells, zip(*of_players, strict=True), strict=True):
        for player, stones in enumerate(own):
            if stones == FULL:
                yield Mark("ring", cell.name, player, _("ring"))


def _majorities(position: Position) -> Iterator[Mark]:
    cells = position.game.geometry.cells
    for cell, player in zip(cells, position.state["majority"][: len(cells)].tolist(), strict=True):
        if player != NOBODY:
            yield Mark("area", cell.name, player, _("majority"))


def _influences(position: Position) -> Iterator[Mark]:
    player = position.to_move
    for circle, cell in enumerate(position.game.geometry.cells):
        if influence := _influence(position, player, circle):
            yield Mark("text", cell.name, player, f"{influence}/{_needed(position, circle)}")


def _everybodys(position: Position) -> Iterator[Mark]:
    cells = position.game.geometry.cells
    of_players = position.state["influence"][: position.game.players, : len(cells)].tolist()
    for cell, influences in zip(cells, zip(*of_players, strict=True), strict=True):
        for player, influence in enumerate(influences):
            if influence:
                yield Mark("text", cell.name, player, str(influence))


def _circle(position: Position, name: str | None) -> int:
    return [cell.name for cell in position.game.geometry.cells].index(name or "")


def _influence(position: Position, player: int, circle: int) -> int:
    return int(position.state["influence"][player, circle])


def _needed(position: Position, circle: int) -> int:
    """The least influence that is a majority."""
    return int(position.state["shares"][circle]) // 2 + 1
