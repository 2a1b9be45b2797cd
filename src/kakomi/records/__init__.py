"""Game records: their content, their file formats (JSON, SGF), and checks against the rules.

>>> import kakomi
>>> from kakomi import records
>>> game = kakomi.game("rin", size=8)
>>> record = records.recorded(game, ["3,4", "0,0", "7,7"], event="Example")
>>> records.save(record, game, "example.json")
>>> records.load("example.json", kakomi.game) == record
True
"""

from kakomi.records.check import checked
from kakomi.records.files import FORMATS, load, read, read_bytes, save, write
from kakomi.records.json_form import read_json, write_json
from kakomi.records.record import (
    Match,
    Negotiation,
    Reading,
    Record,
    RecordError,
    RecordWarning,
    Resignation,
    Result,
    Seat,
    Tree,
    Turn,
    tidy,
    tidy_line,
)
from kakomi.records.replay import game_of, position_after, positions, recorded, result_by_rules, start_of
from kakomi.records.sgf import read_sgf, write_sgf

__all__ = [
    "FORMATS",
    "Match",
    "Negotiation",
    "Reading",
    "Record",
    "RecordError",
    "RecordWarning",
    "Resignation",
    "Result",
    "Seat",
    "Tree",
    "Turn",
    "checked",
    "game_of",
    "load",
    "position_after",
    "positions",
    "read",
    "read_bytes",
    "read_json",
    "read_sgf",
    "recorded",
    "result_by_rules",
    "save",
    "start_of",
    "tidy",
    "tidy_line",
    "write",
    "write_json",
    "write_sgf",
]
