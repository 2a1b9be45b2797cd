"""Reading mails in the formats of real programs, and requirements for any bytes."""

import tomllib
from pathlib import Path

import pytest

from kakomi.protocol.mail import ReplyContext, parse_mail, read_mail
from kakomi.protocol.mail.commands import Move
from kakomi.protocol.mail.reading.new_text import MARK, new_text, text_of_html
from kakomi.protocol.mail.reading.parts import decoded_bytes, joined_flow, without_prefixes

CORPUS = Path(__file__).parent / "corpus"
EXPECTED = tomllib.loads((CORPUS / "expected.toml").read_text(encoding="utf-8"))
OF_PEOPLE = [name for name, wanted in EXPECTED.items() if "text" in wanted]
OF_MACHINES = [name for name, wanted in EXPECTED.items() if "automatic" in wanted]


def mail_of(name, crlf=False):
    data = (CORPUS / f"{name}.eml").read_bytes()
    return read_mail(data.replace(b"\n", b"\r\n") if crlf else data)


def test_every_mail_of_the_corpus_is_expected_to_read_as_something():
    assert {path.stem for path in CORPUS.glob("*.eml")} == {*OF_PEOPLE, *OF_MACHINES} == set(EXPECTED)


@pytest.mark.parametrize("crlf", [False, True], ids=["lf", "crlf"])
@pytest.mark.parametrize("name", OF_PEOPLE)
def test_mails_of_people(name, crlf):
    mail, wanted = mail_of(name, crlf), EXPECTED[name]
    assert mail.text == wanted["text"]
    assert mail.subject == wanted.get("subject", mail.subject)
    assert (mail.automatic, mail.bounces, mail.may_be_answered) == ("", (), True)
    assert mail.sender == "alice@example.net"
    assert mail.message_id == f"<{name}@example.net>"
    assert mail.recipients == ("play@kakomi.example", "play+k7m2x9qpab@kakomi.example")
    if wanted.get("is_reply"):
        assert mail.answered_ids == (
            "<turn-2.k7m2x9qpab@kakomi.example>",
            "<begun.k7m2x9qpab@kakomi.example>",
        )


@pytest.mark.parametrize("name", [name for name in OF_PEOPLE if EXPECTED[name].get("is_reply")])
def test_replies_are_moves(name):
    """Regardless of the quoted mail, such as another move."""
    parsed = parse_mail(mail_of(name), ReplyContext("k7m2x9qpab", game="rin"))
    moves = [command for command in parsed.commands if isinstance(command, Move)]
    assert [(move.board.code, move.text) for move in moves] == [("k7m2x9qpab", "4,4 4,5")]
    assert not any(line.problem for line in parsed.lines)


@pytest.mark.parametrize("crlf", [False, True], ids=["lf", "crlf"])
@pytest.mark.parametrize("name", OF_MACHINES)
def test_mails_of_machines(name, crlf):
    mail, wanted = mail_of(name, crlf), EXPECTED[name]
    assert mail.automatic == wanted["automatic"]
    assert not mail.may_be_answered
    found = [(f"{bounce.address} {bounce.status}", bounce.is_permanent) for bounce in mail.bounces]
    assert [which for which, is_permanent in found if is_permanent] == wanted.get("hard", [])
    assert [which for which, is_permanent in found if not is_permanent] == wanted.get("soft", [])
    assert all(bounce.reason for bounce in mail.bounces)


@pytest.mark.parametrize(
    "subject",
    [
        "Re: help", "RE: help", "Aw: help", "AW: Re: help", "SV: help", "Antw: help", "RE[2]: help",
        "Re[12]: help",
        "Re(3): help", "Re^2: help", "VS: help", "R: help", "RIF: help", "Odp: help", "TR: Re: help",
        "Res: help",
        "Отв: help", "回复：help", "返信: help", "WG: AW: help", "Fwd: help", " re : help", "Ynt: help",
        "Vá: help",
        "ΑΠ: help", "RÉP: help", "Re: Re: Re: help",
    ],
)  # fmt: skip
def test_prefixes_of_answers_in_any_language(subject):
    assert without_prefixes(subject) == ("help", True)


@pytest.mark.parametrize(
    "subject", ["help", "review: help", "remote", "rin: help", "move k7m2x9qpab a1: good"]
)
def test_subjects_that_are_no_answers(subject):
    assert without_prefixes(subject) == (subject, False)


