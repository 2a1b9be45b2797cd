"""What stands behind a command's name: boards, names, numbers, texts, taken word by word."""

import re
import unicodedata
from collections.abc import Sequence

from kakomi import catalog
from kakomi.core.i18n import lazy_message
from kakomi.core.wording import truncated_repr
from kakomi.protocol.mail.commands import Board, ReplyContext

LONGEST_NAME = 254
NO_PASSWORD = lazy_message("passwords are not taken by mail: the name and the password were left out")
"""The note for who writes as to pbmserv."""

_CODE = re.compile(r"[a-hjkmnp-z2-9]{10}")
_NUMBER = re.compile(r"[1-9]\d{2,8}", re.ASCII)
_ROUND = "<>\"'`.,:()"
"""What may stand round the name of a board."""
_TURNS = re.compile(r"#\s?(\d{1,5})$")
_NAME = re.compile(r"[\w.@+-]+")
_DASHES = str.maketrans(
    {
        "‐": "-",
        "‑": "-",
        "‒": "-",
        "–": "-",
        "—": "--",
        "―": "--",
        "−": "-",
        "“": '"',
        "”": '"',
        "„": '"',
        "’": "'",
    }
)


class Misread(ValueError):  # noqa: N818 - named for what happens, as Refused is
    """A command that can't be read; the message, a `LazyMessage`, is for its sender."""

    @property
    def reason(self) -> str:
        """The message as it can be translated."""
        reason: str = self.args[0]
        return reason


def plain(text: str) -> str:
    """A text with the letters, dashes and quotation marks that keyboards have, as programs change them."""
    return unicodedata.normalize("NFKC", text.translate(_DASHES))


class Arguments:
    """The words behind a command, which readers take from the left."""

    def __init__(
        self, command: str, line: str, context: ReplyContext, game: str = "", said: str = ""
    ) -> None:
        self.command = command
        self.said = said or command
        """The command as its sender calls it."""
        self.context = context
        self.game = game
        """The game whose name stood before the command; "" if none did."""
        self.line = line
        self.words = plain(line).split()
        self.below = ""
        """What stands in the mail below the line, for commands that take texts."""
        self.notes: list[str] = []
        self.has_board = False
        """Whether a board was named, not only meant."""
        self._taken = 0

    def take(self) -> str:
        """The next word; "" if there is none."""
        self._taken += 1
        return self.words.pop(0) if self.words else ""

    @property
    def next(self) -> str:
        """The next word, in lower case, which stays."""
        return self.words[0].lower() if self.words else ""

    def text(self) -> str:
        """All that is left of the line as it was written, or if nothing is what stands below it."""
        rest = self.line.split(None, self._taken)
        return " ".join(rest[self._taken :]).strip() or self.below.strip()

    def board(self, *, needs: bool = True, takes_number: bool = True) -> Board:
        """The board that comes next, or that the mail answers, with the `#` at it or at the end of the line.

        `takes_number` is whether a number that comes next would be a board's. Raises Misread if there is no
        board and one is needed.
        """
        turns = None
        word, at = split_turns(self.next)
        code = code_in(word) or (number_in(word) if takes_number else "")
        if code:
            self.take()
            self.has_board = True
            turns = at
        if turns is None:
            turns = self._turns_said()
        if not code:
            code = self.context.code
        if not code and needs:
            raise Misread(self._no_board())
        return Board(code, turns)

    def _turns_said(self) -> int | None:
        """What the first `#` in the words says, which is taken out of them."""
        for place, word in enumerate(self.words):
            rest, turns = split_turns(word)
            if turns is not None:
                self.words[place : place + 1] = [rest] if rest else []
                return turns
        return None

    def _no_board(self) -> str:
        if self.words and re.fullmatch(r"\w{6,20}", self.next) and not self.next.isdecimal():
            return lazy_message(
                "{word} is no board: a board has a number, as in {example}, or a code of ten letters",
                word=truncated_repr(self.words[0]),
                example=f"'{self.said} 123'",
            )
        return lazy_message(
            "{command} needs a board: write its number behind {command}, or answer a mail about it",
            command=self.said,
        )

    def drop_credentials(self, words_left: int = 0) -> None:
        """Leave out the sender's own name and the password behind it, as pbmserv wants them, with a note.

        `words_left` is how many words have to stand behind them. Any other two words may be a remark.
        """
        if len(self.words) >= 2 + words_left and self.context.is_sender(self.words[0]):
            del self.words[:2]
            self.notes.append(NO_PASSWORD)

    def none_left(self) -> None:
        """Raises Misread if words are left, but for a name and a password behind a board."""
        if self.has_board and len(self.words) == 2:
            self.drop_credentials()
        if self.words:
            raise Misread(
                lazy_message(
                    "{command} takes nothing more: {words} can't stand there; no name and no password is "
                    "needed",
                    command=self.said,
                    words=truncated_repr(" ".join(self.words)),
                )
            )

    def take_game(self, *, anywhere: bool = False) -> str:
        """The game that comes next, or among all words, or stood before the command; "" if there is none."""
        place = next((at for at, word in enumerate(self.words) if word.lower() in catalog.names()), None)
        if anywhere and place is not None:
            return self.words.pop(place).lower()
        if not self.game and self.next in catalog.names():
            return self.take().lower()
        return self.game

    def need_game(self) -> str:
        """Raises Misread if no game is named."""
        if game := self.take_game():
            return game
        raise Misread(
            lazy_message(
                "{command} needs a game: {games}", command=self.said, games=", ".join(catalog.names())
            )
        )

    def number(self, what: str, least: int, most: int) -> int:
        """The next word as a number. Raises Misread if it is none, or one that can't be."""
        word = self.take()
        if re.fullmatch(r"\d{1,6}", word, re.ASCII) and least <= int(word) <= most:
            return int(word)
        raise Misread(
            lazy_message(
                "{what} is a whole number from {least} to {most}, not {word}",
                what=what,
                least=least,
                most=most,
                word=truncated_repr(word),
            )
        )


def split_turns(word: str) -> tuple[str, int | None]:
    """A word without the `#12` at its end, and that number; None if it has none."""
    found = _TURNS.search(word)
    return (word[: found.start()], int(found[1])) if found else (word, None)


def code_in(word: str) -> str:
    """The table's code that a word is, or a link to the table ends with; "" if it is neither."""
    last = word.lower().strip(_ROUND).rstrip("/").rpartition("/")[2]
    return last if _CODE.fullmatch(last) else ""


def number_in(word: str) -> str:
    """The number, of three digits or more, that a board may have and that a word is; "" for other words."""
    number = word.strip(_ROUND)
    return number if _NUMBER.fullmatch(number) else ""


def board_in(word: str) -> str:
    """The board that a word names, with or without a `#12` behind it; "" if it names none."""
    word = split_turns(word)[0]
    return code_in(word) or number_in(word)


def names(words: Sequence[str]) -> tuple[str, ...]:
    """The names of people that words are, with or without commas. Raises Misread for what can be no name, and
    for one that comes twice."""
    found = [name for word in words for name in word.split(",") if name]
    for name in found:
        if len(name) > LONGEST_NAME or not _NAME.fullmatch(name):
            raise Misread(lazy_message("{name} can't be anybody's name", name=truncated_repr(name)))
    if len({name.lower() for name in found}) < len(found):
        raise Misread(lazy_message("the same name comes twice"))
    if len(found) > 20:
        raise Misread(lazy_message("at most {most} names", most=20))
    return tuple(found)
