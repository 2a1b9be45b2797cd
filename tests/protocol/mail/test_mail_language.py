"""Reading commands from texts."""

import pytest

from kakomi.protocol.mail import ReplyContext, parse_text
from kakomi.protocol.mail.commands import (
    Accept,
    Board,
    Challenge,
    Chat,
    ChooseColour,
    Confirm,
    Games,
    Help,
    History,
    Limit,
    ListBoards,
    ListGames,
    Message,
    Move,
    NameKomi,
    Notify,
    Preview,
    PreviewNew,
    Propose,
    Queue,
    Reject,
    Resign,
    Seek,
    Show,
    Standings,
    StopSeeking,
    Submit,
    Subscribe,
    Swap,
    Unqueue,
    Unsubscribe,
    Withdraw,
)
from kakomi.protocol.mail.language import without_password
from kakomi.protocol.mail.language.words import COMMANDS, commands_meant
from kakomi.protocol.mail.printing.help import HELP
from kakomi.session import TimeControl

CODE = "k7m2x9qpab"
BOARD = Board(CODE)
REPLY = ReplyContext(CODE, game="rings")


def command_of(text, context=None):
    """The only command of a text without remarks."""
    parsed = parse_text(text, context=context)
    assert [line.problem for line in parsed.lines] == [""], parsed
    assert parsed.remark == ""
    return parsed.commands[0]


def problem_of(text, context=None):
    parsed = parse_text(text, context=context)
    assert [line.command for line in parsed.lines] == [None], parsed
    return str(parsed.lines[0].problem)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("help", Help()),
        ("help move rings", Help(("move", "rings"))),
        ("rings help", Help(("rings",))),
        ("rings", Help(("rings",))),
        ("hilfe zug", Help(("move",))),
        (f"move {CODE} L1 xLM2", Move(BOARD, "L1 xLM2")),
        (f"MOVE {CODE.upper()} L1", Move(BOARD, "L1")),
        (f"move: {CODE} d4", Move(BOARD, "d4")),
        (f"zug {CODE} d4", Move(BOARD, "d4")),
        (f"rings move {CODE} L1", Move(BOARD, "L1")),
        (f"mo {CODE} d4", Move(BOARD, "d4")),
        (f"move {CODE} d4 #12", Move(Board(CODE, 12), "d4")),
        (f"move {CODE} d4#12", Move(Board(CODE, 12), "d4")),
        (f"move {CODE}#12 d4", Move(Board(CODE, 12), "d4")),
        (f"move https://kakomi.example/table/{CODE}/ d4", Move(BOARD, "d4")),
        (f"> move {CODE} d4".removeprefix("> "), Move(BOARD, "d4")),
        (f"* move {CODE} d4", Move(BOARD, "d4")),
        (f"1. move {CODE} d4", Move(BOARD, "d4")),
        (f"“move {CODE} d4”", Move(BOARD, "d4")),
        (f"move {CODE} pass", Move(BOARD, "pass")),
        (f"pass {CODE}", Move(BOARD, "pass")),
        (f"pass {CODE} xLM2 #3", Move(Board(CODE, 3), "pass xLM2")),
        (f"move {CODE} resign", Resign(BOARD)),
        (f"move {CODE}#4 swap", Swap(Board(CODE, 4))),
        (f"move {CODE} undo", Propose(BOARD, "takeback")),
        (f"move {CODE} accept", Accept(BOARD)),
        (f"komi {CODE} 12", NameKomi(BOARD, 12)),
        (f"colour {CODE} white", ChooseColour(BOARD, 1)),
        (f"farbe {CODE} schwarz", ChooseColour(BOARD, 0)),
        (f"swap {CODE}", Swap(BOARD)),
        (f"resign {CODE}", Resign(BOARD)),
        (f"propose {CODE} draw", Propose(BOARD, "draw")),
        (f"propose {CODE} pause", Propose(BOARD, "pause")),
        (f"undo {CODE}", Propose(BOARD, "takeback")),
        (f"withdraw {CODE}", Withdraw(BOARD)),
        (f"accept {CODE}", Accept(BOARD)),
        (f"reject {CODE}", Reject(BOARD)),
        (f"ablehnen {CODE}", Reject(BOARD)),
        (f"queue {CODE} d4 e5", Queue(BOARD, "d4 e5")),
        (f"queue {CODE} off", Unqueue(BOARD)),
        (f"unqueue {CODE}", Unqueue(BOARD)),
        (f"preview {CODE}#3 d4 e5", Preview(Board(CODE, 3), "d4 e5")),
        (f"submit {CODE} d4", Submit(BOARD, "d4")),
        (f"confirm {CODE}", Confirm(BOARD)),
        ("show", Show()),
        (f"show {CODE}#5 bob", Show((Board(CODE, 5), "bob"))),
        ("show bob finished", Show(("bob",), "finished")),
        ("games", Games()),
        ("games bob rings all", Games("bob", "rings", "all")),
        ("list", ListBoards()),
        ("rings list", ListBoards("rings")),
        ("list types", ListGames()),
        ("types", ListGames()),
        ("standings", Standings()),
        ("ratings lin bob carol", Standings("lin", ("bob", "carol"))),
        (f"history {CODE}", History(BOARD)),
        ("history bob", History("bob")),
        ("history", History()),
        (f"chat {CODE} Nice game; really #1!", Chat(BOARD, "Nice game; really #1!")),
        (f"chat {CODE} what about turn #12", Chat(BOARD, "what about turn #12")),
        ("message bob, carol: See you", Message(("bob", "carol"), "See you")),
        (f"subscribe {CODE}", Subscribe(BOARD)),
        (f"unsubscribe {CODE}", Unsubscribe(BOARD)),
        ("unsubscribe", Unsubscribe(Board())),
        ("notify", Notify()),
        ("notify turns off", Notify("turns", False)),
        ("notify off", Notify("", False)),
        ("notify digest", Notify("digest", True)),
        ("limit", Limit()),
        ("limit rings 5", Limit("rings", True, 5)),
        ("limit accept", Limit("", True, None)),
        ("limit reject", Limit("", True, 0)),
        ("seek off", StopSeeking()),
        ("seek rings off", StopSeeking("rings")),
        ("seek rings 0", StopSeeking("rings")),
    ],
)
def test_commands(text, command):
    assert command_of(text) == command
    if CODE in text and "://" not in text:  # a board has a number as well
        assert repr(command_of(text.replace(CODE, "123"))) == repr(command).replace(CODE, "123")


