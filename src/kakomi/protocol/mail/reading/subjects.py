"""Subjects without what programs for mail put before them."""

import re

_REPLIES = (
    "re", "aw", "antw", "antwort", "sv", "vs", "rif", "r", "rép", "rep", "resp", "res", "ref", "odp",
    "odg", "ynt", "yan",
    "atb", "bls", "vá", "vb", "ang", "tr", "ats", "hb", "за", "ответ", "отв", "на", "απ", "σχετ", "回复",
    "回覆", "答复",
    "返信", "回答", "회신", "תשובה", "השב", "رد", "trả lời",
)  # fmt: skip
_FORWARDS = (
    "fw", "fwd", "wg", "enc", "rv", "i", "pd", "vl", "doorst", "vidarebefordra", "vs", "wtr", "iletilen",
    "пересл", "转发", "轉寄", "転送", "전달", "הועבר", "إعادة توجيه", "προώθ",
)  # fmt: skip
_PREFIX = re.compile(
    rf"\s*(?:{'|'.join(map(re.escape, sorted({*_REPLIES, *_FORWARDS}, key=len, reverse=True)))})\.?"
    r"\s*(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3}|\*\d{1,3})?\s*[:：]\s*",
    re.IGNORECASE,
)


def without_prefixes(subject: str) -> tuple[str, bool]:
    """A subject without `Re:`, `AW:`, `RE[2]:`, `Antw:` and their kind, and whether it had any."""
    start = 0
    while found := _PREFIX.match(subject, start):
        start = found.end()
    return subject[start:].strip(), start > 0
