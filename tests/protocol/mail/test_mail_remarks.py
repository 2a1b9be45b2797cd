"""Remarks aren't commands, however they begin, and commands that look like remarks stay commands."""

from pathlib import Path

import pytest

from kakomi.protocol.mail import ReplyContext, parse_text
from kakomi.protocol.mail.commands import (
    Accept,
    Board,
    Challenge,
    Chat,
    Help,
    Limit,
    Move,
    Notify,
    Preview,
    Propose,
    Queue,
    Reject,
    Resign,
    Seek,
    Show,
    SignUp,
    StopSeeking,
    Swap,
    Withdraw,
)
from kakomi.protocol.mail.language.board_readers import looks_like_turn

CODE = "k7m2x9qpab"
BOARD = Board(CODE)
REMARKS = [
    line
    for line in (Path(__file__).parent / "remarks.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
CHANGES = (Move, Resign, Accept, Reject, Swap, Withdraw, Propose, Challenge, Seek, StopSeeking, Notify, Limit)


def replying(phase="play", **more):
    """The context of a reply to a mail about a board, where two people are known."""
    known = {"alice", "bob"}
    return ReplyContext(
        CODE,
        phase,
        "ren",
        names=("alice",),
        are_people=lambda names: {*map(str.lower, names)} <= known,
        **more,
    )


def test_there_are_300_remarks():
    assert len(REMARKS) == len(set(REMARKS)) >= 300


@pytest.mark.parametrize("remark", REMARKS)
def test_a_remark_is_no_command(remark):
    for between in ("\n\n", "\n"):
        below = parse_text(f"d5{between}{remark}", context=replying())
        assert (below.commands, below.remark) == ((Move(BOARD, "d5"),), remark)
        assert [line.problem for line in below.lines] == [""]
    for phase in ("play", "over"):
        alone = parse_text(remark, context=replying(phase))
        assert (alone.lines, alone.remark) == ((), remark)
    above = parse_text(f"{remark}\n\nd5\n\nBob", context=replying())
    assert (above.commands, above.remark) == ((Move(BOARD, "d5"),), f"{remark}\n\nBob")
    assert parse_text("d5", remark, replying()).commands == (Move(BOARD, "d5"),)
    assert not any(isinstance(command, CHANGES) for command in parse_text(remark).commands)
    new = parse_text(f"{remark}\nand so on", f"move {CODE} d5", ReplyContext(names=("alice",)))
    assert (new.commands, new.remark) == ((Move(BOARD, "d5"),), f"{remark}\nand so on")


@pytest.mark.parametrize(
    "remark",
    [
        "Pass 101 times", "123 go", "In 101 ways", "Resign in 101 ways", "Resign 500 times, Bob",
        "101 Resign", "Accept 500 apologies", "Swap 150 stories", "Move 200 metres", "Move 101 was good",
        "Board 123 is mine", "Board 101", "Queue 120 minutes", "Show 300 people", "Show 101 stones to Bob",
        "Withdraw 1000 euros", "Komi 101 ways", "Preview 2027 and more", "Undo 100 mistakes",
        "Confirm 200 orders", "Propose 123 marriage", "Nimm 101 an", "Zug 123 war gut", "Aufgeben 101 Mal",
        "Passe 999 Mal",
    ],
)  # fmt: skip
def test_a_number_makes_no_command_of_a_remark(remark):
    for context in (replying(), replying(plays_at=lambda number: False)):
        for between in ("\n\n", "\n"):
            below = parse_text(f"d5{between}{remark}", context=context)
            assert (below.commands, below.remark) == ((Move(BOARD, "d5"),), remark)
        alone = parse_text(remark, context=context)
        assert (alone.lines, alone.remark) == ((), remark)
    own = parse_text(f"d5\n\n{remark}", context=replying(plays_at=lambda number: True))
    for command in own.commands[1:]:  # refused turns, and commands that only read
        if not isinstance(command, Show):
            assert isinstance(command, Move | Queue | Preview) and not looks_like_turn(command.text.split())


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("d5", Move(BOARD, "d5")),
        ("D 5", Move(BOARD, "D 5")),
        ("d-5", Move(BOARD, "d-5")),
        ("d–5", Move(BOARD, "d-5")),
        ("*d5*", Move(BOARD, "d5")),
        ("**D5**", Move(BOARD, "D5")),
        ("_d5_ _e6_", Move(BOARD, "d5_ _e6")),
        ("*move d5*", Move(BOARD, "d5")),
        ("D5!", Move(BOARD, "D5")),
        ("3-4 5-6", Move(BOARD, "3-4 5-6")),
        ("x LM 2", Move(BOARD, "x LM 2")),
        ("Zug: d5", Move(BOARD, "d5")),
        ("Pass.", Move(BOARD, "pass")),
        ("mo d5", Move(BOARD, "d5")),
        ("ren move d5", Move(BOARD, "d5")),
        ("resign", Resign(BOARD)),
        ("Resign.", Resign(BOARD)),
        ("*Aufgeben*", Resign(BOARD)),
        ("accept", Accept(BOARD)),
        ("Annehmen", Accept(BOARD)),
        ("reject", Reject(BOARD)),
        ("Swap", Swap(BOARD)),
        ("withdraw", Withdraw(BOARD)),
        ("propose draw", Propose(BOARD, "draw")),
        ("biete remis", Propose(BOARD, "draw")),
        ("undo", Propose(BOARD, "takeback")),
        ("queue e5 f6", Queue(BOARD, "e5 f6")),
        ("preview d5 e6 f7", Preview(BOARD, "d5 e6 f7")),
        ("show bob", Show(("bob",))),
        ("ren show Bob", Show(("Bob",), "", "ren")),
        ("challenge rin bob", "Challenge"),
        ("seek rin", "Seek"),
        ("help move", Help(("move",))),
        (f"resign {CODE}", Resign(BOARD)),
        (f"resign {CODE} alice sesame", Resign(BOARD)),
        (f"res {CODE}", Resign(BOARD)),
        (f"rings move {CODE} alice sesame d5#3", Move(Board(CODE, 3), "d5")),
    ],
)
def test_real_commands_still_work_wherever_a_remark_may_stand(line, command):
    def is_it(found):
        return type(found).__name__ == command if isinstance(command, str) else found == command

    for text, remark in (
        (line, ""),
        (f"{line}\n\nThat's all for today.", "That's all for today."),
        (f"{line}\nResign is bad", "Resign is bad"),
        (f"Hi Bob,\n\n{line}", "Hi Bob,"),
        (f"Hi Bob,\n{line}\n\nBye", "Hi Bob,\n\nBye"),
    ):
        parsed = parse_text(text, context=replying())
        assert len(parsed.commands) == 1 and is_it(parsed.commands[0]), parsed
        assert ([each.problem for each in parsed.lines], parsed.remark) == ([""], remark)


