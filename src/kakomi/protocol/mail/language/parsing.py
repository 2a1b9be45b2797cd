"""The lines of an email: which are commands, which continue a command above, and where a remark begins."""

import re
from collections.abc import Sequence
from dataclasses import replace

from kakomi import catalog
from kakomi.core.i18n import lazy_message, lazy_plural, truncated_repr
from kakomi.protocol.mail import commands
from kakomi.protocol.mail.commands import Command, ParsedLine, ParsedMail, ReplyContext
from kakomi.protocol.mail.language.arguments import (
    Arguments,
    CommandError,
    board_in,
    code_in,
    number_in,
    plain,
    split_turns,
)
from kakomi.protocol.mail.language.board_readers import colour_of, looks_like_turn
from kakomi.protocol.mail.language.readers import read_command
from kakomi.protocol.mail.language.words import (
    PBMSERV_COMMANDS,
    close_name,
    command_named,
    commands_meant,
    full_names,
)

MOST_COMMANDS = 20
"""The most commands in one email; the next one is answered with a problem."""
LONGEST_REMARK = 4_000
LONGEST_LINE = 2_000
_QUOTED_LENGTH = 200

MOST_REMARK_LINES = 60
"""After so many lines of remark, no commands are looked for."""

_BULLET = re.compile(r"^\s*(?:[*•·]\s+|-\s+|\d{1,2}[.)]\s+(?=[A-Za-z]))")
_COMMENT = re.compile(r"^\s*(?://|#(?!\d)|%)")
_MARKS = "`\"'“”„*_"
"""Signs that people and programs put around a line."""
_PARAMETER = re.compile(r"-{1,2}[A-Za-zäöü]\S*")
_WRAPPED = 45
"""The length from which a mail program may have broken a line; its writer ended shorter ones."""
_WITH_TEXT = (commands.Chat, commands.Message)
_WITH_TURN = (commands.Move, commands.Queue, commands.Submit, commands.Preview, commands.PreviewNew)
_WITH_PARAMETERS = (commands.Challenge, commands.Seek, commands.PreviewNew)
_STANDALONE_COMMANDS = (commands.Resign, commands.Accept, commands.Reject, commands.Swap, commands.Withdraw)
"""Commands, mostly irrevocable, that count in a reply only if they stand alone in their line."""
_ANSWER_WORDS = ("yes", "ja", "no", "nein")


def parse_text(text: str, subject: str = "", context: ReplyContext | None = None) -> ParsedMail:
    """Return the commands in a text, those of the subject first. Never raises.

    Each command has its own line. After the first, a line that is no command begins a remark, which extends
    to the end; so does the text below a subject that is a command. In an answer to an email about a board, a
    remark may also come first, and a line is a command only if all of it is. The subject is considered if it
    begins with a command, or if the text contains none.
    """
    context = context or ReplyContext()
    lines = text.split("\n")
    if any(line.command for line in _parsed([subject], context).lines[:1]):
        return _parsed([subject, "", *lines], context)
    of_text = _parsed(lines, context)
    if any(line.command for line in of_text.lines) or not subject.strip() or context.code:
        return of_text
    of_subject = _parsed([subject, "", *lines], context)
    return of_subject if not of_text.lines or _is_command(subject) else of_text


def without_password(subject: str, names: Sequence[str]) -> str:
    """Return a subject without what may be a password: everything after a command and its board, and after
    one of the sender's `names`."""
    game, rest = _without_game(subject)
    words = rest.split()
    own = [name.casefold() for name in names]
    ends = [at for at, word in enumerate(words) if word.casefold().strip(",:") in own]
    ends += [at + 1 for at, word in enumerate(words) if board_in(plain(word))]
    word = plain(words[0]).rstrip(":.").lower() if words else ""
    if game or commands_meant(word) or close_name(word, (*full_names(), *PBMSERV_COMMANDS)):
        ends.append(1 if len(words) < 2 or not board_in(plain(words[1])) else 2)
    return " ".join([*([game] if game else []), *words[: min(ends, default=len(words))]])


def _is_command(line: str) -> bool:
    return bool(command_named(_without_game(line)[1].partition(" ")[0].rstrip(":.")))


