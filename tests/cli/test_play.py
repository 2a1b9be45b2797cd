"""`kakomi play`, used as by a person: every game, at a terminal and through pipes."""

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import kakomi
from cli.terminal import Terminal
from kakomi import Position, records
from kakomi.catalog import describe
from sampling import sample

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


def options_of(name: str) -> list[str]:
    """Options for a quick board, with a komi, if there is one, so that nothing is negotiated."""
    description = describe(name)
    given = dict(description.quick) | ({description.komi_option: 0} if description.komi_option else {})
    return [text for option, value in given.items() for text in ("-o", f"{option}={value}")]


def start_of(name: str) -> Position:
    return kakomi.game(name, **describe(name).quick).start()


@pytest.mark.parametrize("name", sample(kakomi.names(), 1, "person"))
def test_a_person_plays(name: str, play: Callable[..., Terminal], tmp_path: Path) -> None:
    """Illegal and misspelt actions, help, legal, hint, undo, save, load, resign, quit."""
    position = start_of(name)
    first = position.legal()[0]
    terminal = play(name, *options_of(name), "--bot", "1", "--seed", "1")
    opening = terminal.prompted()
    assert position.game.description.title in opening
    assert "Your turn as Black: " in opening
    assert "level 1" in opening

    assert "resign" in terminal.type("help")
    assert "isn't an action in" in terminal.type("zz99")
    assert "Did you mean `undo`?" in terminal.type("undoo")
    listed = " ".join(terminal.type("legal").split())
    assert f"{len(position.legal())}: {' '.join(position.legal())}" in listed
    assert re.search(r"Try \S+.* \(\d+ % wins in [\d,]+ tries\)", terminal.type("hint"))
    assert "no move to take back" in terminal.type("undo")

    assert "plays" in terminal.type(f"({first})"), "the bot answered"
    assert f"{first} can't be played: " in terminal.type(first)
    terminal.type("undo")
    assert f"{first} can't be played: " not in terminal.type(first)

    assert "Saved as mine.json" in terminal.type("save mine.json")
    kept = records.load(tmp_path / "mine.json", kakomi.game)
    assert kept.turns[0].actions[0] == first
    assert kept.seats[1].bot == "1"
    assert "Saved" in terminal.type("save mine"), "a file that was written here may be written again"
    terminal.type("undo")
    reloaded = terminal.type("load mine.json")
    assert f"{first} can't be played: " in terminal.type(first)
    assert "Your turn as Black: " in reloaded

    assert "Black resigned. White wins." in terminal.type("resign")
    assert "game is over" in terminal.type(first)
    assert "Your turn" in terminal.type("undo")
    terminal.type("resign")
    assert "Your turn as Black: " in terminal.type("again")
    terminal.child.sendline("quit")
    assert terminal.ended()[1] == 0


@pytest.mark.parametrize("name", sample(kakomi.names(), 1, "whole"))
def test_a_whole_game_against_a_bot(name: str, play: Callable[..., Terminal], tmp_path: Path) -> None:
    """On the smallest board to the end; the final message agrees with the record's result."""
    sizes = next(option for option in describe(name).options if option.name == "size")
    smallest = sizes.allowed_given({})[0]
    komi = describe(name).komi_option
    komi_given = [f"--{komi}", "0"] if komi else []
    terminal = play(name, "--size", str(smallest), *komi_given, "--bot", "random", "--seed", "3", "--as", "1")
    seen, chance = terminal.prompted(), random.Random(name)
    while not seen.endswith("over> "):
        listed = terminal.type("legal").rpartition("\n")[0]
        texts = listed[listed.rindex(": ") + 2 :].split()
        seen = terminal.type(chance.choice(texts))
    terminal.type("save end.json")
    record = records.load(tmp_path / "end.json", kakomi.game)
    assert record.result is not None
    names = kakomi.game(name, size=smallest).player_names
    if len(record.result.winners) == 1:
        assert f"{names[record.result.winners[0]]} wins." in seen
    else:
        assert "A draw." in seen
    for player, score in zip(names, record.result.scores, strict=True):
        assert f"{player} {score:g}" in seen


