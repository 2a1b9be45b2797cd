"""Damage mails: bytes are lost, doubled, changed, or mixed from two mails."""

import random

TOKENS = [
    b"\n",
    b"\r\n",
    b"\r",
    b"\n\n",
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"> ",
    b"-- \n",
    b"--",
    b"=\n",
    b"=?utf-8?q?",
    b"?=",
    b"=?x-unknown?b?////?=",
    b"Content-Type: multipart/alternative; boundary=b\n",
    b"--b\n",
    b"--b--\n",
    b"Content-Type: text/html\n",
    b"Content-Transfer-Encoding: base64\n",
    b"Content-Transfer-Encoding: quoted-printable\n",
    b"Content-Type: message/rfc822\n",
    b"charset=utf-16",
    b"charset=hz",
    b'charset="',
    b"boundary=",
    b"format=flowed; delsp=yes",
    b"Subject: Re: Re: ",
    b"Auto-Submitted: auto-replied\n",
    b"Return-Path: <>\n",
    b"From: a@b, c@d <e@f>\n",
    b"<div>",
    b"</div>",
    b"<!--",
    b"<![CDATA[",
    b"<blockquote>",
    b"&#x110000;",
    b"&#xd800;",
    b"On 1.1.2026 12:30 a@b.example wrote:\n",
    b"From: a\nSent: b\nTo: c\nSubject: d\n",
    b"resign\n",
    b"move ",
    b"#99999",
    b";",
    b"-size=4",
    "ſ\u202e\u200b①".encode(),
    b"k7m2x9qpab",
    b"\t",
    b" " * 80,
    b"\xc3",
]


def mutated(data: bytes, other: bytes, rng: random.Random) -> bytes:
    """A mail after some random damage, perhaps with parts of another mail."""
    for _ in range(rng.choice([1, 1, 2, 3, 8])):
        at, to = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        data = rng.choice(_WAYS)(data, at, min(to, at + 400), other, rng)
        if len(data) > 60_000:
            data = data[:60_000]
    return data


def _lost(data: bytes, at: int, to: int, other: bytes, rng: random.Random) -> bytes:
    return data[:at] + data[to:]


def _cut(data: bytes, at: int, to: int, other: bytes, rng: random.Random) -> bytes:
    return data[:to]


def _doubled(data: bytes, at: int, to: int, other: bytes, rng: random.Random) -> bytes:
    return data[:to] + data[at:to] * rng.choice([1, 2, 30]) + data[to:]


def _changed(data: bytes, at: int, to: int, other: bytes, rng: random.Random) -> bytes:
    return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]


def _with_token(data: bytes, at: int, to: int, other: bytes, rng: random.Random) -> bytes:
    return data[:at] + rng.choice(TOKENS) + data[at:]


def _with_line(data: bytes, at: int, to: int, other: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    lines.insert(rng.randrange(len(lines) + 1), rng.choice([*TOKENS, *other.split(b"\n")]))
    return b"\n".join(lines)


def _swapped(data: bytes, at: int, to: int, other: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    first, second = (rng.randrange(len(lines)) for _ in range(2))
    lines[first], lines[second] = lines[second], lines[first]
    return b"\n".join(lines)


def _spliced(data: bytes, at: int, to: int, other: bytes, rng: random.Random) -> bytes:
    return data[:at] + other[rng.randrange(len(other) + 1) :]


_WAYS = (_lost, _cut, _doubled, _changed, _with_token, _with_token, _with_line, _swapped, _spliced)
