"""The mails that people write in a season: answers to the site's mails, and some that it must ignore.

Players by mail know the site by its mails alone. The board shown in a mail is taken from the table at the log
length that the mail's secret address contains.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any

from kakomi import catalog
from kakomi.protocol.mail.turns import turns_in
from kakomi.server.accounts.models import Guest
from kakomi.server.lobby.terms import seats_of
from kakomi.server.mail.reply_addresses import Purpose, Token, token_among
from kakomi.server.site import clock
from kakomi.server.tables import models, selectors
from kakomi.server.tables.permissions import Viewer
from kakomi.session import Table
from season.course import PLAY, RELAY
from season.deeds import keyed
from season.lobby_deeds import MOST_GAMES, open_seeks, quick_options
from season.planning import drawn_turn
from season.table_deeds import table_at
from season.tournament_deeds import taking_part

Letter = dict[str, Any]
"""A mail: `data`, its envelope, `kind` for its expected effect, and its message ID as `id`."""
NOBODY = "<>"
ELSEWHERE = "@elsewhere.example>"
"""The ending of forged mails' message IDs."""
MOST_SEATS = 50
"""The number of seats from which the victim of a forgery is drawn."""


def write(person: int, address: str, unread: list[Letter], seed: int, slowness: float) -> dict[str, Any]:
    """The `letters` that a person writes after reading mails, and their `deeds` on pages, since tournaments
    can be entered only there."""
    guest = Guest.objects.get(pk=person)
    if guest.is_erased:
        return {"letters": [], "deeds": []}
    chance = random.Random(seed)
    letters = list(Correspondence(guest, address, seed, chance).answers(unread, slowness))
    return {"letters": letters, "deeds": keyed(list(taking_part(guest, chance)), person, seed)}