def test_a_game_starts_on_the_usual_board_or_from_a_position(play: Callable[..., Terminal]) -> None:
    assert "size 9" in play("lin", "--human").prompted()
    assert "size 13" in play("lin", "--human", "--size", "13").prompted()
    text = str(kakomi.game("lin").start())
    assert "size 13" in play("lin", "--human", "--position", text).prompted()


def test_several_actions_of_a_turn_on_one_line(play: Callable[..., Terminal]) -> None:
    terminal = play("rin", "--size", "4", "--human")
    terminal.prompted()
    assert "Your turn ends with 0,0: leave out 0,1." in terminal.type("0,0 0,1")
    assert "White's turn: place the first of two stones." in terminal.type("(0, 0)")
    assert "0,0 can't be played" in terminal.type("1,1 0,0")
    assert "the second of two stones. So far in this turn: 1,1." in terminal.type("1,1")
    assert "White plays 1,1 2,2." in terminal.type("2,2")
    assert "So far in this turn: 1,1." in terminal.type("undo"), "a turn is taken back step by step"
    assert "White plays 1,1 2,2." in terminal.type("2,2")
    assert "the second of two stones" in terminal.type("3,3")


def test_overlays_are_switched_on_and_off(play: Callable[..., Terminal]) -> None:
    terminal = play("rin", "--size", "4", "--human")
    terminal.prompted()
    assert "immune (Immune: can never be lost)" in terminal.type("overlay")
    assert "Immune: can never be lost" in terminal.type("overlay immune")
    assert "Immune" in terminal.type("0,0")
    assert "Immune" not in terminal.type("overlay immune")


@pytest.mark.parametrize(
    ("seat", "lines", "last"),
    [
        ("0", ["3", "4"], "komi 4"),
        ("1", ["red", "w"], "White: you"),
    ],
)
def test_the_person_is_on_either_side_of_the_negotiation(
    seat: str, lines: list[str], last: str, play: Callable[..., Terminal]
) -> None:
    """RULES L5."""
    terminal = play("lin", "--size", "5", "--bot", "1", "--seed", "1", "--as", seat)
    assert ("name a komi, 0 to 24, even" if seat == "0" else "names a komi of") in terminal.prompted()
    assert ("looks fair" if seat == "0" else "looks better") in terminal.type("hint")
    assert ("choose 0 to 24, even" if seat == "0" else "isn't a colour") in terminal.type(lines[0])
    assert "first" in terminal.type("resign") or "has started" in terminal.seen
    begun = terminal.type(lines[1])
    assert last in begun
    assert "Your turn as" in begun
    assert "Your turn: " in terminal.type("undo"), "the choice can be taken back too"


def test_a_match_of_two_games(play: Callable[..., Terminal]) -> None:
    """RULES N11."""
    terminal = play("ren", "--size", "4", "--match", "--bot", "1", "--seed", "1")
    assert "game 1 of 2" in terminal.prompted()
    terminal.child.sendline("resign")
    terminal.child.expect("After game 1 of 2: you 0, level 1 10.")
    terminal.child.expect("Press Enter")
    assert "game 2 of 2" in terminal.type("")
    assert "Your turn as White" in terminal.seen
    assert "The match is won by level 1: you 0, level 1 20." in terminal.type("resign")


def test_three_players_and_a_resignation(play: Callable[..., Terminal]) -> None:
    """RULES G8: a resigned player's stones stay on the board, and the others play to the end."""
    seats = ["--seat", "0=human", "--seat", "1=bot:random", "--seat", "2=bot:random"]
    terminal = play("rings", "--size", "2", "--players", "3", *seats, "--seed", "1")
    assert "Black: you · White: random · Red: random" in terminal.prompted()
    ended = terminal.type("resign")
    assert "Black: you (resigned)" in ended
    assert re.search(r"(White|Red|White and Red) (wins|share the win)\.", ended)