def test_a_number_is_a_board_where_no_other_number_is_wanted():
    answered = ReplyContext(CODE, "komi", plays_at=lambda number: number == "124")
    for text, command in (
        ("komi 101", NameKomi(BOARD, 101)),
        ("komi 101 #4", NameKomi(Board(CODE, 4), 101)),
        ("komi 123 7", NameKomi(Board("123"), 7)),
        ("move 123 d5", Move(Board("123"), "d5")),
        ("resign 123", Resign(Board("123"))),
        ("move d5 #123", Move(Board(CODE, 123), "d5")),
        ("chat 500 points to me!", Chat(BOARD, "500 points to me!")),
        ("chat 124 hello", Chat(Board("124"), "hello")),
    ):
        assert parse_text(text, context=answered).commands == (command,)
    (parsed,) = parse_text("resign 124 at once", context=answered).lines
    assert "; no name or password is needed" in parsed.problem, "a mistake about one's own board is told"
    assert command_of("preview rings 3 L1").terms.options["players"] == 3
    assert command_of("rings preview 123#4 L1") == Preview(Board("123", 4), "L1")
    assert parse_text("d5", "Rings board 123 #7: your turn", answered).commands == (Move(BOARD, "d5"),)
    assert without_password("rings move 123 ada sesame d5", ()) == "rings move 123"


def test_every_command_has_help_and_a_name_of_its_own():
    assert set(HELP) == set(COMMANDS)
    names = [*COMMANDS, *(name for others in COMMANDS.values() for name in others)]
    assert len(set(names)) == len(names)
    assert all(
        commands_meant(name) == (command,)
        for command, others in COMMANDS.items()
        for name in (command, *others)
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_abbreviations_mean_one_command_or_name_all_that_they_may_mean(command):
    for length in range(2, len(command)):
        assert (
            command in commands_meant(command[:length])
            or command[:length] in COMMANDS
            or commands_meant(command[:length])
            or command[:length] in ("game", "hi", "his", "not", "see", "ty", "with")
        )


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("L1", Move(BOARD, "L1")),
        ("L1 xLM2 #3", Move(Board(CODE, 3), "L1 xLM2")),
        ("L1\nxLM2", Move(BOARD, "L1 xLM2")),
        ("3,4 (5, 6)", Move(BOARD, "3,4 (5, 6)")),
        ("pass", Move(BOARD, "pass")),
        ("pass xLM2", Move(BOARD, "pass xLM2")),
        ("move d4", Move(BOARD, "d4")),
        ("d4 xc3 xe5", Move(BOARD, "d4 xc3 xe5")),
        ("resign", Resign(BOARD)),
        ("show", Show((BOARD,))),
        ("history", History(BOARD)),
        ("chat Well played", Chat(BOARD, "Well played")),
        ("move a2b3c4d5e6 d4", Move(Board("a2b3c4d5e6"), "d4")),
    ],
)
def test_answers_to_mails_about_a_board(text, command):
    assert command_of(text, REPLY) == command


