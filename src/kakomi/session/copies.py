"""Copies of immutable records with some fields changed, quicker than `dataclasses.replace`.

A table makes nine with every entry, where that takes most of the time of playing a log through.
"""

from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

Record = TypeVar("Record")


def changed(record: Record, **changes: Any) -> Record:
    """A record, of a dataclass that checks nothing when it is made, with other values of some fields.

    What it has found out about itself (`cached_property`) isn't taken along.
    """
    kind: Any = record.__class__
    names, kept = _names(kind), record.__dict__
    if not names.issuperset(changes):
        raise TypeError(f"{kind.__name__} has no fields {sorted(changes.keys() - names)}")
    if len(kept) != len(names):
        kept = {name: kept[name] for name in names}
    copy: Record = object.__new__(kind)
    copy.__dict__.update(kept, **changes)
    return copy


@cache
def _names(kind: Any) -> frozenset[str]:
    if hasattr(kind, "__post_init__"):
        raise TypeError(f"{kind.__name__} checks its fields: make it anew")
    return frozenset(field.name for field in fields(kind))
