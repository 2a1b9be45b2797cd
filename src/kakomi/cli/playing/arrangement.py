"""Who sits where, as the command line or the menu said it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from kakomi.bots import DEFAULT_LEVEL, make_bot
from kakomi.session import Seat

PERSON = "human"
PERSON_SEAT = Seat()


@dataclass(frozen=True)
class Arrangement:
    """Seats for any number of players: named ones first, then one person, then bots."""

    bot: str | None = DEFAULT_LEVEL
    """The bot on every seat that nobody else has; None: persons sit there too."""
    person: int = 0
    """The seat of the person at the terminal."""
    named: Mapping[int, str] = field(default_factory=dict)
    """Seat -> `human` or a bot's name."""

    def seats(self, players: int) -> tuple[Seat, ...]:
        """The seats of a game. Raises ValueError for a seat that it hasn't, or a bot that there isn't."""
        wanted = [self.person, *self.named]
        for seat in wanted:
            if not 0 <= seat < players:
                raise ValueError(f"there is no seat {seat}: this game has the seats 0 to {players - 1}")
        return tuple(self._seat(seat) for seat in range(players))

    def _seat(self, seat: int) -> Seat:
        who = self.named.get(seat)
        if who is None:
            who = PERSON if self.bot is None or self._is_for_person(seat) else self.bot
        if who == PERSON:
            return PERSON_SEAT
        make_bot(who)
        return Seat(bot=who)

    def _is_for_person(self, seat: int) -> bool:
        return seat == self.person and PERSON not in self.named.values()


def parsed_seat(text: str) -> tuple[int, str]:
    """`0=human`, `1=bot:3`, `1=bot:random` as seat and who. Raises ValueError for anything else."""
    number, _, who = text.partition("=")
    number, who = number.strip(), who.strip().lower()
    if number.isdecimal() and who == PERSON:
        return int(number), PERSON
    if number.isdecimal() and who.startswith("bot:"):
        return int(number), who.removeprefix("bot:")
    raise ValueError(f"{text!r} should look like 0=human or 1=bot:3")