def _parsed(lines: Sequence[str], context: ReplyContext) -> ParsedMail:
    reading = _Reading([line[:LONGEST_LINE] for line in lines], context)
    below: Sequence[str] = ()
    while reading.place < len(lines) and not reading.is_done and not below:
        if not reading.take():
            below = lines[reading.place :]
    remarks = ("\n".join(part).strip() for part in (reading.remark, below))
    return ParsedMail(tuple(reading.lines), "\n\n".join(filter(None, remarks))[:LONGEST_REMARK])


def _cleaned(line: str) -> str:
    return _BULLET.sub("", line).strip().strip(_MARKS).strip()


class _Reading:
    """The state of reading an email."""

    def __init__(self, written: Sequence[str], context: ReplyContext) -> None:
        self.written = written
        self.place = 0
        """The index of the next line to read."""
        self.context = context
        self.lines: list[ParsedLine] = []
        self.remark: list[str] = []
        """The lines above the first command."""
        self.is_done = False
        """Whether the rest is the text of a command."""
        self._goes_on = False
        """Whether the previous line was a command in the same paragraph."""
        self._last = ""
        """The last command as written."""

    def take(self) -> bool:
        """Read one line, or two into which a mail program broke it. Return False if it begins a remark that
        extends to the end."""
        line = _cleaned(self.written[self.place])
        if not line or _COMMENT.match(line):
            self._goes_on = self._goes_on and bool(line)
            if self.remark and not line:
                self.remark.append("")
            self.place += 1
            return True
        if not (self._goes_on and self._append_if_continued(line)):
            return self._begin(line)
        self.place += 1
        return True

    def _begin(self, line: str) -> bool:
        """Read the commands that begin in a line."""
        parsed, length = self._parse_all(line), 1
        if not any(each.command for each in parsed) and (below := self._next(line)):
            parsed, length = self._parse_all(below), 2
        if not parsed and not self.lines and not self.context.code:
            parsed, length = [self._parse(part) for part in _split(line)], 1
        if not parsed:
            self._check_last(line)
            if self.lines or len(self.remark) >= MOST_REMARK_LINES:
                return False
            self.remark.append(self.written[self.place])
            self.place += 1
            return True
        left = MOST_COMMANDS - len(self.lines)
        self.lines += parsed[:left]
        if len(parsed) > left:
            self.lines.append(ParsedLine(parsed[left].line, None, _TOO_MANY))
            self.is_done = True
        self.place += length
        self._goes_on, self._last = True, line
        last = self.lines[-1].command
        if isinstance(last, _WITH_TEXT) and last.text == "\n".join(self.written[self.place :]).strip():
            self.is_done = True
        return True

    def _next(self, line: str) -> str:
        """Return a line joined with the one below if it may be half of a command, else ""."""
        below = _cleaned(self.written[self.place + 1]) if self.place + 1 < len(self.written) else ""
        if not below or not (line.endswith((",", "-")) or len(line.split()) <= 2):
            return ""
        both = self._parse_all(f"{line} {below}")
        return f"{line} {below}" if any(isinstance(each.command, _WITH_TURN) for each in both) else ""

    def _parse_all(self, line: str) -> list[ParsedLine]:
        """Return the commands of a line; empty if any part of it is no command."""
        parts = _split(line)
        parsed = [self._parse(part) for part in parts]
        is_alone = len(parts) == 1
        are_meant = (self._is_meant(*each, is_alone=is_alone) for each in zip(parts, parsed, strict=True))
        return parsed if all(are_meant) else []

    def _parse(self, line: str) -> ParsedLine:
        game, rest = _without_game(line)
        word, _, after = rest.partition(" ")
        word = plain(word).rstrip(":.")
        meant = commands_meant(word)
        if (game and not rest) or (game and word.startswith("-")):
            return ParsedLine(line[:_QUOTED_LENGTH], commands.Help((game,)))
        if len(meant) != 1:
            bare = self._bare(line)
            return bare or ParsedLine(line[:_QUOTED_LENGTH], None, _no_command(word, meant))
        arguments = Arguments(meant[0], after.strip(), self.context, game, word.lower())
        if meant[0] in ("chat", "message"):
            arguments.below = "\n".join(self.written[self.place + 1 :])
        try:
            command = read_command(arguments)
        except CommandError as error:
            return ParsedLine(line[:_QUOTED_LENGTH], None, error.reason)
        return ParsedLine(line[:_QUOTED_LENGTH], command, notes=tuple(arguments.notes))

    def _bare(self, line: str) -> ParsedLine | None:
        """Read a turn, a komi or a colour without a command, in an answer to an email about a board."""
        words = plain(line).rstrip(".!").split()
        if not self.context.code or not words:
            return None
        if self.context.phase == "colour" and len(words) == 1 and colour_of(words[0]) is not None:
            return self._parse(f"colour {words[0]}")
        if self.context.phase == "komi" and split_turns(words[0])[0].isdecimal() and len(words) <= 2:
            return self._parse(f"komi {' '.join(words)}")
        if not looks_like_turn(words):
            return None
        parsed = self._parse(f"move {' '.join(words)}")
        return replace(parsed, line=line[:_QUOTED_LENGTH])

    def _append_if_continued(self, line: str) -> bool:
        """Append a line to the command above if it continues its turn, parameters or text; else return
        False."""
        last = self.lines[-1]
        if isinstance(last.command, _WITH_TEXT) and not self._ends_text(line):
            more = f"{last.command.text} {line}"[:LONGEST_REMARK]
            self.lines[-1] = replace(last, command=replace(last.command, text=more))
            return True
        if isinstance(last.command, _WITH_PARAMETERS) and _PARAMETER.match(plain(line)):
            self._last = f"{self._last} {line}"
            self.lines[-1:] = [self._parse(self._last)]
            return True
        if not isinstance(last.command, _WITH_TURN):
            return False
        below = plain(line).rstrip(".!").split()
        words = [*last.command.text.split(), *below]
        if not below or not looks_like_turn(words):
            return False
        text, turns = split_turns(" ".join(words))
        command = replace(last.command, text=text.strip())
        if turns is not None and not isinstance(command, commands.PreviewNew):
            command = replace(command, board=replace(command.board, turns=turns))
        self.lines[-1], self._last = replace(last, command=command), line
        return True

    def _ends_text(self, line: str) -> bool:
        """Return whether a line below a command that takes a text is a new command."""
        is_lenient = not self.context.code and _is_command(line)
        return bool(self._parse_all(line)) or (is_lenient and self._parse(line).command is not None)

    def _check_last(self, line: str) -> None:
        """Reject the last turn if a mail program broke its line and the rest doesn't belong to it."""
        is_broken = self._goes_on and len(self._last) >= _WRAPPED and looks_like_turn(line.split()[:1])
        if is_broken and isinstance(self.lines[-1].command, _WITH_TURN):
            self.lines[-1] = ParsedLine(self._last[:_QUOTED_LENGTH], None, _BROKEN)

    def _is_meant(self, line: str, parsed: ParsedLine, *, is_alone: bool) -> bool:
        """Return whether a line is meant as a command and isn't a remark that happens to begin like one.

        At the top of an email that answers no board, even a line that isn't a command is meant as one.
        """
        words = plain(_without_game(line)[1]).split()
        word = words[0].rstrip(":.").lower() if words else ""
        is_strict = bool(self.context.code) or any(hasattr(each, "board") for each in self._commands())
        named = split_turns(words[1])[0] if len(words) > 1 else ""
        number = number_in(named)
        may_be_talk = isinstance(parsed.command, commands.Chat) and bool(self.context.code)
        is_own = not may_be_talk and self.context.plays_at(number)
        has_board = bool(code_in(named)) or (bool(number) and (is_own or not is_strict))
        if parsed.command is None:
            is_near = bool(commands_meant(word) or close_name(word))
            has_code = any(code_in(split_turns(other)[0]) for other in words)
            is_short = self._goes_on and len(words) <= 3
            return self._has_password(words) or (
                is_near and (has_board or (not is_strict and bool(self.lines) and (has_code or is_short)))
            )
        if (
            word == "board"
            and isinstance(parsed.command, commands.Move)
            and not self._is_whole(word, words, parsed.command)
        ):
            return False  # the subject of one of our emails
        if has_board or not (is_strict or self.lines):
            return True
        if not is_strict:
            return bool(command_named(word)) or (len(word) > 2 and self._goes_on)
        above = self.remark[-1].strip() if self.remark else ""
        may_go_on = bool(above) and above[-1].isalnum()
        if len(above) >= _WRAPPED and may_go_on:  # it may continue the sentence above
            return False
        if isinstance(parsed.command, _STANDALONE_COMMANDS):
            has_acted = any(isinstance(each, commands.Move) for each in self._commands())
            answers = bool(command_named(word)) and (word not in _ANSWER_WORDS or self.context.has_offer)
            is_apart = is_alone and len(words) == 1 + bool(number) and not may_go_on and len(above) < _WRAPPED
            return answers and is_apart and not has_acted
        return self._is_whole(word, words, parsed.command)

    def _commands(self) -> list[Command]:
        return [line.command for line in self.lines if line.command is not None]

    def _has_password(self, words: Sequence[str]) -> bool:
        """Return whether the sender's name and a password follow a command, which no remark may reveal."""
        place = next((at for at in (1, 2) if at < len(words) and self.context.is_sender(words[at])), 0)
        word = words[0].rstrip(":.").lower() if words else ""
        return 0 < place < len(words) - 1 and (bool(commands_meant(word)) or word in PBMSERV_COMMANDS)

    def _is_whole(self, word: str, words: Sequence[str], command: Command) -> bool:
        """Return whether no part of a line that was read as this command seems to be meant for a person."""
        if isinstance(command, _WITH_TURN):
            return looks_like_turn(command.text.split())
        if isinstance(command, commands.NameKomi | commands.ChooseColour) and not commands_meant(word):
            return True
        if not command_named(word):
            return False
        if isinstance(command, commands.SignUp):
            return not self.context.code and not self.context.names and len(words) == 2
        if isinstance(command, commands.Chat):
            return word == "chat" and not self.lines
        named = (getattr(command, name, ()) for name in ("people", "names", "person", "of"))
        people = [name for found in named for name in (found if isinstance(found, tuple) else (found,))]
        return self.context.are_people([name for name in people if name and isinstance(name, str)])


