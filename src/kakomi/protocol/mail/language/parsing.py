"""A mail's lines: which are commands, which belong to one above, and where a remark begins."""

import re
from collections.abc import Sequence
from dataclasses import replace

from kakomi import catalog
from kakomi.core.i18n import lazy_message, lazy_plural
from kakomi.core.wording import truncated_repr
from kakomi.protocol.mail import commands
from kakomi.protocol.mail.commands import ParsedLine, ParsedMail, ReplyContext
from kakomi.protocol.mail.language.arguments import Arguments, Misread, code_in, plain, split_turns
from kakomi.protocol.mail.language.board_readers import colour_of
from kakomi.protocol.mail.language.readers import read_command
from kakomi.protocol.mail.language.words import ELSEWHERE, close_name, command_named, commands_meant

MOST_COMMANDS = 20
"""Commands in one mail; a line more is answered with a problem."""
LONGEST_REMARK = 4_000
LONGEST_LINE = 2_000
_QUOTED_LENGTH = 200

_BULLET = re.compile(r"^\s*(?:[*•·]\s+|-\s+|\d{1,2}[.)]\s+(?=[A-Za-z]))")
_COMMENT = re.compile(r"^\s*(?://|#(?!\d)|%)")
_LIKE_ACTION = re.compile(r"x?[a-z]{1,3}\d{1,3}|\d{1,3}(?:,\d{1,3})?,?|pass|passe|end|ende", re.IGNORECASE)
_WITH_TEXT = (commands.Chat, commands.Message)
_WITH_TURN = (commands.Move, commands.Queue, commands.Submit, commands.Preview, commands.PreviewNew)


def parse_text(text: str, subject: str = "", context: ReplyContext | None = None) -> ParsedMail:
    """The commands in a text, those of the subject first. Never raises.

    A command stands in a line of its own. After the first, a line that is none begins a remark, which goes to
    the end; so does the text below a subject that is a command. The subject is looked at if it begins with a
    command, or if the text is none.
    """
    context = context or ReplyContext()
    of_subject = _parsed([subject, "", *text.split("\n")], context)
    if any(line.command for line in of_subject.lines[:1]):
        return of_subject
    of_text = _parsed(text.split("\n"), context)
    if any(line.command for line in of_text.lines) or not subject.strip() or context.code:
        return of_text
    return of_subject if not of_text.lines or _is_command(subject) else of_text


def _is_command(line: str) -> bool:
    return bool(command_named(_without_game(line)[1].partition(" ")[0].rstrip(":.")))


def _parsed(lines: Sequence[str], context: ReplyContext) -> ParsedMail:
    reading = _Reading(context)
    for number, line in enumerate(lines):
        if not reading.take(line[:LONGEST_LINE], lines[number + 1 :]):
            remark = "\n".join(lines[number:]).strip()[:LONGEST_REMARK]
            return ParsedMail(tuple(reading.lines), remark)
        if reading.is_done:
            break
    return ParsedMail(tuple(reading.lines))