@pytest.mark.parametrize(
    ("data", "claimed", "text"),
    [
        ("Grüße".encode(), "utf-8", "Grüße"),
        ("Grüße".encode(), "us-ascii", "Grüße"),
        ("Grüße".encode(), "iso-8859-1", "Grüße"),
        ("Grüße".encode("latin-1"), "iso-8859-1", "Grüße"),
        ("Grüße".encode("latin-1"), "utf-8", "Grüße"),
        ("“Grüße”".encode("cp1252"), "", "“Grüße”"),
        ("Grüße".encode(), "no-such-charset", "Grüße"),
        ("Grüße".encode(), "zlib", "Grüße"),
        (b"Gr\\xfc", "unicode_escape", "Gr\\xfc"),
        ("привет".encode("koi8-r"), "KOI8-R", "привет"),
        ("碁".encode("shift_jis"), "Shift_JIS", "碁"),
        (b"\xef\xbb\xbfhelp", "utf-8", "help"),
        (b"\xff\xfe\x00", "utf-8", "ÿþ\x00"),
    ],
)
def test_charsets_that_lie(data, claimed, text):
    assert decoded_bytes(data, claimed) == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>move a1</p><p>show</p>", "move a1\n\nshow"),
        ("<div>move a1</div><div>show</div>", "move a1\nshow"),
        ("move&nbsp;&#97;1<br>show", "move a1\nshow"),
        ("<b>mo</b>ve a1", "move a1"),
        ("<style>x{}</style><script>resign</script>help", "help"),
        ("help<blockquote>resign</blockquote>", "help\n\n> resign"),
        ("<span style='display: none'>resign</span>help", "help"),
        ("<pre>a\n  b</pre>", "a\n  b"),
        ("<ul><li>help</li><li>show</li></ul>", "help\nshow"),
        ("help</div></p></b>", "help"),
        ("<p>help", "help"),
        ("<<<>><!-- help", "<<<>>"),
        ("help<!-- <p>resign</p> -->", "help"),
        ("help<![if x]>me<![endif]>", "helpme"),
        ("<!DOCTYPE x><![CDATA[help]]>show", "show"),
    ],
)
def test_text_of_html(html, text):
    assert text_of_html(html) == text


@pytest.mark.parametrize(
    ("flowed", "text"),
    [
        ("move a1 \nb2\nshow", "move a1 b2\nshow"),
        ("> one \n> two\nthree", "> one two\nthree"),
        ("> one \ntwo", "> one \ntwo"),
        ("help\n-- \nAlice", "help\n-- \nAlice"),
        (" From here", "From here"),
        (">> deep \n> less", ">> deep \n> less"),
    ],
)
def test_flowed_text(flowed, text):
    assert joined_flow(flowed) == text


def test_flowed_text_without_the_space_at_which_it_was_cut():
    assert joined_flow("mo \nve a1", drops_space=True) == "move a1"


