"""What names may be. No two names to sign in with look alike, by the skeletons of UTS 39 (Unicode security).

Words that a site doesn't take in names and messages are a list that its operator gives; ours has none.
`KAKOMI_WORDS` names a file of UTF-8 with a word a line; lines that begin with # are comments. A word counts
where it stands by itself, whatever its capitals; `*` at its beginning or end lets it be part of a longer one.
"""

import os
import re
import unicodedata
from functools import cache, lru_cache
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from kakomi.server.prefixes import fold

_WRITING_SYSTEMS = ({"HAN", "HIRAGANA", "KATAKANA"}, {"HAN", "HANGUL"}, {"HAN", "BOPOMOFO"})
"""Scripts that are written together: UTS 39, section 5.1."""


def check_user_name(name: str) -> None:
    """Raise ValidationError for a name to sign in with that breaks addresses, or mixes scripts."""
    from confusable_homoglyphs.categories import alias

    if "@" in name:
        raise ValidationError(
            gettext("A name can't have an @ in it; there is a field for your mail address.")
        )
    if not re.fullmatch(r"\w(.*\w)?", name):
        raise ValidationError(gettext("A name begins and ends with a letter, a digit or _."))
    scripts = {alias(letter) for letter in name} - {"COMMON", "INHERITED"}
    if len(scripts) > 1 and not any(scripts <= system for system in _WRITING_SYSTEMS):
        raise ValidationError(
            gettext("A name is written in one script: don't mix letters of several alphabets.")
        )


def is_reserved(name: str) -> bool:
    """Whether a name could be taken for the site's staff."""
    return any(f(name) == f(known) for known in settings.ACCOUNT_USERNAME_BLACKLIST for f in LOOKS.values())


def look(name: str) -> str:
    """What a name looks like, as it is written: the same for two that can be confused."""
    return fold(_skeleton(unicodedata.normalize("NFKC", name)))


def small_look(name: str) -> str:
    """What it looks like in small letters."""
    return look(fold(name))


def capital_look(name: str) -> str:
    """What it looks like in capitals."""
    return look(fold(name).upper())


LOOKS = {"username_look": look, "username_small_look": small_look, "username_capital_look": capital_look}
"""Fields of a user -> how a name looks. Of each look there is one user."""


def _skeleton(text: str) -> str:
    """The skeleton of UTS 39, section 4; twice, since either of a pair may stand for both."""
    for _ in range(2):
        signs = unicodedata.normalize("NFD", text)
        text = unicodedata.normalize("NFD", "".join(_prototypes().get(sign, sign) for sign in signs))
    return text


@cache
def _prototypes() -> dict[str, str]:
    """The sign by which each other one is replaced. The library has Unicode's pairs, in both directions: a
    sign has one prototype, and that has many signs; where it has one only, the two stand for each other."""
    from confusable_homoglyphs.utils import load

    found: dict[str, str] = {}
    for sign, others in load("confusables.json").items():
        sign, first = sign.strip("\u200e"), others[0]["c"].strip("\u200e")  # marks around what runs leftwards
        if len(sign) == len(others) == 1 and found.get(first) != sign:
            found[sign] = first
    return found


def has_forbidden_word(text: str) -> bool:
    """Whether a text has one of the words. Raises ValueError if the list can't be read: a site
    that starts reads it, and refuses to start."""
    rule = _rule(os.environ.get("KAKOMI_WORDS", ""))
    return rule is not None and rule.search(fold(text, None)) is not None


def forbidden_words(path: Path) -> list[str]:
    """The words of a file. Raises ValueError, naming it, if it can't be read."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(
            f"KAKOMI_WORDS: {path} should be a file with a word a line, in UTF-8: {error}"
        ) from None
    return [line.strip() for line in lines if line.strip(" *") and not line.startswith("#")]


@lru_cache(maxsize=4)
def _rule(path: str) -> "re.Pattern[str] | None":
    """What finds the words, made once; a list that has changed counts after a restart."""
    if not path:
        return None
    words = [_pattern(word) for word in forbidden_words(Path(path))]
    return re.compile("|".join(words)) if words else None


def _pattern(word: str) -> str:
    begins, ends = ("" if word.startswith("*") else r"(?<!\w)"), ("" if word.endswith("*") else r"(?!\w)")
    return begins + re.escape(fold(word.strip("*"), None)) + ends
