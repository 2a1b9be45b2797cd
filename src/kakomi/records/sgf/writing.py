"""Writing records as SGF."""

from msgspec.structs import replace

from kakomi import __version__
from kakomi.core import Game
from kakomi.core.i18n import lazy_error
from kakomi.records.check import checked
from kakomi.records.json_form import in_a_line
from kakomi.records.record import Record, RecordError
from kakomi.records.sgf.syntax import Node, Properties, escaped, printed
from kakomi.records.sgf.values import CLOCKS, PLAYERS, SECONDS, require_sgf_game, result_written, spellings

RECORD_PROPERTY = "KAKOMI"
"""Our private property with the parts of a record that SGF has no property for, as JSON."""


def write_sgf(record: Record, game: Game) -> bytes:
    """Write a record as SGF. Raises RecordError for a game without an SGF form or an illegal record."""
    require_sgf_game(game)
    record = checked(record, game)
    if record.position:
        raise lazy_error(
            RecordError, "a game that starts from its own position can't be saved as SGF: use JSON"
        )
    nodes = [Node(-1, _root(record, game))]
    last_of_turn = [0]
    spelled = dict(zip(game.action_texts, spellings(game), strict=True))
    for number, turn in enumerate(record.turns, 1):
        before = last_of_turn[record.tree.before[number]]
        for action in turn.actions:
            nodes.append(Node(before, {PLAYERS[turn.player]: [escaped(spelled[action])]}))
            before = len(nodes) - 1
        times = {CLOCKS[turn.player]: _decimal(turn.clock), SECONDS: _decimal(turn.seconds)}
        nodes[-1].properties.update(_texts({**times, "C": turn.comment}))
        last_of_turn.append(before)
    return printed(nodes).encode()


def _root(record: Record, game: Game) -> Properties:
    about = game.description
    komi = game.options.get(about.komi_option)
    names = [seat.name for seat in record.seats] or ["", ""]
    return {
        "FF": ["4"],
        "CA": ["UTF-8"],
        "AP": [f"Kakomi:{__version__}"],
        **({"GM": [str(about.sgf_number)]} if about.sgf_number else {}),
        "SZ": [str(game.geometry.size)],
        **_texts({"RU": about.title, "PB": names[0], "PW": names[1], "EV": record.event, "DT": record.date}),
        **({} if komi is None else {"KM": [str(komi)]}),
        "RE": [result_written(record.result)],
        RECORD_PROPERTY: [escaped(_remaining_parts(record))],
        **_texts({"C": record.comment}),
    }


def _texts(texts: dict[str, str]) -> Properties:
    return {name: [escaped(text)] for name, text in texts.items() if text}


def _remaining_parts(record: Record) -> str:
    """Return the parts of a record that no other property holds, as JSON."""
    rest = replace(
        record,
        seats=tuple(replace(seat, name="") for seat in record.seats),
        event="",
        date="",
        comment="",
        turns=(),
        resignations=(),
        result=None,
    )
    return in_a_line(rest)


def _decimal(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.3f}".rstrip("0").rstrip(".")