@pytest.mark.parametrize(
    ("text", "new"),
    [
        (f"d4\n\n{MARK} write your answer above this line {MARK}\nmove x", "d4"),
        ("Le lun. 23 nov. 2026 à 19:12, Kakomi <p@k.example> a écrit :\n> hier\n\nd4", "d4"),
        ("d4\n\nEl lun, 23 nov 2026 a las 19:12, Kakomi (<p@k.example>) escribió:\n\nresign", "d4"),
        ("d4\n\nIl giorno 23 nov 2026, alle ore 19:12, Kakomi <p@k.example> ha scritto:\n> x", "d4"),
        ("d4\n\nOp ma 23 nov 2026 om 19:12 schreef Kakomi <p@k.example>:\n> x", "d4"),
        ("d4\n\nDen mån 23 nov. 2026 kl 19:12 skrev Kakomi <p@k.example>:\n\n> x", "d4"),
        ("d4\n\n23.11.2026, 19:12, Kakomi <p@k.example> пишет:\n> x", "d4"),
        ("d4\n\n-------- Ursprüngliche Nachricht --------\nVon: Kakomi\nresign", "d4"),
        ("d4\n\n-----Messaggio originale-----\nDa: Kakomi\nresign", "d4"),
        (
            (
                "d4\n\nDe : Kakomi <p@k.example>\nEnvoyé : lundi 23 novembre 2026 19:12\nÀ : Alice\nObjet : "
                "x\n\nresign"
            ),
            "d4",
        ),
        ("d4\n\n*From:* Kakomi <p@k.example>\n*Sent:* Monday\n*To:* Alice\n*Subject:* x\n\nresign", "d4"),
        (
            (
                "d4\n\nGesendet von Mail für Windows\n\nVon: Kakomi\nGesendet: Montag\nAn: Alice\nBetreff: "
                "x\n\nresign"
            ),
            "d4",
        ),
        ("d4\nSent from my iPhone", "d4"),
        ("d4\n--\nAlice", "d4"),
        ("kakomi> what now?\nd4", "d4"),
        ("| what now?\nd4", "d4"),
        ("Note: this\nand: that\nno header: here", "Note: this\nand: that\nno header: here"),
        ("My plan was this:\n\nd4", "My plan was this:\n\nd4"),
        ("\u200bd4\u200b", "d4"),
        ("d4\n\n\n\n\nshow", "d4\n\nshow"),
    ],
)
def test_what_is_new(text, new):
    assert new_text(text) == new


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"\x00" * 1000,
        b"\xff" * 1000,
        b"From: \xff\xfe@\x00\nSubject: =?utf-8?b?!!!?= =?x?q?=ZZ?=\n\n\xff",
        b"From: " + b"<" * 50_000 + b"\n\n",
        b"To: " + b"(" * 50_000 + b"\n\n",
        b"To: " + b"a@b, " * 50_000 + b"\n\n",
        b"Subject: " + b"=?" * 50_000 + b"\n\n",
        b"Subject:" + b" =?utf-8?q?a?=\n" * 20_000 + b"\n\n",
        b"Content-Type: text/plain" + b';"' * 50_000 + b"\n\nhelp",
        b"Content-Type: text/plain; charset*0*=" + b"a%" * 20_000 + b"\n\nhelp",
        b"Content-Type: text/plain; charset=idna\n\n" + b"a" * 100_000,
        b'Content-Type: text/plain; charset="a\0b"\n\n\xff help',
        b"Content-Type: multipart/mixed\n\nhelp",
        b'Content-Type: multipart/mixed; boundary=""\n\n--\n\nhelp',
        b"Content-Type: multipart/mixed; boundary=a\n\n" + b"--a\n" * 20_000,
        b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(2_000)),
        b"Content-Type: message/rfc822\n\n" * 2_000,
        b"Content-Type: text/html\n\n" + b"<div>" * 100_000,
        b"Content-Type: text/html\n\n" + b"<!--" * 50_000,
        b"Content-Type: text/html\n\n" + b"<![" * 50_000,
        b"Content-Type: text/html\n\n" + b"<a b='" * 50_000,
        b"Content-Transfer-Encoding: base64\n\n" + b"====" * 50_000,
        b"Content-Transfer-Encoding: uuencode\n\nbegin 666 x\n" + b"M" * 1_000,
        b"References: " + b"<a@b>" * 50_000 + b"\n\n",
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=a\n\n--a\n"
        b"Content-Type: message/delivery-status\n\n" + b"Final-Recipient: ;\nStatus: 5.1.1\n\n" * 5_000,
        b"help\n" * 300_000,
        b"> \n" * 300_000,
        b"\n\n" + b"> a wrote 1:\n" * 20_000,
        b"\n\n" + b"a@b.c 12:30 wrote\n" * 20_000,
        b"\n\n" + b"From: a@b\n" * 20_000,
    ],
    ids=range(32),
)
def test_hostile_bytes_are_read_as_something(data):
    mail = read_mail(data)
    for text in (
        mail.sender,
        mail.subject,
        mail.text,
        *mail.recipients,
        *(value for _, value in mail.headers),
    ):
        text.encode()  # no lone surrogate
        assert "\x00" not in text
    assert len(mail.text) <= 64_000
    parse_mail(mail)
    parse_mail(mail, ReplyContext("k7m2x9qpab"))


def test_a_mail_that_is_too_long_is_cut():
    assert read_mail(b"Subject: help\n\nhelp\n" + b"x" * (2 << 20)).text.startswith("help")


