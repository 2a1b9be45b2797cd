"""Checks of what is written down: it must read back to the same."""

from kakomi import records
from kakomi.core import Game
from kakomi.research.certify.inspection import Inspection


def spellings(inspection: Inspection) -> None:
    """Every action's text is read back as that action, however it is spaced and cased."""
    game = inspection.game
    for number, text in enumerate(game.action_texts):
        for spelled in (text, text.upper(), f" {text} ", f"({text})"):
            inspection.same(f"the action read from {spelled!r}:", number, game.action(spelled))
    for before, action, after in inspection.steps():
        played = before.play(game.action_texts[action])
        inspection.same(f"the key after {game.action_texts[action]}", after.key().hex(), played.key().hex())


def notation(inspection: Inspection) -> None:
    """A position's text is one line of ASCII and is read back as an equal position with an equal hash."""
    for position in inspection.positions():
        text = str(position)
        inspection.holds("a text", text.isascii() and text.isprintable(), "of one line of ASCII", text)
        again = inspection.game.position(text)
        inspection.same(f"the key read from {text!r}", position.key().hex(), again.key().hex())
        inspection.same(f"the hash read from {text!r}", hash(position), hash(again))


def recording(inspection: Inspection) -> None:
    """A game's record comes back from JSON as it was, and leads to the same position."""
    game = inspection.game

    def find(name: str, /, **options: object) -> Game:
        return Game(game.description, options)

    for trail in inspection.trails:
        *_, last = inspection.walk(trail)
        record = records.recorded(game, trail.actions)
        again = records.read(records.write(record, game, "json"), find)
        inspection.same("a record", record, again)
        end = records.position_after(again, game)
        inspection.same("the key at its end", last.key().hex(), end.key().hex())
