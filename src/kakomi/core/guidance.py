"""Guidance for people learning a game, with citations of rules.

Rules have the numbers of docs/rules.md. In a game's `rules.md`, the line before a paragraph lists the rules
that it states, `<!-- rules: V3 V8 -->`. Sentences cite them as `(RULES V3, V8)`, in German as
`(Regeln V3, V8)`.
"""

import re
from dataclasses import dataclass

CITATION = re.compile(r"\((\w+) ([A-Z]\d+)((?:, [A-Z]\d+)*)\)")
"""A citation in a sentence: the word for rules, the first number, the other numbers."""
PLACE = re.compile(r"<!-- rules: ([A-Z]\d+(?: [A-Z]\d+)*) -->")
"""A line of `rules.md` that lists rules: their numbers."""


@dataclass(frozen=True)
class Guidance:
    """What the player to act can do in a position and why, in one line, and the rule that matters most."""

    text: str
    rule: str
    """The rule's number, such as `V3`."""
