"""The random texts that people write to the site: turns, and all kinds of commands."""

import re

from kakomi.core import Position
from kakomi.server.lobby.models import Seek
from kakomi.server.tables import models as tables
from kakomi.server.tables import selectors
from protocol.mail.spelling import random_command, random_text, random_turn, spelled
from server.correspondence import random_turn as legal_turn
from server.mail_fuzz.world import NAMES, Letter, World

_CODE = re.compile(r"\b[a-hjkmnp-z2-9]{10}\b")
_NAME = re.compile(r"\b[bcdfgjkqvwz][a-z_.-]{2,6}7\b")
_HABITS = (
    "resign", "pass", "swap", "propose draw", "propose takeback", "undo", "accept", "reject", "withdraw",
    "confirm", "show", "help", "games", "history", "types", "unsubscribe", "subscribe", "unqueue", "3",
    "black", "white", "notify off", "notify on", "notify digest on", "notify seeks on", "notify chat off",
    "limit 3", "limit reject", "limit accept", "seek off", "signup newcomer", "signup ada", "list",
    "standings", "chat hello there", "message bob: hello", "propose pause", "propose resume",
)  # fmt: skip


def text_for(world: World, name: str, letter: Letter | None, row: tables.Table | None = None) -> str:
    """A random text, mostly a turn, about the letter's table or else about `row`."""
    chance = world.chance
    if letter is not None and (code := _CODE.search(letter.subject)):
        row = tables.Table.objects.filter(code=code[0]).first() or row
    lines = [_line(world, name, row, in_reply=letter is not None)]
    while chance.random() < 0.25:
        lines.append(_line(world, name, row, in_reply=letter is not None))
    if chance.random() < 0.3:
        lines += ["", f"{random_text(chance).capitalize()}."]
    return "\n".join(lines)


def turn_text(world: World, row: tables.Table) -> str:
    """A turn for the seat to act, or a komi or colour if required, sometimes with a remark below."""
    words = f"\n\n{random_text(world.chance).capitalize()}." if world.chance.random() < 0.3 else ""
    return f"{_turn(world, '', row)}{words}"


def lobby_text(world: World) -> str:
    """A command about an existing seek or challenge, or for a new one."""
    codes = list(Seek.objects.order_by("pk").values_list("code", flat=True))
    word = world.chance.choice(["accept", "accept", "accept", "reject", "withdraw", "seek", "challenge"])
    match word:
        case "seek":
            return f"seek ren {world.chance.randrange(1, 4)} -size=4 -unrated"
        case "challenge":
            people = " ".join(world.chance.sample(NAMES, world.chance.choice([1, 1, 2])))
            return f"challenge {'rings' if ' ' in people else 'rive'} {people} -size=2"
        case _:
            return f"{word} {world.chance.choice(codes)}"


def _line(world: World, name: str, row: tables.Table | None, *, in_reply: bool) -> str:
    chance = world.chance
    draw = chance.random()
    if row is not None and draw < 0.6:
        turn = _turn(world, name, row)
        if in_reply and chance.random() < 0.7:
            return turn
        word = chance.choice(["move", "move", "move", "queue", "submit", "preview"])
        return f"{word} {row.code} {turn}"
    if draw < 0.8:
        return _with_board(chance.choice(_HABITS), world, row)
    return _about_here(spelled(random_command(chance), chance), world)


def _turn(world: World, name: str, row: tables.Table) -> str:
    """A legal turn, komi or colour; now and then a random turn that may be illegal."""
    chance, table = world.chance, selectors.table_of(row)
    if table.is_over or chance.random() < 0.1:
        return random_turn(chance)
    if table.match.phase == "komi":
        return f"{chance.randrange(20)}"
    if table.match.phase != "play":
        return chance.choice(["black", "white"])
    turn = " ".join(_legal(table.match.position, world))
    said = chance.random()
    return f"{turn} #{chance.randrange(5)}" if said < 0.1 else turn


def _legal(position: Position, world: World) -> list[str]:
    return legal_turn(position, world.chance)


def _with_board(line: str, world: World, row: tables.Table | None) -> str:
    """A command, half of the time with the code of a board or seek after its name."""
    if world.chance.random() < 0.5:
        return line
    word, _, rest = line.partition(" ")
    codes = [row.code] if row else []
    codes += Seek.objects.order_by("pk").values_list("code", flat=True)
    return f"{word} {world.chance.choice(codes)} {rest}".strip()


def _about_here(line: str, world: World) -> str:
    """A command with its codes and names mostly replaced by existing ones."""
    codes = [row.code for row in world.rows()]
    line = _CODE.sub(lambda found: world.chance.choice([*codes, found[0]]), line)
    return _NAME.sub(lambda found: world.chance.choice([*NAMES, found[0]]), line)
