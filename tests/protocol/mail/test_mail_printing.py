"""The text of mails, which fits in 72 columns."""

import re
import xml.etree.ElementTree as ET

import pytest

from kakomi import catalog
from kakomi.protocol.mail import ReplyContext, parse_text, read_turn
from kakomi.protocol.mail.commands import Board, Move
from kakomi.protocol.mail.language.words import COMMANDS
from kakomi.protocol.mail.printing import (
    Standing,
    board_block,
    board_subject,
    games_block,
    help_block,
    list_block,
    position_block,
    print_mail,
    problem_block,
    remark_block,
    reply_line,
    sentence_block,
    standings_block,
)
from kakomi.protocol.mail.printing.blocks import COLUMNS, width_of
from kakomi.protocol.mail.printing.lists import round_lines
from kakomi.protocol.mail.reading.new_text import new_text
from kakomi.session import Entry
from protocol.mail.tables import report_of, table_of

SIZES = [
    (name, {"size": size, **({"players": players} if players else {})})
    for name in ("rin", "rive", "lin", "ren", "rings")
    for size in next(
        option for option in catalog.describe(name).options if option.name == "size"
    ).allowed_given({})
    for players in ((2, 6) if name == "rings" else (0,))
]


def check_width(text):
    too_wide = [line for line in text.split("\n") if width_of(line) > COLUMNS and "://" not in line]
    assert not too_wide, too_wide


@pytest.mark.parametrize(("name", "options"), SIZES, ids=str)
def test_every_board_of_every_size_fits(name, options):
    table = table_of(name, 7, **options)
    report = report_of(table, remarks=(("bob", "Well, " * 40),), note="Your turn was played.")
    block = board_block(report)
    check_width(block.text)
    assert len(board_subject(report)) <= 72
    check_width(position_block(table.match.position).text)


def test_a_mail_says_whose_turn_it_is_until_when_and_how_to_answer():
    report = report_of(
        table_of("rin", 3, size=8), remarks=(("bob", "Take that!"),), queued="", note="bob has played."
    )
    text = board_block(report).text
    for part in (
        "bob has played.", "Rin, size 8, board 123", "It’s your turn: place the first of two stones.",
        "Deadline: Thursday 26 November, 18:00 UTC", "#3", "Black: alice (1620 ± 80), 2 d 4 h left",
        "bob writes:\n  Take that!", "https://kakomi.example/table/k7m2x9qpab", "( ) last played",
    ):  # fmt: skip
        assert part.replace("\n", " ") in text.replace("\n", " "), part
    assert "White: bob (1620 ± 80)\n" in text, "who to move is told a moment, and nothing else"
    assert board_subject(report) == "Rin board 123 #3: your turn"
    other = report_of(table_of("rin", 3, size=8), viewer=0)
    assert "It is bob's turn." in board_block(other).text
    assert "To queue a move, write it after 'queue'" in board_block(other).text
    assert board_subject(other) == "Rin board 123 #3: bob to move"


@pytest.mark.parametrize(
    ("name", "options"),
    [("rin", {"size": 6}), ("rive", {"size": 3}), ("lin", {"size": 7}), ("ren", {}), ("rings", {"size": 3})],
)
@pytest.mark.parametrize("turns", range(0, 12, 3))
def test_the_example_in_a_mail_is_a_command_that_is_legal(name, options, turns):
    table = table_of(name, turns, **options)
    text = " ".join(board_block(report_of(table)).text.split())
    command = parse_text(re.search("write '([^']*)'", text)[1]).commands[0]
    assert isinstance(command, Move) and command.board.turns == turns
    assert read_turn(table.match.position, command.text)
    bare = re.search("such as (.*), or write", text)[1]
    assert parse_text(bare, context=ReplyContext("k7m2x9qpab")).commands == (
        Move(Board("k7m2x9qpab"), command.text),
    )


def test_komi_and_colours():
    table = table_of("lin", size=9, negotiate=True)
    text = " ".join(board_block(report_of(table)).text.split())
    assert "Name a komi, points for White: 0 to 80, even." in text
    assert "Reply with just the number, or write 'komi" in text
    table = table.apply(Entry(0, "komi", 12))
    text = " ".join(board_block(report_of(table)).text.split())
    assert "The komi is 12: choose your colour." in text and "black or white" in text
    assert "alice" in text and "Black:" not in text
    table = table.apply(Entry(1, "colour", 0))
    assert "Black: bob" in board_block(report_of(table)).text