def test_yes_and_no_answer_an_offer_if_one_is_open():
    offered = ReplyContext(CODE, has_offer=True)
    for word, command in (("yes", Accept), ("Ja.", Accept), ("no", Reject), ("Nein", Reject)):
        assert command_of(word, offered) == command(BOARD)
        assert parse_text(word, context=REPLY).remark == word


def test_komi_and_colours_in_answers():
    assert command_of("12", ReplyContext(CODE, "komi")) == NameKomi(BOARD, 12)
    assert command_of("12#0", ReplyContext(CODE, "komi")) == NameKomi(Board(CODE, 0), 12)
    assert command_of("White.", ReplyContext(CODE, "colour")) == ChooseColour(BOARD, 1)
    assert command_of("komi 8", ReplyContext(CODE, "komi")) == NameKomi(BOARD, 8)


def test_challenges_and_their_terms():
    challenge = command_of("challenge rings bob carol -size=4 -days=3 -rated -leavers=2")
    assert challenge.people == ("bob", "carol")
    terms = challenge.terms
    assert (terms.game, terms.options) == ("rings", {"size": 4, "players": 3})
    assert terms.time == TimeControl(3 * 86400.0, kind="days")
    assert (terms.is_rated, terms.leavers, terms.games) == (True, "2", 1)
    assert command_of("rings challenge bob, carol --size = 4 --tage=3 rated=yes -leavers=2") == challenge
    six = command_of("chall rings b c d e f")
    assert six.terms.options["players"] == 6
    assert six.terms.time is None and six.terms.is_rated is None


def test_lin_is_negotiated_unless_a_komi_is_given():
    assert command_of("challenge lin bob").terms.negotiate
    given = command_of("challenge lin bob -komi=8").terms
    assert (given.negotiate, given.options["komi"]) == (False, 8)
    assert not command_of("challenge lin bob -swap").terms.negotiate
    assert not command_of("challenge lin bob -negotiate=no").terms.negotiate
    assert not command_of("challenge rin bob").terms.negotiate


def test_matches_clocks_and_dashes_that_programs_change():
    terms = command_of("challenge ren bob —match –bank=10+1/20 −unrated").terms
    assert (terms.games, terms.is_rated) == (2, False)
    assert terms.time == TimeControl(10 * 86400.0, 86400.0, "bank", 20 * 86400.0)
    assert command_of("challenge ren bob -games=4 --totaltime=60").terms.time.kind == "total"
    parsed = parse_text("challenge ren bob --nagtime=7 --forfeittime=21")
    (challenge,) = parsed.commands
    assert isinstance(challenge, Challenge) and challenge.terms.time == TimeControl(21 * 86400.0, kind="days")
    assert challenge.terms.nag == 7 * 86400.0 and challenge.terms.is_rated is None
    assert command_of("challenge rings bob -handicap").terms.is_rated is False
    assert "handicap games can’t be rated: leave out one of the two" in problem_of(
        "challenge rin bob -handicap -rated"
    )


