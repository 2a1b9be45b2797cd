"""Bytes to text, where mails name the wrong charset, one that is none, or none at all."""

import codecs

_CLAIMED_FOR_ALL = ("", "ascii", "iso8859-1", "cp1252", "iso8859-15")
"""What programs claim without having looked; text that is UTF-8 by its bytes is taken for that."""
_ESCAPES = (
    "idna",
    "punycode",
    "raw-unicode-escape",
    "raw_unicode_escape",
    "undefined",
    "unicode-escape",
    "unicode_escape",
)
"""Codecs of Python's that are no charset of a mail."""
_ALIASES = {
    "iso-8859-8-i": "iso8859-8",
    "x-gbk": "gbk",
    "x-sjis": "shift_jis",
    "x-euc-jp": "euc_jp",
    "windows-874": "cp874",
    "unicode-1-1-utf-7": "utf-7",
}


def decoded_bytes(data: bytes, claimed: str) -> str:
    """The text of bytes: by the charset that is claimed if it fits, else as UTF-8, else as Windows has it."""
    charset = _codec(claimed)
    tries = ["utf-8", charset] if charset in _CLAIMED_FOR_ALL else [charset, "utf-8"]
    for name in tries:
        text = _decoded(data, name) if name else None
        if text is not None:
            return text.removeprefix("\ufeff")
    return data.decode("cp1252", "replace")


def _codec(claimed: str) -> str:
    """The name of Python's codec; "" for a charset that there isn't."""
    name = claimed.strip().strip("\"'").lower()[:40]
    try:
        codec = codecs.lookup(_ALIASES.get(name, name))
    except (LookupError, ValueError, UnicodeError):
        return ""
    is_text = getattr(codec, "_is_text_encoding", True)
    return codec.name if is_text and codec.name not in _ESCAPES else ""


def _decoded(data: bytes, name: str) -> str | None:
    try:
        return data.decode(name)
    except (UnicodeError, LookupError):
        return None
