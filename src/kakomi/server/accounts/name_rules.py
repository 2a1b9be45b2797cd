"""Words that a site doesn't take in names and messages: a list that its operator gives, and ours has none.

`KAKOMI_WORDS` names a file of UTF-8 with a word a line; lines that begin with # are comments. A word counts
where it stands by itself, whatever its capitals; `*` at its beginning or end lets it be part of a longer one.
"""

import os
import re
import unicodedata
from functools import lru_cache
from pathlib import Path


def has_forbidden_word(text: str) -> bool:
    """Whether a text has one of the words. Raises ValueError if the list can't be read: a site
    that starts reads it, and refuses to start."""
    rule = _rule(os.environ.get("KAKOMI_WORDS", ""))
    return rule is not None and rule.search(_fold(text)) is not None


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
    return begins + re.escape(_fold(word.strip("*"))) + ends


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
