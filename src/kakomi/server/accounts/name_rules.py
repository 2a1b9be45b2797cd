"""Rules for names. No two usernames may look alike, by the skeletons of UTS 39 (Unicode Security Mechanisms).

The operator can forbid words in names and messages; by default there are none. `KAKOMI_WORDS` is the path of
a UTF-8 file with one word per line; lines that begin with # are comments. A word matches as a whole, in any
capitalization; `*` at its beginning or end lets it match part of a longer word.
"""

import os
import re
import unicodedata
from functools import cache, lru_cache
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from kakomi.server.site.database import fold

_WRITING_SYSTEMS = ({"HAN", "HIRAGANA", "KATAKANA"}, {"HAN", "HANGUL"}, {"HAN", "BOPOMOFO"})
"""Scripts that may be mixed: UTS 39, section 5.1."""


def check_user_name(name: str) -> None:
    """Raise ValidationError for a username with an @, with punctuation at its ends, or of mixed scripts."""
    from confusable_homoglyphs.categories import alias

    if "@" in name:
        raise ValidationError(gettext("Names can’t contain @. Use the email field for your email address."))
    if not re.fullmatch(r"\w(.*\w)?", name):
        raise ValidationError(gettext("Names must start and end with a letter, a digit or _."))
    scripts = {alias(letter) for letter in name} - {"COMMON", "INHERITED"}
    if len(scripts) > 1 and not any(scripts <= system for system in _WRITING_SYSTEMS):
        raise ValidationError(gettext("Don’t mix letters from different alphabets."))


def is_reserved(name: str) -> bool:
    """Whether a name could be mistaken for that of the site's staff."""
    return any(f(name) == f(known) for known in settings.ACCOUNT_USERNAME_BLACKLIST for f in LOOKS.values())


def look(name: str) -> str:
    """The look of a name as it is written; equal for names that can be confused."""
    return fold(_skeleton(unicodedata.normalize("NFKC", name)))


def small_look(name: str) -> str:
    """The look of a name in lower case."""
    return look(fold(name))


def capital_look(name: str) -> str:
    """The look of a name in upper case."""
    return look(fold(name).upper())


LOOKS = {"username_look": look, "username_small_look": small_look, "username_capital_look": capital_look}
"""Fields of a user -> functions that compute them from the username. Each field is unique."""


def _skeleton(text: str) -> str:
    """The skeleton of UTS 39, section 4, applied twice, since a replacement may itself have a prototype."""
    for _ in range(2):
        signs = unicodedata.normalize("NFD", text)
        text = unicodedata.normalize("NFD", "".join(_prototypes().get(sign, sign) for sign in signs))
    return text


@cache
def _prototypes() -> dict[str, str]:
    """Characters -> prototypes. The library lists Unicode's pairs in both directions. A prototype usually has
    several characters; if it has only one, both list each other, and the first pair found counts."""
    from confusable_homoglyphs.utils import load

    found: dict[str, str] = {}
    for sign, others in load("confusables.json").items():
        sign, first = sign.strip("\u200e"), others[0]["c"].strip("\u200e")  # marks around right-to-left text
        if len(sign) == len(others) == 1 and found.get(first) != sign:
            found[sign] = first
    return found


def has_forbidden_word(text: str) -> bool:
    """Whether a text contains a forbidden word. Raises ValueError if the list can't be read, which also keeps
    a site from starting."""
    rule = _rule(os.environ.get("KAKOMI_WORDS", ""))
    return rule is not None and rule.search(fold(text, None)) is not None


def forbidden_words(path: Path) -> list[str]:
    """The words of a file. Raises ValueError with its path if it can't be read."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(
            f"KAKOMI_WORDS: {path} should be a file with a word a line, in UTF-8: {error}"
        ) from None
    return [line.strip() for line in lines if line.strip(" *") and not line.startswith("#")]


@lru_cache(maxsize=4)
def _rule(path: str) -> "re.Pattern[str] | None":
    """A pattern that finds the words, or None. Cached: changes to the list take effect after a restart."""
    if not path:
        return None
    words = [_pattern(word) for word in forbidden_words(Path(path))]
    return re.compile("|".join(words)) if words else None


def _pattern(word: str) -> str:
    begins, ends = ("" if word.startswith("*") else r"(?<!\w)"), ("" if word.endswith("*") else r"(?!\w)")
    return begins + re.escape(fold(word.strip("*"), None)) + ends
