"""The arguments after a command's name: boards, names, numbers and texts, taken word by word."""

import re
import unicodedata
from collections.abc import Sequence

from kakomi import catalog
from kakomi.core.i18n import lazy_error, lazy_message, truncated_repr
from kakomi.protocol.mail.commands import Board, ReplyContext

LONGEST_NAME = 254
NO_PASSWORD = lazy_message("passwords aren’t accepted by email: the name and the password were ignored")
"""The note for senders who include a password, as pbmserv requires."""

_CODE = re.compile(r"[a-hjkmnp-z2-9]{10}")
_NUMBER = re.compile(r"[1-9]\d{2,8}", re.ASCII)
_ROUND = "<>\"'`.,:()"
"""Signs that may surround the name of a board."""
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


class CommandError(ValueError):
    """A command can't be read; the message, a `LazyMessage`, is for its sender."""

    @property
    def reason(self) -> str:
        """The translatable message."""
        reason: str = self.args[0]
        return reason


def plain(text: str) -> str:
    """Return a text with typographic letters, dashes and quotation marks replaced by those of keyboards."""
    return unicodedata.normalize("NFKC", text.translate(_DASHES))


class Arguments:
    """The words after a command, which readers take from the left."""

    def __init__(
        self, command: str, line: str, context: ReplyContext, game: str = "", said: str = ""
    ) -> None:
        self.command = command
        self.said = said or command
        """The command's name as its sender wrote it."""
        self.context = context
        self.game = game
        """The game named before the command; "" if there was none."""
        self.line = line
        self.words = plain(line).split()
        self.below = ""
        """The email's text below the line, for commands that take texts."""
        self.notes: list[str] = []
        self.has_board = False
        """Whether a board was named explicitly."""
        self._taken = 0

    def take(self) -> str:
        """Take the next word; "" if there is none."""
        self._taken += 1
        return self.words.pop(0) if self.words else ""

    @property
    def next(self) -> str:
        """The next word in lower case, without taking it."""
        return self.words[0].lower() if self.words else ""

    def text(self) -> str:
        """Return the rest of the line as it was written, or if that is empty the text below it."""
        rest = self.line.split(None, self._taken)
        return " ".join(rest[self._taken :]).strip() or self.below.strip()

    def board(self, *, needs: bool = True, takes_number: bool = True, has_text: bool = False) -> Board:
        """Take the next board, else the one that the email answers, and the line's `#`, if there is one.

        `takes_number` is whether a number that comes next is a board's; `has_text` is whether free text
        follows, in which a `#` means nothing. Raises CommandError if there is no board and `needs` is set.
        """
        turns = None
        word, at = split_turns(self.next)
        code = code_in(word) or (number_in(word) if takes_number else "")
        if code:
            self.take()
            self.has_board = True
            turns = at
        if turns is None and not has_text:
            turns = self._take_turns()
        if not code:
            code = self.context.code
        if not code and needs:
            raise CommandError(self._no_board())
        return Board(code, turns)

    def _take_turns(self) -> int | None:
        """Take the first `#12` out of the words and return its number."""
        for place, word in enumerate(self.words):
            rest, turns = split_turns(word)
            if turns is not None:
                self.words[place : place + 1] = [rest] if rest else []
                return turns
        return None

    def _no_board(self) -> str:
        if self.words and re.fullmatch(r"\w{6,20}", self.next) and not self.next.isdecimal():
            return lazy_message(
                "{word} isn’t a board: use a number such as {example}, or a ten-letter code",
                word=truncated_repr(self.words[0]),
                example=f"'{self.said} 123'",
            )
        return lazy_message(
            "{command} needs a board: add its number after {command}, or reply to an email about it",
            command=self.said,
        )

    def drop_credentials(self, words_left: int = 0) -> None:
        """Drop the sender's own name and the password after it, which pbmserv requires, and add a note.

        At least `words_left` words must follow them. Any other two words may be a remark.
        """
        if len(self.words) >= 2 + words_left and self.context.is_sender(self.words[0]):
            del self.words[:2]
            self.notes.append(NO_PASSWORD)

    def none_left(self) -> None:
        """Raise CommandError if words are left, other than the sender's name and password after a board."""
        if self.has_board and len(self.words) == 2:
            self.drop_credentials()
        if self.words:
            raise lazy_error(
                CommandError,
                "{command} doesn’t take {words}; no name or password is needed",
                command=self.said,
                words=truncated_repr(" ".join(self.words)),
            )

    def take_game(self, *, anywhere: bool = False) -> str:
        """Return the game before the command, else take the next word (or any word) if it is one, else ""."""
        place = next((at for at, word in enumerate(self.words) if word.lower() in catalog.names()), None)
        if anywhere and place is not None:
            return self.words.pop(place).lower()
        if not self.game and self.next in catalog.names():
            return self.take().lower()
        return self.game

    def need_game(self) -> str:
        """Like `take_game`, but raise CommandError if no game is named."""
        if game := self.take_game():
            return game
        raise lazy_error(
            CommandError,
            "{command} needs a game: {games}",
            command=self.said,
            games=", ".join(catalog.names()),
        )

    def number(self, what: str, least: int, most: int) -> int:
        """Take the next word as a number. Raises CommandError if it isn't one from `least` to `most`."""
        word = self.take()
        if re.fullmatch(r"\d{1,6}", word, re.ASCII) and least <= int(word) <= most:
            return int(word)
        raise lazy_error(
            CommandError,
            "{what} must be a whole number from {least} to {most}, not {word}",
            what=what,
            least=least,
            most=most,
            word=truncated_repr(word),
        )


def split_turns(word: str) -> tuple[str, int | None]:
    """Return a word without the `#12` at its end, and that number or None."""
    found = _TURNS.search(word)
    return (word[: found.start()], int(found[1])) if found else (word, None)


def code_in(word: str) -> str:
    """Return the table's code if a word is one or is a link that ends with one, else ""."""
    last = word.lower().strip(_ROUND).rstrip("/").rpartition("/")[2]
    return last if _CODE.fullmatch(last) else ""


def number_in(word: str) -> str:
    """Return a word that can be a board's number, which has three digits or more; "" for other words."""
    number = word.strip(_ROUND)
    return number if _NUMBER.fullmatch(number) else ""


def board_in(word: str) -> str:
    """Return the board that a word names, with or without `#12` after it; "" if it names none."""
    word = split_turns(word)[0]
    return code_in(word) or number_in(word)


def names(words: Sequence[str]) -> tuple[str, ...]:
    """Read words, with or without commas, as names of people. Raises CommandError for an invalid name and for
    one that occurs twice."""
    found = [name for word in words for name in word.split(",") if name]
    for name in found:
        if len(name) > LONGEST_NAME or not _NAME.fullmatch(name):
            raise CommandError(lazy_message("{name} isn’t a valid username", name=truncated_repr(name)))
    if len({name.lower() for name in found}) < len(found):
        raise CommandError(lazy_message("the same name appears twice"))
    if len(found) > 20:
        raise CommandError(lazy_message("up to {most} names", most=20))
    return tuple(found)
