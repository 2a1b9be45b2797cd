"""What becomes of a command of a mail: parts of the answer, and boards that it should end with."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from kakomi.protocol.mail.printing import Block, Picture, sentence_block
from kakomi.server.language import translate


@dataclass(frozen=True)
class Result:
    """What an answer says of a command."""

    blocks: tuple[Block, ...] = ()
    boards: tuple[tuple[str, str], ...] = ()
    """Codes of tables that the answer shows as they stand then, each with a sentence about it, or ""."""
    confirmation: int | None = None
    """The number of what an answer to the answer would confirm."""
    is_problem: bool = False
    about: str = ""
    """The code of the table at which an answer to the answer may act without naming it."""

    def to_json(self) -> dict[str, Any]:
        """As data that JSON can hold."""
        return {
            "blocks": [
                [block.text, block.html, [[each.cid, each.svg, each.alt] for each in block.pictures]]
                for block in self.blocks
            ],
            "boards": [list(board) for board in self.boards],
            "confirmation": self.confirmation,
            "is_problem": self.is_problem,
            "about": self.about,
        }

    @staticmethod
    def from_json(data: dict[str, Any]) -> "Result":
        """A result from what `to_json` gave."""
        return Result(
            tuple(
                Block(text, html, tuple(Picture(*each) for each in pictures))
                for text, html, pictures in data["blocks"]
            ),
            tuple((code, note) for code, note in data["boards"]),
            data["confirmation"],
            data["is_problem"],
            data["about"],
        )


def said(*sentences: str) -> Result:
    """A paragraph, in the language that is spoken."""
    return Result((sentence_block(*map(translate, sentences), say=translate),))


def shown(code: str, note: str = "") -> Result:
    """A board, with a sentence about it."""
    return Result(boards=((code, translate(note)),))


def boards_of(results: Iterable[Result]) -> dict[str, str]:
    """All boards of some results, each once, with what was said of it."""
    boards: dict[str, str] = {}
    for result in results:
        for code, note in result.boards:
            boards[code] = " ".join(filter(None, (boards.get(code, ""), note)))
    return boards