_BROKEN = lazy_message(
    "this line contains words that aren’t moves: write the move on its own line, and any "
    "message below an empty line"
)
_TOO_MANY = lazy_plural(
    "an email can have up to {count} command: this one and all below were ignored",
    "an email can have up to {count} commands: this one and all below were ignored",
    count=MOST_COMMANDS,
)


def _without_game(line: str) -> tuple[str, str]:
    """Return the game that a line begins with, as in `rings move …`, and the rest. The game is "" if there is
    none, or all games as in `all show …`."""
    word, _, rest = line.strip().partition(" ")
    game = plain(word).lower().rstrip(":")
    if game == "all" and command_named(rest.split(" ")[0]) == "show":
        return "", rest.strip()
    return (game, rest.strip()) if game in catalog.names() else ("", line.strip())


def _split(line: str) -> list[str]:
    """Split a line into commands at semicolons; a command that takes a text extends to the end."""
    parts: list[str] = []
    for part in line.split(";"):
        if parts and (
            not _is_command(part.strip()) or command_named(parts[0].partition(" ")[0]) in ("chat", "message")
        ):
            parts[-1] += f";{part}"
        else:
            parts.append(part.strip())
    return [part for part in parts if part]


def _no_command(word: str, meant: tuple[str, ...]) -> str:
    if plain(word).lower().rstrip(":.") in PBMSERV_COMMANDS:
        return PBMSERV_COMMANDS[plain(word).lower().rstrip(":.")]
    if meant:
        return lazy_message(
            "{word} could mean {meant}: write more letters", word=truncated_repr(word), meant=", ".join(meant)
        )
    close = close_name(word)
    if close:
        return lazy_message(
            "{word} isn’t a command; did you mean {close}?", word=truncated_repr(word), close=repr(close)
        )
    return lazy_message("{word} isn’t a command: 'help' lists them all", word=truncated_repr(word))
