"""Mails in the formats of many programs, made from a text: replies above, below and without a quotation."""

import base64
import quopri
import random
from collections.abc import Callable
from html import escape

QUOTED = [
    "It is your turn: a stone on an empty point.",
    "",
    "      Black            White",
    "   1  d4               e5",
    "",
    "resign k7m2x9qpab",
    "move k7m2x9qpab a1 #2",
    "Reply with your whole move, such as d4, or write 'move 12 d4'.",
]
"""The text of the quoted mail, with commands that must not be executed."""
FROM = "Kakomi <play@kakomi.example>"


def mail(headers: str, body: str | bytes, charset: str = "utf-8") -> bytes:
    head = f"From: Alice <alice@example.net>\nTo: {FROM}\nMessage-ID: <1@example.net>\n{headers}"
    return head.encode() + b"\n\n" + (body if isinstance(body, bytes) else body.encode(charset))


def answer(subject: str = "Re: Ren k7m2x9qpab #2: your turn") -> str:
    return f"Subject: {subject}\nIn-Reply-To: <turn-2.k7m2x9qpab@kakomi.example>\nMIME-Version: 1.0\n"


def marked(sign: str = "> ") -> str:
    return "\n".join((sign + line).rstrip() for line in QUOTED)


def quoted_printable(text: str, charset: str = "utf-8") -> str:
    return quopri.encodestring(text.encode(charset, "replace")).decode("ascii")


def in_base64(text: str, charset: str = "utf-8") -> str:
    return base64.encodebytes(text.encode(charset)).decode("ascii")


def plain(text: str, rng: random.Random) -> bytes:
    return mail("Subject: " + rng.choice(["my games", "", "hello", "(no subject)"]), f"{text}\n")


def gmail(text: str, rng: random.Random) -> bytes:
    said = "On Mon, Nov 23, 2026 at 7:12\u202fPM Kakomi <play+k7m2x9qpab@kakomi.example>\nwrote:"
    told = f"{text}\n\n{said}\n\n{marked()}\n"
    paragraphs = "".join(f"<div>{escape(line) or '<br>'}</div>" for line in text.split("\n"))
    return mail(
        answer() + 'Content-Type: multipart/alternative; boundary="0000c1d2"',
        f"--0000c1d2\nContent-Type: text/plain; charset=UTF-8\n"
        "Content-Transfer-Encoding: quoted-printable\n\n"
        f"{quoted_printable(told)}\n--0000c1d2\nContent-Type: text/html; "
        f"charset=utf-8\n\n{paragraphs}\n--0000c1d2--\n",
    )


def gmail_html(text: str, rng: random.Random) -> bytes:
    body = "".join(f"<div>{escape(line) or '<br>'}</div>" for line in text.split("\n"))
    quotation = "<br>".join(map(escape, QUOTED))
    return mail(
        answer() + "Content-Type: text/html; charset=UTF-8\nContent-Transfer-Encoding: base64",
        in_base64(
            f'<div>{body}</div><br><div class="gmail_quote"><div class="gmail_attr">On Mon wrote:</div>'
            f'<blockquote class="gmail_quote">{quotation}</blockquote></div>'
        ),
    )


def outlook(text: str, rng: random.Random) -> bytes:
    who, when, to, about, prefix = rng.choice(
        [("From", "Sent", "To", "Subject", "RE"), ("Von", "Gesendet", "An", "Betreff", "AW"),
         ("De", "Envoyé", "À", "Objet", "RE"), ("Van", "Verzonden", "Aan", "Onderwerp", "Antw")]
    )  # fmt: skip
    block = f"{who}: {FROM}\n{when}: 23.11.2026 19:12\n{to}: Alice\n{about}: Ren k7m2x9qpab\n"
    line = rng.choice(["", "________________________________\n", "-----Original Message-----\n"])
    quotation = "\n".join(QUOTED)
    told = f"{text}\n\n{line}{block}\n{quotation}\n"
    return mail(
        answer(f"{prefix}: Ren k7m2x9qpab #2")
        + "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable",
        quoted_printable(told),
    )


