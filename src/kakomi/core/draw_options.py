"""What a drawing of a position can show."""

from collections.abc import Iterable, Mapping
from typing import TypedDict

from kakomi.draw import Hint


class DrawOptions(TypedDict, total=False):
    """The arguments of `Position.scene`, for others that pass them on."""

    legal: bool
    overlays: Iterable[str]
    turned: int
    numbers: Mapping[str, str] | None
    draft: Iterable[str]
    hints: Iterable[Hint]
