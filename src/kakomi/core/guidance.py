"""What a game tells people who learn it, and the rules that its sentences cite.

Rules have the numbers of docs/rules.md; a paragraph of a game's `rules.md` tells those that the line before
names, `<!-- rules: V3 V8 -->`. A sentence cites them as `(RULES V3, V8)`, in German as `(Regeln V3, V8)`.
"""

import re
from dataclasses import dataclass

CITATION = re.compile(r"\((\w+) ([A-Z]\d+)((?:, [A-Z]\d+)*)\)")
"""A citation in a sentence: the word for rules, the first number, and the others."""
PLACE = re.compile(r"<!-- rules: ([A-Z]\d+(?: [A-Z]\d+)*) -->")
"""The place of rules in `rules.md`: their numbers."""


@dataclass(frozen=True)
class Guidance:
    """What there is to do in a position and why, in one line, and which rule matters most."""

    text: str
    rule: str
    """Its number, such as `V3`."""
