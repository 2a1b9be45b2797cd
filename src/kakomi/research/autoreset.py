"""What happens to a game of a vector environment that has ended."""

from enum import IntEnum


class Autoreset(IntEnum):
    """When the next game begins; the names are Gymnasium's."""

    DISABLED = 0
    """When it is asked for: until then the ended game's action is left aside."""
    NEXT_STEP = 1
    """With the next step, whose action for that game is left aside and whose rewards for it are 0."""
    SAME_STEP = 2
    """At once: the step that ends a game shows the new one, with the rewards of the old."""

    @classmethod
    def named(cls, name: "str | Autoreset") -> "Autoreset":
        """By its name in lower case, as in `"next_step"`. Raises ValueError for another."""
        try:
            return name if isinstance(name, Autoreset) else cls[name.upper()]
        except KeyError:
            known = ", ".join(repr(mode.name.lower()) for mode in cls)
            raise ValueError(f"autoreset is {name!r}; it may be one of: {known}") from None
