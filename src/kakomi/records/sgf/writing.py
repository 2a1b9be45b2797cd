"""Records as SGF text."""

from msgspec.structs import replace

from kakomi import __version__
from kakomi.core import Game
from kakomi.core.i18n import lazy_message
from kakomi.records.check import checked
from kakomi.records.json_form import in_a_line
from kakomi.records.record import Record, RecordError
from kakomi.records.sgf.syntax import Node, Properties, escaped, printed
from kakomi.records.sgf.values import CLOCKS, PLAYERS, SECONDS, require_sgf_game, result_written, spellings

OURS = "KAKOMI"
"""The private property that holds, as JSON, all of a record that SGF has no property for."""


def write_sgf(record: Record, game: Game) -> bytes:
    """The record as SGF. Raises RecordError for a game that SGF can't hold and for an illegal record."""
    require_sgf_game(game)
    record = checked(record, game)
    if record.position:
        raise RecordError(
            lazy_message("a game that begins at a position of its own has no SGF form; JSON has one")
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
        nodes[-1].properties.update(_said({**times, "C": turn.comment}))
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
        **_said({"RU": about.title, "PB": names[0], "PW": names[1], "EV": record.event, "DT": record.date}),
        **({} if komi is None else {"KM": [str(komi)]}),
        "RE": [result_written(record.result)],
        OURS: [escaped(_unsaid(record))],
        **_said({"C": record.comment}),
    }


def _said(texts: dict[str, str]) -> Properties:
    return {name: [escaped(text)] for name, text in texts.items() if text}


def _unsaid(record: Record) -> str:
    """The parts of a record that no other property holds."""
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