def test_a_swap_is_offered_where_it_was_agreed(play: Callable[..., Terminal]) -> None:
    """RULES V7: it is labelled as not being part of the game's rules."""
    terminal = play("rin", "--size", "4", "--human", "--swap")
    terminal.prompted()
    assert "not part of Rin's rules" in terminal.type("1,1")
    assert "Black: person 2 · White: person 1" in terminal.type("swap")
    assert "in place of the second" in terminal.type("swap")


def test_the_menu_leads_to_a_game(play: Callable[..., Terminal]) -> None:
    terminal = play()
    terminal.child.expect("Game> $")
    for name in kakomi.names():
        assert describe(name).title in terminal.child.before
        assert describe(name).summary in terminal.child.before
    for question, wrong, right in [
        ("Game> $", "chess", "rin"),
        (r"size=16> $", "size=7", "4"),
        (r"Opponent: .*> $", "11", "1"),
        (r"Play as .*> $", "7", "white"),
    ]:
        terminal.child.sendline(wrong)
        terminal.child.expect(question)
        terminal.child.sendline(right)
        if right != "white":
            terminal.child.expect("> $")
    assert "Your turn as White" in terminal.prompted()


def test_sentences_are_broken_between_words(play: Callable[..., Terminal]) -> None:
    terminal = play(COLUMNS="40")
    terminal.child.expect("Game> $")
    lines = terminal.child.before.splitlines()
    assert all(len(line) <= 40 for line in lines)
    words = " ".join(terminal.child.before.split())
    assert all(describe(name).summary in words for name in kakomi.names())


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colours_where_none_are_wanted(environment: dict[str, str], play: Callable[..., Terminal]) -> None:
    colourless = play("rin", "--size", "4", "--human", **{"TERM": "xterm", **environment})
    assert not re.search(r"\x1b\[[0-9;]*m", colourless.prompted())


def test_colours_and_a_board_in_place_where_the_terminal_can(play: Callable[..., Terminal]) -> None:
    terminal = play("rin", "--size", "4", "--human", TERM="xterm", NO_COLOR="")
    seen = terminal.prompted()
    assert re.search(r"\x1b\[[0-9;]*m", seen)
    assert "\x1b[H\x1b[2J" in seen
    assert "Black's turn" in ESCAPES.sub("", seen)


@pytest.mark.parametrize(
    "line",
    [
        "(" * 50_000,
        "\x1b[2J",
        "0,0 " * 5000,
        "save " + "a" * 5000,
        "overlay \x00",
        "💥",
        b"\xff\xfe",
        "save \x00",
    ],
)
def test_hostile_lines_do_no_harm(line: str | bytes, piped: Callable[..., Result]) -> None:
    done = piped(line, "rin", "--size", "4", "--human")
    assert done.exit_code == 0
    assert done.stderr == ""
    assert len(done.stdout) < 1500
    assert "\x1b" not in done.stdout


def test_a_game_begins_at_a_position(piped: Callable[..., Result], tmp_path: Path) -> None:
    given = ("rin", "--size", "4", "--position", "4/1b2/4/4 w left_in_turn=2", "--human")
    told = piped("0,1\nsave here.json\nquit\n", *given).output
    assert "Your turn" not in told and "White's turn: place the first of two stones" in told
    assert "White's turn: place the second of two stones. So far in this turn: 0,1." in told
    saved = records.load(tmp_path / "here.json", kakomi.game)
    assert saved.position == given[4] and saved.turns[0].actions == ("0,1",)
    again = piped("undo\nundo\n1,1\nquit\n", "--continue").output
    assert "White's turn: place the first of two stones" in again
    assert "1,1 can't be played" in again