class _Reading:
    """A mail in the course of being read."""

    def __init__(self, context: ReplyContext) -> None:
        self.context = context
        self.lines: list[ParsedLine] = []
        self.is_done = False
        """Whether the rest is the text of a command."""
        self._goes_on = False
        """Whether the line before was a command, in the same paragraph."""

    def take(self, raw: str, below: Sequence[str]) -> bool:
        """Read a line; False if a remark begins with it."""
        line = _BULLET.sub("", raw).strip().strip("`\"'“”„").strip()
        if not line or _COMMENT.match(line):
            self._goes_on = self._goes_on and bool(line)
            return True
        if self._goes_on and self._continues(line):
            return True
        for part in _split(line):
            parsed = self._parse(part, below)
            if self.lines and not self._is_meant(part, parsed):
                return False
            if len(self.lines) == MOST_COMMANDS:
                self.lines.append(ParsedLine(part[:_QUOTED_LENGTH], None, _TOO_MANY))
                self.is_done = True
                return True
            self.lines.append(parsed)
        self._goes_on = True
        return True

    def _parse(self, line: str, below: Sequence[str]) -> ParsedLine:
        game, rest = _without_game(line)
        word, _, after = rest.partition(" ")
        meant = commands_meant(plain(word).rstrip(":."))
        if (game and not rest) or (game and plain(word).startswith("-")):
            return ParsedLine(line[:_QUOTED_LENGTH], commands.Help((game,)))
        if len(meant) != 1:
            bare = self._bare(line)
            return bare or ParsedLine(line[:_QUOTED_LENGTH], None, _no_command(word, meant))
        arguments = Arguments(meant[0], after.strip(), self.context, game)
        has_text_below = meant[0] in ("chat", "message")
        if has_text_below:
            arguments.below = "\n".join(below)
        try:
            command = read_command(arguments)
        except Misread as error:
            return ParsedLine(line[:_QUOTED_LENGTH], None, error.reason)
        if isinstance(command, _WITH_TEXT) and arguments.below.strip() == command.text:
            self.is_done = True
        return ParsedLine(line[:_QUOTED_LENGTH], command, notes=tuple(arguments.notes))

    def _bare(self, line: str) -> ParsedLine | None:
        """A turn, a komi or a colour without a command, in an answer to a mail about a board."""
        words = plain(line).rstrip(".!").split()
        if not self.context.code or not words:
            return None
        if self.context.phase == "colour" and len(words) == 1 and colour_of(words[0]) is not None:
            return self._parse(f"colour {words[0]}", ())
        if self.context.phase == "komi" and split_turns(words[0])[0].isdecimal() and len(words) <= 2:
            return self._parse(f"komi {' '.join(words)}", ())
        if not _looks_like_turn(words):
            return None
        parsed = self._parse(f"move {' '.join(words)}", ())
        return replace(parsed, line=line[:_QUOTED_LENGTH])

    def _continues(self, line: str) -> bool:
        """Whether a line goes on with the one above: with its turn, or with its text."""
        last = self.lines[-1]
        if isinstance(last.command, _WITH_TEXT) and not _is_command(line):
            more = f"{last.command.text} {line}"[:LONGEST_REMARK]
            self.lines[-1] = replace(last, command=replace(last.command, text=more))
            return True
        words = plain(line).split()
        if not isinstance(last.command, _WITH_TURN) or not _looks_like_turn(words):
            return False
        *actions, turns = *words[:-1], split_turns(words[-1])
        command = replace(last.command, text=" ".join([last.command.text, *actions, turns[0]]).strip())
        if turns[1] is not None and not isinstance(command, commands.PreviewNew):
            command = replace(command, board=replace(command.board, turns=turns[1]))
        self.lines[-1] = replace(last, command=command)
        return True

    def _is_meant(self, line: str, parsed: ParsedLine) -> bool:
        """Whether a line below a command is a command too, and no remark that happens to begin like one."""
        words = _without_game(line)[1].split()
        word = plain(words[0]).rstrip(":.") if words else ""
        names_board = any(code_in(split_turns(plain(other))[0]) for other in words)
        if parsed.command is not None:
            is_short = len(word) > 2 and (self._goes_on or names_board)
            return bool(command_named(word)) or is_short or _looks_like_turn(words)
        is_near = bool(commands_meant(word) or close_name(word))
        return is_near and (names_board or (self._goes_on and len(words) <= 3))


_TOO_MANY = lazy_plural(
    "a mail has at most {count} command: this one and all below are left out",
    "a mail has at most {count} commands: this one and all below are left out",
    count=MOST_COMMANDS,
)


def _without_game(line: str) -> tuple[str, str]:
    """The game that a line begins with, as in `rings move …`, and the rest; "" if it begins with none, or as
    in `all show …` with all of them."""
    word, _, rest = line.strip().partition(" ")
    game = plain(word).lower().rstrip(":")
    if game == "all" and command_named(rest.split(" ")[0]) == "show":
        return "", rest.strip()
    return (game, rest.strip()) if game in catalog.names() else ("", line.strip())


def _split(line: str) -> list[str]:
    """The commands of a line, which have semicolons between them; one that takes a text goes to its end."""
    parts: list[str] = []
    for part in line.split(";"):
        if parts and (
            not _is_command(part.strip()) or command_named(parts[0].partition(" ")[0]) in ("chat", "message")
        ):
            parts[-1] += f";{part}"
        else:
            parts.append(part.strip())
    return [part for part in parts if part]


def _looks_like_turn(words: Sequence[str]) -> bool:
    """Whether words are actions by their looks, perhaps with a `#12` at the end."""
    text = " ".join(words)
    rest = split_turns(text)[0] if "#" in text else text
    actions = re.sub(r"\s*,\s*", ",", re.sub(r"[()\[\]{};+&/|]", " ", rest)).split()
    return (
        bool(actions)
        and len(rest) <= LONGEST_LINE
        and all(
            all(
                _LIKE_ACTION.fullmatch(part)
                for part in ([action] if _LIKE_ACTION.fullmatch(action) else action.split(","))
            )
            for action in actions
        )
    )


def _no_command(word: str, meant: tuple[str, ...]) -> str:
    if plain(word).lower().rstrip(":.") in ELSEWHERE:
        return ELSEWHERE[plain(word).lower().rstrip(":.")]
    if meant:
        return lazy_message(
            "{word} may mean {meant}: write more of it", word=truncated_repr(word), meant=", ".join(meant)
        )
    close = close_name(word)
    if close:
        return lazy_message(
            "{word} is no command; did you mean {close}?", word=truncated_repr(word), close=repr(close)
        )
    return lazy_message("{word} is no command: 'help' lists them", word=truncated_repr(word))