def test_offers_swaps_resignations_and_results():
    table = table_of("ren", 3)
    offered = table.apply(Entry(0, "offer", "draw"))
    words = board_block(report_of(offered, viewer=1)).text.replace("\n", " ")
    assert "alice offers a draw. Reply with “accept” or “reject”" in words
    assert "You offer a draw. Waiting for bob" in board_block(report_of(offered, viewer=0)).text.replace(
        "\n", " "
    )
    over = board_block(
        report_of(offered.apply(Entry(1, "accept")), rating_changes=("alice: 1620 → 1618",))
    ).text
    assert "The game is over. A draw." in over and "agreement" in over and "1620 → 1618" in over
    resigned = board_block(report_of(table.apply(Entry(0, "resign")))).text
    assert "bob wins. By resignation." in resigned and "Black: alice (1620 ± 80), resigned" in resigned
    swap = table_of("rive", 1, size=3, swap=True)
    assert "to take over the other colour" in board_block(report_of(swap)).text.replace("\n", " ")
    aborted = board_block(report_of(table_of("rin").apply(Entry(0, "abort", "stopped")))).text
    assert "No result." in aborted


def test_rounds_in_columns():
    table = table_of("rings", 14, size=3, players=3)
    lines = round_lines(table.match.current_game, last=4)
    assert lines[0].split() == ["Black", "White", "Red"]
    assert [line.split()[0] for line in lines[1:] if line[:4].strip()] == ["2", "3", "4", "5"]
    assert round_lines(table_of("rin").match.current_game) == []
    everything = round_lines(table.match.current_game)
    assert [line.split()[0] for line in everything[1:] if line[:4].strip()] == ["1", "2", "3", "4", "5"]


def test_long_turns_go_on_below_in_their_column():
    table = table_of("rings", 60, seed=2, size=3, players=6)
    lines = round_lines(table.match.current_game)
    assert any(not line[:4].strip() for line in lines[1:])
    check_width("\n".join(lines))


def test_html_says_the_same_and_shows_a_picture():
    report = report_of(table_of("rings", 5, size=3), remarks=(("bob", "<b>&"),))
    mail = print_mail(board_subject(report), [board_block(report)], footer="Small print.", above=reply_line())
    (picture,) = mail.pictures
    assert f'src="cid:{picture.cid}"' in mail.html
    assert ET.fromstring(picture.svg).tag.endswith("svg")
    assert "<b>&" not in mail.html and "&lt;b&gt;&amp;" in mail.html
    assert "https://kakomi.example/table/k7m2x9qpab" in mail.html and "Small print." in mail.html
    assert not re.search(r'(src|href)="(?!cid:)', mail.html)
    plain = print_mail("x", [board_block(report_of(table_of("rin"), has_picture=False))])
    assert not plain.pictures and "<pre" in plain.html


def test_what_stands_below_the_line_is_not_read_as_an_answer():
    report = report_of(table_of("ren", 4))
    mail = print_mail("x", [board_block(report)], above=reply_line())
    assert new_text(f"d4\n\n{mail.text}") == "d4"


def test_help_fits_and_knows_all_commands_and_games():
    overview = help_block().text
    check_width(overview)
    assert all(command in overview for command in COMMANDS)
    for topic in COMMANDS:
        block = help_block((topic,))
        check_width(block.text)
        assert topic in block.text and block.html
    for name in catalog.names():
        for language in ("en", "de"):
            block = help_block((name,), language)
            check_width(block.text)
            assert len(block.text) > 1_000 and "<!--" not in block.text and "<!--" not in block.html


def test_problems_quote_the_line():
    block = problem_block(
        parse_text("mvoe k7m2x9qpab d4").lines[0], parse_text("mvoe k7m2x9qpab d4").lines[0].problem
    )
    assert block.text == "> mvoe k7m2x9qpab d4\n'mvoe' isn’t a command; did you mean 'move'?"


def test_lists():
    block = list_block(
        "Boards",
        ["Board", "Game", "Turns"],
        [["k7m2x9qpab", "Rings of a very long name " * 4, "7"], ["b", "Rin", "120"]],
    )
    check_width(block.text)
    assert block.text.split("\n")[2].endswith("Turns") and block.text.endswith("  120")
    assert "Nothing to list" in list_block("Boards", ["Board"], []).text
    standings = standings_block(
        "Ren", [Standing(1, "alice", 1620, 80.4, 12), Standing(2, "bob", 1500, 350, 1, True)]
    )
    assert "1.  alice    1620 ± 80     12" in standings.text and "1500 ± 350?" in standings.text
    check_width(games_block().text)
    assert all(
        f"-{option.name}=" in games_block().text
        for name in catalog.names()
        for option in catalog.describe(name).options
    )


@pytest.mark.parametrize(
    "text", ["x" * 500, "囲" * 200, "a\x00b\ud800c", "e\u0301" * 300, "\n\n\n", "<script>", " " * 300 + "x"]
)
def test_no_text_of_a_person_breaks_a_line(text):
    for block in (
        remark_block("alice", text),
        problem_block(text, "no"),
        sentence_block(text),
    ):
        check_width(block.text)
        assert "<script>" not in block.html
        block.text.encode()
        block.html.encode()
