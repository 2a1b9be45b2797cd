"""Every command of pbmserv is a command here too, or is answered with an alternative."""

import pytest

from kakomi.protocol.mail import ReplyContext, parse_text
from kakomi.protocol.mail.commands import Help, Show
from kakomi.protocol.mail.language.words import PBMSERV_COMMANDS

CODE, ADA = "k7m2x9qpab", ReplyContext(names=("ada",))
OF_SERVER = (
    "help", "help rings", "signup ada secret ada@example.net", "add ada secret other@example.net",
    "change password ada old new", "change address ada secret new@example.net", "signoff ada secret",
    "delete ada secret", "list", "list types", "message ada secret bob: hello", "broadcast ada secret",
    "multiple", "all show ada", "all show ada next", "all show ada active",
)  # fmt: skip
OF_GAMES = (
    "challenge bob cleo", "chall bob -size=5", f"move {CODE} ada secret L1#3", f"board {CODE} ada secret L1",
    f"move {CODE} ada secret swap", f"move {CODE} ada secret resign", f"move {CODE} ada secret accept",
    f"move {CODE} ada secret reject", f"move {CODE} ada secret undo", f"queue {CODE} ada secret L1",
    f"swap {CODE} ada secret", f"resign {CODE} ada secret", f"propose {CODE} draw", f"undo {CODE} ada secret",
    f"accept {CODE} ada secret", f"reject {CODE} ada secret", f"preview {CODE} L1 K2", f"preview {CODE}#2 L1",
    "preview new 3 L1 K2", f"submit {CODE} ada secret L1", f"confirm {CODE} ada secret", f"show {CODE}",
    f"show {CODE}#3 {CODE}", "show ada bob all", "show ada active", "show ada inactive", "show ada next",
    f"showas {CODE}", "games", "standings", "ratings", f"history {CODE}", f"chat {CODE} hello",
    f"subscribe {CODE} ada secret", f"unsubscribe {CODE} ada secret", "notify", "limit ada secret 3",
    "limit ada secret accept", "limit ada secret reject", "seek ada secret 2",
)  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [*OF_SERVER, *(f"rings {line.replace(CODE, board)}" for line in OF_GAMES for board in (CODE, "123"))],
)
def test_every_command_is_known(line):
    (parsed, *_) = parse_text(line, context=ADA).lines
    word = line.removeprefix("rings ").split()[0]
    assert parsed.command is not None or parsed.problem == PBMSERV_COMMANDS.get(word), parsed
    assert "is no command" not in parsed.problem
    assert "is no command" not in parse_text("", line, ADA).lines[0].problem


@pytest.mark.parametrize("word", sorted({line.split()[0] for line in (*OF_SERVER, *OF_GAMES)} - {"all"}))
def test_there_is_help_on_every_command(word):
    (parsed,) = parse_text(f"help {word}").lines
    assert isinstance(parsed.command, Help) or parsed.problem == PBMSERV_COMMANDS[word]


def test_all_shows_boards_of_all_games():
    assert parse_text("all show ada next").commands == (Show(("ada",), "next"),)
