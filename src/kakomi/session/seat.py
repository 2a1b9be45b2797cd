"""Who sits where."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kakomi.session.exceptions import Refused


@dataclass(frozen=True)
class Seat:
    """A place at the table; its number is its place in the match's list of seats."""

    name: str = ""
    bot: str = ""
    """The bot that plays here (a name that `kakomi.bots.make_bot` knows); empty for a person."""

    @property
    def is_bot(self) -> bool:
        """Whether a bot plays here."""
        return bool(self.bot)

    def to_json(self) -> dict[str, Any]:
        """As data that JSON can hold."""
        return {"name": self.name, "bot": self.bot}

    @staticmethod
    def from_json(data: Any) -> "Seat":
        """A seat from data. Raises Refused if that isn't one."""
        known = data if isinstance(data, Mapping) else {"name": None}
        name, bot = known.get("name", ""), known.get("bot", "")
        if not isinstance(name, str) or not isinstance(bot, str):
            raise Refused("a seat should be an object with the texts 'name' and 'bot'")
        return Seat(name, bot)