def test_what_gives_a_game_away_stands_alone():
    for line in (
        "resign; show",
        "show; resign",
        "d5; resign",
        "resign, thanks",
        "Resign\tBob",
        "move resign now",
    ):
        parsed = parse_text(line, context=replying())
        assert not any(isinstance(command, CHANGES) for command in parsed.commands), parsed
    for word in ("resign", "Swap", "Accept.", "Aufgeben", "withdraw"):
        for text in (
            f"d5\n\n{word}",
            f"d5\n{word}",
            f"If I were in your place, I would certainly now\n{word}\nand go home.",
            f"Never\n{word}\nsays the coach",
        ):
            parsed = parse_text(text, context=replying())
            assert not {Resign, Swap, Accept, Withdraw} & {type(each) for each in parsed.commands}, parsed
            assert word in parsed.remark


def test_two_words_are_a_password_behind_the_sender_s_own_name_alone():
    assert parse_text(f"resign {CODE} bob sesame", context=replying()).commands == ()
    assert parse_text("resign alice sesame", context=replying()).commands == ()
    assert parse_text("komi 7 alice sesame", context=replying("komi")).commands == ()
    for line in ("resign alice sesame", "signoff alice sesame", "change password alice sesame new1"):
        assert parse_text(f"d5\n{line}", context=replying()).remark == "", "a password is passed on to nobody"


def test_a_sentence_that_a_program_has_wrapped_is_no_turn():
    sentence = "I wonder what would have become of me if only you had played\nd5"
    parsed = parse_text(f"{sentence}\n\ne6", context=replying())
    assert (parsed.commands, parsed.remark) == ((Move(BOARD, "e6"),), sentence)
    assert parse_text("How about this:\nd5", context=replying()).commands == (Move(BOARD, "d5"),)


LONG = "L1 xLM2 xJK4 xNO4 xHI6 xPQ6 xFG8 xRS8 xDE10 xTU10"


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (f"{LONG}\nxLM12 #7", Move(Board(CODE, 7), f"{LONG} xLM12")),
        (f"{LONG} xLM12\n#7", Move(Board(CODE, 7), f"{LONG} xLM12")),
        ("3,\n4 5,6", Move(BOARD, "3, 4 5,6")),
        ("3,4 5,\n6", Move(BOARD, "3,4 5, 6")),
        ("d-\n5", Move(BOARD, "d- 5")),
        ("move\nd5", Move(BOARD, "d5")),
        (f"move {CODE}\nd5 e6", Move(BOARD, "d5 e6")),
        (f"move\n{CODE} d5", Move(BOARD, "d5")),
        ("preview d5 e6\nf7", Preview(BOARD, "d5 e6 f7")),
        ("challenge rin bob\n-size=8 -days=3", "-size"),
    ],
)
def test_turns_that_a_program_has_wrapped_are_whole(text, command):
    parsed = parse_text(text, context=replying())
    assert ([each.problem for each in parsed.lines], parsed.remark) == ([""], "")
    if command == "-size":
        command = parse_text(text.replace("\n", " "), context=replying()).commands[0]
    assert parsed.commands == (command,)


def test_a_wrapped_turn_with_words_behind_it_is_none():
    parsed = parse_text(f"{LONG} xLM12\nxNO12 and good luck", context=replying())
    assert parsed.commands == () and "write the move on its own line" in parsed.lines[0].problem
    parsed = parse_text("d5\nd6 was my other idea", context=replying())
    assert (parsed.commands, parsed.remark) == ((Move(BOARD, "d5"),), "d6 was my other idea")


def test_words_that_are_said_to_all_at_the_board():
    parsed = parse_text("Chat later!", context=replying())
    assert parsed.commands == (Chat(BOARD, "later!"),)
    assert parse_text("d5\n\nChat later!", context=replying()).remark == "Chat later!"
    assert parse_text("signup ada", context=replying()).commands == ()
    assert parse_text("signup ada").commands == (SignUp("ada"),)