class Correspondence:
    """The mails that one person writes at one moment."""

    def __init__(self, guest: Guest, address: str, seed: int, chance: random.Random) -> None:
        self._guest, self._address, self._seed, self._chance = guest, address, seed, chance
        self._written = 0

    def answers(self, unread: Sequence[Letter], slowness: float) -> Iterator[Letter]:
        """Yield answers to mails, only to the latest of each table."""
        tokens = [(token_among([mail["reply_to"]]), mail) for mail in unread]
        latest = {token.subject: (token, mail) for token, mail in tokens if _is(token, Purpose.TABLE)}
        for token, mail in latest.values():
            yield from self._about_table(token, mail)
        for token, mail in tokens:
            is_own = not mail["answers"].endswith(ELSEWHERE)  # nobody confirms a forgery
            if _is(token, Purpose.CONFIRMATION) and is_own and self._chance.random() < 0.85:
                yield self._letter("confirm", "confirm", mail["reply_to"])
        accounts = [mail["reply_to"] for token, mail in tokens if _is(token, Purpose.ACCOUNT)]
        if selectors.tables_of(self._guest, is_over=False).count() < MOST_GAMES:
            yield from self._in_lobby(accounts[-1] if accounts else "", slowness)
        yield from self._mischief(unread)

    def _about_table(self, token: Token, mail: Letter) -> Iterator[Letter]:
        row = models.Table.objects.filter(pk=token.subject).first()
        if row is None or row.is_over:
            return
        seen = table_at(row, min(token.state, row.entries))
        viewer = Viewer.of(row, self._guest)
        if viewer.seat_to_answer(seen) is not None:
            yield self._letter("turn", self._chance.choice(("accept", "reject")), mail["reply_to"], row.code)
        elif viewer.seat_to_act(seen) is not None:
            yield self._turn(row, seen, mail)
        elif self._chance.random() < 0.1:
            words = f"I say {self._seed}-{self._written}"
            yield self._letter("words", f"chat {words}", mail["reply_to"], row.code, words=words)

    def _turn(self, row: models.Table, seen: Table, mail: Letter) -> Letter:
        """An answer to a mail about the person's turn, now and then to the site's general address."""
        drawn = self._chance.random()
        if drawn < 0.05:
            offer = self._chance.choice(("draw", "takeback", "pause"))
            command = "resign" if drawn < 0.01 else f"propose {offer}"
            return self._letter("turn", command, mail["reply_to"], row.code)
        verb, said = turn_in_words(seen, self._chance)
        if drawn < 0.12:
            text = f"{verb} {row.code} {said}" + (f" #{turns_in(seen.match)}" if verb == "move" else "")
            return self._letter("vouched", text, PLAY, row.code, headers=_vouched(self._address))
        words = f"I say {self._seed}-{self._written}" if drawn > 0.85 else ""
        text = said if self._chance.random() < 0.5 else f"{verb} {said}"
        return self._letter("turn", f"{text}\n\n{words}", mail["reply_to"], row.code, words=words)

    def _in_lobby(self, account: str, slowness: float) -> Iterator[Letter]:
        """Seek a game or accept a seek. Without a secret address, the mail server vouches for the sender."""
        seeks = open_seeks(self._guest)
        if seeks and self._chance.random() < 0.8:
            kind, text = "accept", f"accept {self._chance.choice(seeks).code}"
        elif self._guest.seeks.filter(ended_at=None).count() < 2:
            kind, text = "seek", self._seek(slowness)
        else:
            return
        if account:
            yield self._letter(kind, text, account)
        else:
            yield self._letter("vouched", text, PLAY, headers=_vouched(self._address))

    def _seek(self, slowness: float) -> str:
        pairs = [name for name in catalog.names() if seats_of(catalog.describe(name))[0] == 2]
        name = self._chance.choice(pairs)
        options = "".join(f" -{key}={value}" for key, value in quick_options(catalog.describe(name)).items())
        return f"seek {name}{options} -days={min(round(2 * slowness), 30)} -unrated"

    def _mischief(self, unread: Sequence[Letter]) -> Iterator[Letter]:
        """Yield vacation replies, bounces and forgeries."""
        for mail in unread:
            drawn = self._chance.random()
            if drawn < 0.03:
                automatic = (("Auto-Submitted", "auto-replied"), ("In-Reply-To", mail["id"]))
                text = "resign\n\nI am away until Monday."
                yield self._letter("vacation", text, mail["reply_to"], headers=automatic)
            elif drawn < 0.04 and mail["envelope"]:
                yield self._bounce(mail)
        if self._chance.random() < 0.05:
            yield from self._forgeries()

    def _forgeries(self) -> Iterator[Letter]:
        """Forge a mail in the name of a player by mail."""
        by_mail = models.Seat.objects.filter(guest__mailing__plays_by_mail=True, table__is_over=False)
        seats = list(by_mail.select_related("table", "guest__user").order_by("pk")[:MOST_SEATS])
        if not seats:
            return
        seat = self._chance.choice(seats)
        victim, code = seat.guest.user.email, seat.table.code
        kind = self._chance.choice(("forged", "failing"))
        relay, result = (RELAY, "dmarc=fail") if kind == "failing" else ("mx.elsewhere.example", "dkim=pass")
        domain = victim.rpartition("@")[2]
        headers = (("Authentication-Results", f"{relay}; {result} header.d={domain} header.from={domain}"),)
        yield self._letter(kind, f"resign {code}", PLAY, code, headers=headers, sender=victim)

    def _bounce(self, mail: Letter) -> Letter:
        """A bounce of a mail."""
        report = (
            "--b\nContent-Type: text/plain\n\nIt could not be delivered.\n"
            "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; people.example\n\n"
            f"Final-Recipient: rfc822; {self._address}\nAction: failed\nStatus: 5.2.2\n"
            "Diagnostic-Code: smtp; 552 the mailbox is full\n\n--b--\n"
        )
        kept = self._letter("bounce", report, mail["envelope"], sender="mailer-daemon@people.example")
        kind = 'multipart/report; report-type=delivery-status; boundary="b"'
        head, _, body = kept["data"].partition("\n\n")
        lines = [line for line in head.split("\n") if not line.lower().startswith(("content-", "mime-"))]
        data = "\n".join([*lines, "MIME-Version: 1.0", f"Content-Type: {kind}"]) + f"\n\n{body}"
        return {**kept, "data": data, "sender": NOBODY}

    def _letter(
        self,
        kind: str,
        text: str,
        to: str,
        code: str = "",
        *,
        words: str = "",
        headers: Sequence[tuple[str, str]] = (),
        sender: str = "",
    ) -> Letter:
        self._written += 1
        mail, own = EmailMessage(), sender or self._address
        number = f"<{self._seed}.{self._written}{ELSEWHERE if sender else '@people.example>'}"
        for name, value in headers:  # servers add theirs at the top
            mail[name] = value
        mail["From"], mail["To"], mail["Message-ID"] = own, to, number
        mail["Subject"] = f"Re: {kind}"
        mail["Date"] = format_datetime(datetime.fromtimestamp(clock.now(), UTC))
        mail.set_content(text)
        told = {"kind": kind, "id": number, "code": code, "words": words, "person": self._guest.pk}
        return {**told, "data": mail.as_bytes().decode("latin-1"), "sender": own, "to": to}


def turn_in_words(seen: Table, chance: random.Random) -> tuple[str, str]:
    """The command and argument of a random turn for the player to act at a table."""
    match seen.match.phase:
        case "komi":
            leg = seen.match.current_game.game
            return "komi", str(chance.choice(leg.description.komi.allowed_given(leg.options)))
        case "colour":
            return "colour", chance.choice(("black", "white"))
    return "move", " ".join(drawn_turn(seen.match.position, chance))


def _is(token: Token | None, purpose: Purpose) -> bool:
    return token is not None and token.purpose == purpose and token.is_valid_at(clock.now())


def _vouched(address: str) -> tuple[tuple[str, str], ...]:
    """The headers of a mail server that vouches for the sender."""
    domain = address.rpartition("@")[2]
    return (
        ("Authentication-Results", f"{RELAY}; dkim=pass header.d={domain}; spf=none"),
        ("Received", f"from mail.{domain} by {RELAY}; Mon, 23 Nov 2026 18:00:00 +0000"),
    )


COMMANDS: dict[str, Callable[..., Any]] = {"write": write}