def outlook_html(text: str, rng: random.Random) -> bytes:
    body = "".join(
        f'<p class="MsoNormal">{escape(line) or "&nbsp;"}<o:p></o:p></p>' for line in text.split("\n")
    )
    quotation = "<br>".join(map(escape, QUOTED))
    return mail(
        answer("RE: Ren")
        + "Content-Type: text/html; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable",
        quoted_printable(
            f'<html><body><div>{body}</div><div id="divRplyFwdMsg"><b>From:</b> Kakomi<br>'
            f"<b>Sent:</b> Monday</div><div>{quotation}</div></body></html>",
        ),
    )


def apple(text: str, rng: random.Random) -> bytes:
    told = f"{text}\n\n> On 23 Nov 2026, at 19:12, {FROM} wrote:\n> \n{marked()}\n\n"
    return mail(
        answer() + "Content-Type: text/plain;\n\tcharset=utf-8\nContent-Transfer-Encoding: quoted-printable",
        quoted_printable(told),
    )


def telephone(text: str, rng: random.Random) -> bytes:
    sent = rng.choice(
        [
            "Sent from my iPhone",
            "Von meinem iPhone gesendet",
            "Get Outlook for Android",
            "Envoyé de mon iPhone",
        ]
    )
    told = f"{text}\n\n{sent}\n\n> Am 23.11.2026 um 19:12 schrieb {FROM}:\n> \n{marked('> ')}\n"
    return mail(
        answer() + "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64",
        in_base64(told),
    )


def mutt(text: str, rng: random.Random) -> bytes:
    """Below the quotation, with a signature."""
    said = "On Mon, Nov 23, 2026 at 07:12:00PM +0000, Kakomi wrote:"
    told = f"{said}\n{marked()}\n\n{text}\n\n-- \nAlice\nresign k7m2x9qpab\n"
    return mail(answer() + "Content-Type: text/plain; charset=utf-8\nContent-Disposition: inline", told)


def between(text: str, rng: random.Random) -> bytes:
    """Between two quotations."""
    told = f"Kakomi wrote on 23 Nov 2026 at 19:12:\n{marked('> ')}\n\n{text}\n\n{marked('>')}\n"
    return mail(answer() + "Content-Type: text/plain; charset=utf-8", told)


def k9(text: str, rng: random.Random) -> bytes:
    said = f"Am 23. November 2026 19:12:00 MEZ schrieb {FROM}:"
    told = f"{text}\n\n{said}\n{marked('>')}\n\n-- \nMit K-9 Mail gesendet.\n"
    return mail(
        answer("Aw: Ren") + "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit", told
    )


def thunderbird(text: str, rng: random.Random) -> bytes:
    """Format=flowed, with long lines wrapped at spaces."""
    told = f"On 11/23/26 19:12, Kakomi wrote:\n{marked()}\n\n{flowed(text)}\n\n-- \nAlice\n"
    return mail(answer() + "Content-Type: text/plain; charset=UTF-8; format=flowed", told)


def flowed(text: str, width: int = 66) -> str:
    lines = []
    for line in text.split("\n"):
        line = line.rstrip()
        while len(line) > width and " " in line[:width]:
            place = line.rindex(" ", 0, width) + 1
            lines.append(line[:place])
            line = line[place:]
        lines.append(line)
    return "\n".join(f" {line}" if line.startswith((" ", ">", "From ")) else line for line in lines)


def with_crlf(text: str, rng: random.Random) -> bytes:
    return plain(text, rng).replace(b"\n", b"\r\n")


PROGRAMS: tuple[Callable[[str, random.Random], bytes], ...] = (
    plain, gmail, gmail_html, outlook, outlook_html, apple, telephone, mutt, between, k9, thunderbird,
    with_crlf,
)  # fmt: skip