def test_seeks_and_new_boards_to_preview():
    assert command_of("seek rin -size=8") == Seek(command_of("seek rin 1 -size=8").terms, 1)
    assert command_of("seek rin 3").times == 3
    assert command_of("seek rings -players=4").terms.options["players"] == 4
    preview = command_of("preview new rings 3 L1 M1")
    assert (preview.terms.options["players"], preview.text) == (3, "L1 M1")
    assert command_of("rings preview new 3 L1 M1") == preview
    assert command_of("preview rin -size=8 3,4") == PreviewNew(command_of("seek rin -size=8").terms, "3,4")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("mvoe k7m2x9qpab d4", ["'mvoe' isn’t a command", "did you mean 'move'?"]),
        ("frobnicate", ["'frobnicate' isn’t a command", "'help' lists them"]),
        ("s", ["'s' isn’t a command"]),
        ("su", ["'su' could mean", "submit", "subscribe"]),
        ("move d4", ["move needs a board"]),
        ("move k7m2x9qp d4", ["'k7m2x9qp' isn’t a board", "isn’t a board: use a number such as"]),
        (f"move {CODE}", ["move needs a move"]),
        (f"komi {CODE} many", ["a komi must be a whole number from 0", "'many'"]),
        (f"colour {CODE} red", ["black or white", "'red'"]),
        (f"propose {CODE} marriage", ["draw, takeback, pause, resume", "'marriage'"]),
        (f"resign {CODE} at once please", ["resign doesn’t take", "at once please"]),
        ("challenge bob", ["challenge needs a game", "rings"]),
        ("challenge rings", ["who do you want to challenge?"]),
        ("challenge rings bob bob", ["same name"]),
        ("challenge rings b c d e f g", ["players 7 isn't possible", "2 to 6"]),
        ("challenge rin bob carol", ["Rin for 2 needs 1 name beside", "not 2"]),
        ("challenge rings bob -players=4", ["Rings for 4 needs 3 names"]),
        ("challenge rin bob -size=7", ["size '7' isn't possible", "4 to 18, even"]),
        ("challenge rin bob -sise=8", ["no parameter 'sise'", "-size"]),
        ("challenge rin bob -size=8 -size=10", ["size is given twice"]),
        ("challenge rin bob -days=0", ["-days must be a number from 1 to 30"]),
        ("challenge rin bob -days=3 -total=9", ["choose one time control: -", "-days", "-total"]),
        ("challenge rin bob -bank=x", ["-bank takes starting days", "as in -bank=10+1/20", "'x'"]),
        ("challenge rin bob --forfeittime=0", ["-forfeittime must be a number from 1 to 30"]),
        ("challenge rin bob --totaltime=999", ["-totaltime must be a number from 1 to 365"]),
        (
            "challenge rin bob --forfeittime=3 --totaltime=9",
            ["choose one time control: -forfeittime or -totaltime"],
        ),
        ("challenge rin bob -days=3 -tage=4", ["-days and -tage mean the same"]),
        ("challenge rin bob -konto=x", ["-konto takes starting days", "as in -konto=10+1/20"]),
        ("challenge rin bob -partien=99", ["-partien must be a number from 1 to 20"]),
        ("challenge rin bob -gewertet=vielleicht", ["-gewertet must be yes or no"]),
        ("challenge rin bob -größe=7", ["größe '7' isn't possible"]),
        (f"aufgeben {CODE} sofort, bitte sehr", ["aufgeben doesn’t take"]),
        ("zug d4", ["zug needs a board: add its number after zug"]),
        ("types for the game", ["types doesn’t take"]),
        ("challenge rin bob -rated=perhaps", ["-rated must be yes or no", "'perhaps'"]),
        ("challenge rin bob -negotiate", ["Rin has no komi negotiation"]),
        (
            "challenge rin bob -leavers=3",
            ["a player who leaves a two-player game loses it: no bot can take over"],
        ),
        ("challenge rin bob -games=99", ["-games must be a number from 1 to 20"]),
        ("seek rin 99", ["the number of games you want, up to 20"]),
        ("message : hello", ["who is the message for?"]),
        ("message bob", ["the message is empty: write the text on the same line or below"]),
        (f"chat {CODE}", ["the message is empty: write the text on the same line or below"]),
        ("message b<b>: hello", ["isn’t a valid username"]),
        ("help mvoe", ["no help on 'mvoe'", "did you mean 'move'?"]),
        ("notify weather", ["emails about 'weather'", "turns"]),
        ("notify turns perhaps", ["'on' or 'off'"]),
        ("limit many", ["a limit must be a whole number"]),
        ("list bob", ["'games NAME'"]),
    ],
)
def test_problems_say_what_is_wrong_and_what_would_be_right(text, parts):
    problem = problem_of(text)
    assert all(part in problem for part in parts), problem


def test_several_commands_in_one_mail():
    parsed = parse_text(f"show {CODE}\n// a comment\n# another\nmvoe\n move {CODE} d4\r\nhelp ; games")
    assert [type(line.command).__name__ for line in parsed.lines] == [
        "Show",
        "NoneType",
        "Move",
        "Help",
        "Games",
    ]
    assert parsed.remark == ""


def test_a_remark_begins_where_commands_end():
    parsed = parse_text("d4\nWell played!\n\nSee you,\nAlice", context=REPLY)
    assert parsed.commands == (Move(BOARD, "d4"),)
    assert parsed.remark == "Well played!\n\nSee you,\nAlice"
    for remark in (
        "Show me what you can do!",
        "Pass the salt, please.",
        "List of excuses: none",
        "Undo that if you can, friend",
    ):
        assert parse_text(f"d4\n\n{remark}", context=REPLY).remark == remark
    below = parse_text(f"d4\n\nmove {CODE} e5\n\nmvoe {CODE} e5", context=REPLY)
    assert [bool(line.problem) for line in below.lines] == [False, False, True]
    assert below.remark == ""