NAME, AT = "Kakomi", "play@kakomi.example"
INTRODUCTIONS = (
    f"On Mon, Nov 23, 2026 at 7:12\u202fPM {NAME} <{AT}> wrote:",  # Gmail
    f"On Mon, Nov 23, 2026 at 7:12 PM {NAME} <{AT}>\nwrote:",
    f"Am Mo., 23. Nov. 2026 um 19:12 Uhr schrieb {NAME} <{AT}>:",
    f"Am Mo., 23. Nov. 2026 um 19:12\xa0Uhr schrieb {NAME} <\n{AT}>:",
    f"On 23 Nov 2026, at 19:12, {NAME} <{AT}> wrote:",  # Apple Mail
    f"On Nov 23, 2026, at 7:12 PM, {NAME} wrote:",
    f"Am 23.11.2026 um 19:12 schrieb {NAME} <{AT}>:",
    f"On 11/23/26 19:12, {NAME} wrote:",  # Thunderbird
    f"Am 23.11.26 um 19:12 schrieb {NAME}:",
    f"On Mon, Nov 23, 2026 at 07:12:00PM +0000, {NAME} wrote:",  # mutt
    f"On Mon, 23 Nov 2026, {NAME} wrote:",  # Alpine
    f"On Mon, 23 Nov 2026 19:12:00 +0000\n{NAME} <{AT}> wrote:",  # Claws
    f"Am Mon, 23 Nov 2026 19:12:00 +0000\nschrieb {NAME} <{AT}>:",
    f"On Monday, November 23, 2026 7:12:00 PM CET {NAME} wrote:",  # KMail
    f"Am Montag, 23. November 2026, 19:12:00 CET schrieb {NAME}:",
    f"On Mon, 2026-11-23 at 19:12 +0000, {NAME} wrote:",  # Evolution
    f"Am Montag, dem 23.11.2026 um 19:12 +0000 schrieb {NAME}:",
    f"{NAME} <{AT}> writes:",  # Gnus
    f"{NAME} schreibt:",
    f"On Monday, November 23, 2026 at 07:12:00 PM GMT, {NAME}\n<{AT}> wrote:",  # Yahoo
    f"Am Montag, 23. November 2026 um 19:12:00 MEZ hat {NAME}\n<{AT}> Folgendes geschrieben:",
    "In a message dated 11/23/2026 7:12:00 PM Central Standard Time,\n" + AT + " writes:",  # AOL
    f"On Monday, November 23rd, 2026 at 7:12 PM, {NAME} <{AT}> wrote:",  # Proton
    f"Am Montag, 23. November 2026 um 19:12, {NAME} <{AT}> schrieb:",
    f"Am 23. November 2026 19:12:00 MEZ schrieb {NAME} <{AT}>:",  # K-9
    f"On 2026-11-23 19:12, {NAME} wrote:",  # Roundcube
    f"Am 2026-11-23 19:12, schrieb {NAME}:",
    f"On Mon, November 23, 2026 7:12 pm, {NAME} said:",  # SquirrelMail
    f"{NAME} said:",
    f"Am Montag sagte {NAME}:",
    f"Quoting {NAME} <{AT}>:",  # Horde
    f"Zitat von {NAME} <{AT}>:",
    f"----- On Nov 23, 2026, at 7:12 PM, {NAME} <{AT}> wrote:",  # Zimbra
    f"----- Am 23. Nov 2026 um 19:12 schrieb {NAME} {AT}:",
    f"On 23 Nov 2026, 19:12 +0100, {NAME} <{AT}>, wrote:",  # Spark
    f"Nov 23, 2026, 19:12 by {AT}:",  # Tuta
    f"23. Nov. 2026, 19:12 von {AT}:",
    f"{NAME} wrote on 11/23/2026 07:12:00 PM:",  # Notes
    f"{NAME} hat am 23.11.2026 19:12 geschrieben:",
    "Monday, November 23, 2026, 7:12:00 PM, you wrote:",  # The Bat!
    f"Ainsi parla {NAME} :",  # in any language, above our own first line
    "-----Original Message-----",  # Outlook, Samsung, T-Online
    "-------- Ursprüngliche Nachricht --------",
    "‐‐‐‐‐‐‐ Original Message ‐‐‐‐‐‐‐",
)
HEADERS = (
    f"From: {NAME} <{AT}>\nSent: Monday, November 23, 2026 7:12 PM\nTo: Alice\nSubject: Ren",
    f"Von: {NAME} <{AT}>\nGesendet: Montag, 23. November 2026 19:12\nAn: Alice\nBetreff: Ren",
    f"From: {NAME} <{AT}>\nDate: Monday, 23 November 2026 at 19:12\nTo: Alice\nSubject: Ren",
    f"Von: {NAME} <{AT}>\nDatum: Montag, 23. November 2026 um 19:12\nAn: Alice\nBetreff: Ren",
    f"Gesendet: Montag, 23. November 2026 um 19:12 Uhr\nVon: {NAME} <{AT}>\nAn: Alice\nBetreff: Ren",
    f"________________________________\nFrom: {NAME} <{AT}>\nSent: Monday\nTo: Alice\nSubject: Ren",
    f"*Von:* {NAME} <{AT}>\n*Gesendet:* Montag\n*An:* Alice\n*Betreff:* Ren",
    f"-----Original-Nachricht-----\nBetreff: Ren\nDatum: 2026-11-23T19:12Z\nVon: {NAME} <{AT}>\nAn: Alice",
)
SENT = (
    f"{MARK} write your answer above this line {MARK}\n\nRen, size 8, board k7m2x9qpab\n\nresign k7m2x9qpab"
)
MINE = "d5\n\nThat corner is mine!"