def test_a_mail_that_is_no_command_at_all():
    parsed = parse_text("Hello there,\nwhat is this?", context=REPLY)
    assert (parsed.lines, parsed.remark) == ((), "Hello there,\nwhat is this?")
    parsed = parse_text("Hello there,\nwhat is this?")
    assert parsed.commands == ()
    assert "'Hello' isn’t a command" in parsed.lines[0].problem
    assert parse_text("").lines == ()


def test_subjects():
    assert parse_text("", "help") == parse_text("help")
    parsed = parse_text("I think that is it.\n\nBye", f"move {CODE} d4")
    assert (parsed.commands, parsed.remark) == ((Move(BOARD, "d4"),), "I think that is it.\n\nBye")
    assert parse_text("help", "my games").commands == (Help(),)
    assert parse_text("help", f"show {CODE}; games").commands == (Show((BOARD,)), Games(), Help())
    assert parse_text("Hello\nyou", f"chat {CODE}").commands == (Chat(BOARD, "Hello\nyou"),)
    assert "'mvoe'" in parse_text("", "mvoe x").lines[0].problem
    assert "needs a game" in parse_text("some text", "challenge bob").lines[0].problem
    assert parse_text("d4", "Rin k7m2x9qpab #2: your turn", REPLY).commands == (Move(BOARD, "d4"),)


def test_texts_that_go_on_below():
    text = f"chat {CODE} One line\nand another\n\nmove {CODE} d4"
    assert parse_text(text).commands == (Chat(BOARD, "One line and another"), Move(BOARD, "d4"))
    assert parse_text(f"chat {CODE}\nOne line\n\nmove on").commands == (Chat(BOARD, "One line\n\nmove on"),)
    assert parse_text("message bob\n\nHello: you").commands == (Message(("bob",), "Hello: you"),)


def test_turns_that_a_program_has_broken_in_two():
    parsed = parse_text(f"move {CODE} L1 xLM2\nxK4 xN4 #7")
    assert parsed.commands == (Move(Board(CODE, 7), "L1 xLM2 xK4 xN4"),)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (f"resign {CODE} alice sesame", Resign(BOARD)),
        (f"swap {CODE} alice sesame", Swap(BOARD)),
        (f"pass {CODE} alice sesame", Move(BOARD, "pass")),
        (f"move {CODE} alice sesame resign", Resign(BOARD)),
        (f"move {CODE} alice sesame d4 e5", Move(BOARD, "d4 e5")),
        (f"queue {CODE} alice sesame d4", Queue(BOARD, "d4")),
        (f"submit {CODE} alice sesame d4", Submit(BOARD, "d4")),
        (f"accept {CODE}#3 alice sesame", Accept(Board(CODE, 3))),
        ("limit alice sesame 5", Limit("", True, 5)),
        ("seek rin alice sesame 2", Seek(command_of("seek rin").terms, 2)),
        ("message alice sesame bob: hello", Message(("bob",), "hello")),
        (f"chat {CODE} alice sesame\n\nhello", Chat(BOARD, "hello")),
    ],
)
def test_names_and_passwords_as_pbmserv_wants_them_are_left_out_and_said_to_be(text, command):
    assert command not in parse_text(text, context=ReplyContext(names=("bob",))).commands
    parsed = parse_text(text, context=ReplyContext(names=("Alice",)))
    assert parsed.commands == (command,)
    assert (
        "passwords aren’t accepted by email: the name and the password were ignored"
        in parsed.lines[0].notes[0]
    )


def test_a_mail_has_so_many_commands_at_most():
    parsed = parse_text("help\n" * 30)
    assert len(parsed.lines) == 21
    assert "up to 20 commands" in parsed.lines[-1].problem


@pytest.mark.parametrize("phase", ["komi", "colour", "play", "over"])
@pytest.mark.parametrize("text", ["!", ".", "...", "#", "#3", ";", ":", "-", "—", "x", "move", "'", "\ufdfa"])
def test_signs_alone_are_problems_in_any_phase(text, phase):
    for line in parse_text(text, text, ReplyContext(CODE, phase)).lines:
        assert (line.command is None) == bool(line.problem)


def test_what_is_quoted_of_a_line_is_bounded():
    assert len(parse_text("x" * 10_000).lines[0].line) <= 200
    assert len(str(parse_text("x" * 10_000).lines[0].problem)) < 200