@pytest.mark.parametrize("introduction", [*INTRODUCTIONS, *HEADERS])
def test_no_introduction_of_a_quotation_is_taken_for_a_remark(introduction):
    quoted = "\n".join(f"> {line}".rstrip() for line in SENT.split("\n"))
    part = "> It is your turn: a stone on an empty square.\n> resign k7m2x9qpab"
    for text in (
        f"{MINE}\n\n{introduction}\n{quoted}",
        f"{MINE}\n\n{introduction}\n\n{quoted}",
        f"{MINE}\n{introduction}\n{quoted}",
        f"{MINE}\n{introduction}\n{part}",
        f"{introduction}\n{quoted}\n\n{MINE}",
        f"{MINE}\n\n{introduction}\n\n{SENT}",  # unmarked, as sometimes by Apple Mail
        f"{MINE}\n\n{introduction}\n{SENT}",
    ):
        if introduction in HEADERS and not text.endswith(SENT):
            continue  # Outlook marks nothing
        if "parla" in introduction and text.endswith(part):
            continue  # not recognizable as an introduction
        assert new_text(text) == MINE, text


@pytest.mark.parametrize(
    "introduction", [each for each in INTRODUCTIONS if AT in each or "2026, at 7:12" in each]
)
def test_a_part_of_our_mail_is_left_out_where_nothing_marks_it(introduction):
    if introduction.startswith(("Quoting", "Zitat", NAME)):
        return  # these programs mark what they quote
    assert new_text(f"{MINE}\n\n{introduction}\n\nIt is your turn.\n\nresign k7m2x9qpab") == MINE


@pytest.mark.parametrize(
    "remark",
    [
        "Remember what Bob wrote:\nI will win!\n\nHa.",
        "Remember what Bob wrote at 10:30:\nI will win!\n\nHa.",
        "Wie Bob um 10:30 schrieb:\n\nIch gewinne.\n\nTja.",
        "He wrote 3 times:\nfirst\nsecond",
        "Move 12 was bad.\nMy coach wrote:\nplay elsewhere",
        "As the book of 1985 says:\nnever resign",
        'In 2019 she wrote: "patience"\nand I was patient',
        "Bob said:\nresign",
        "Das hat er 2024 geschrieben:\nabwarten\n\nund Tee trinken",
    ],
)
def test_a_remark_about_what_somebody_wrote_is_whole(remark):
    assert new_text(f"d5\n\n{remark}") == f"d5\n\n{remark}"
    quoted = "\n".join(f"> {line}".rstrip() for line in SENT.split("\n"))
    assert new_text(f"d5\n\n{remark}\n\n{INTRODUCTIONS[0]}\n{quoted}") == f"d5\n\n{remark}"


def test_what_stands_above_an_introduction_is_no_part_of_it():
    for said in (f"{NAME} wrote:", f"On Mon, 23 Nov 2026, {NAME} wrote:", INTRODUCTIONS[0]):
        assert new_text(f"I liked move 12.\n{said}\n> It is your turn.\n\nd5") == "I liked move 12.\n\nd5"


SIGNED = """-----BEGIN PGP SIGNED MESSAGE-----
Hash: SHA256

d5

- -5 degrees here; well played!
- --
Alice
{more}-----BEGIN PGP SIGNATURE-----
Version: GnuPG v2

iQIzBAEBCAAdFiEEf00barbazf00barbazf00barbazf00barbaz
=abcd
-----END PGP SIGNATURE-----
"""


def test_what_is_signed_in_line_is_read():
    quoted = "".join(f"> {line}\n" for line in ("It is your turn.", "resign k7m2x9qpab"))
    for text in (
        SIGNED.format(more=""),
        SIGNED.format(more=f"\n{INTRODUCTIONS[0]}\n{quoted}"),
        SIGNED.format(more="").replace("Hash: SHA256\n", "Hash: SHA256\nNotDashEscaped: no\n"),
        SIGNED.format(more="").replace("\n", "\r\n"),
    ):
        mail = read_mail(
            b"From: alice@example.net\nSubject: Re: Ren\nContent-Type: text/plain\n\n" + text.encode()
        )
        assert mail.text == "d5\n\n-5 degrees here; well played!"
    key = "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQINBF\n-----END PGP PUBLIC KEY BLOCK-----"
    assert new_text(f"d5\n\n{key}\n") == "d5"
    assert new_text("-----BEGIN PGP MESSAGE-----\n\nhQIMA\n=abcd\n-----END PGP MESSAGE-----\n") == ""
    assert new_text("-----BEGIN PGP SIGNED MESSAGE-----\nd5") == "d5"
