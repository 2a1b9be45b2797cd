"""`kakomi play`, driven as a person would: every game, at a terminal and through pipes."""

import os
import random
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pytest
from click.testing import CliRunner, Result

import kakomi
from kakomi import Position, records
from kakomi.catalog import describe
from kakomi.cli.main import kakomi as program
from kakomi.cli.playing.autosave import Autosave
from kakomi.session import Match, Seat, Terms

TIMEOUT = 120
PROMPT = r"(?:Black|White|Red|you|over|[A-Z]\w+)> $"
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class Terminal:
    """The program at a terminal of its own."""

    def __init__(self, folder: Path, *args: str, **environment: str) -> None:
        self.folder = folder
        everything = {**os.environ, "XDG_STATE_HOME": str(folder / "state"), "TERM": "dumb", **environment}
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "kakomi", "play", *args],
            env=everything,
            cwd=str(folder),
            timeout=TIMEOUT,
            encoding="utf-8",
            dimensions=(60, 160),
        )
        self.child.delaybeforesend = None
        self.seen = ""

    def prompted(self) -> str:
        """What was written up to the next prompt."""
        self.child.expect(PROMPT)
        self.seen = self.child.before + self.child.after
        return self.seen

    def type(self, line: str) -> str:
        """Type a line; what came up to the next prompt."""
        self.child.sendline(line)
        return self.prompted().partition("\n")[2]

    def ended(self) -> tuple[str, int | None]:
        """What was written last, and the exit code."""
        self.child.expect(pexpect.EOF)
        self.child.close()
        return self.child.before, self.child.exitstatus


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """Start the program in a folder of its own; whatever still runs at the end is ended."""
    started: list[Terminal] = []

    def start(*args: str, **environment: str) -> Terminal:
        started.append(Terminal(tmp_path, *args, **environment))
        return started[-1]

    yield start
    for terminal in started:
        terminal.child.close(force=True)


def options_of(name: str) -> list[str]:
    """A quick board; a komi, if there is one, so that nothing is negotiated."""
    description = describe(name)
    given = dict(description.quick) | ({description.komi_option: 0} if description.komi_option else {})
    return [text for option, value in given.items() for text in ("-o", f"{option}={value}")]


def start_of(name: str) -> Position:
    return kakomi.game(name, **describe(name).quick).start()


@pytest.fixture
def piped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run the program in this process, in a folder of its own, on lines that come through a pipe."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def run(lines: str | bytes, *args: str) -> Result:
        return CliRunner().invoke(program, ["play", *args], input=lines)

    return run


@pytest.mark.parametrize("name", kakomi.names())
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
    assert "is no action of" in terminal.type("zz99")
    assert "Did you mean `undo`?" in terminal.type("undoo")
    listed = " ".join(terminal.type("legal").split())
    assert f"{len(position.legal())}: {' '.join(position.legal())}" in listed
    assert re.search(r"Try \S+.* \(wins \d+ % of [\d,]+ tries\)", terminal.type("hint"))
    assert "nothing to take back" in terminal.type("undo")

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


@pytest.mark.parametrize("name", kakomi.names())
def test_a_whole_game_against_a_bot(name: str, play: Callable[..., Terminal], tmp_path: Path) -> None:
    """The smallest board to the end: the last word agrees with the record's result."""
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
        assert "The game is a draw." in seen
    for player, score in zip(names, record.result.scores, strict=True):
        assert f"{player} {score:g}" in seen


def test_several_actions_of_a_turn_on_one_line(play: Callable[..., Terminal]) -> None:
    terminal = play("rin", "--size", "4", "--human")
    terminal.prompted()
    assert "Your turn ends with 0,0: 0,1 is too much." in terminal.type("0,0 0,1")
    assert "White's turn: the first of two stones." in terminal.type("(0, 0)")
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
    assert ("name the komi, 0 to 24, even" if seat == "0" else "names a komi of") in terminal.prompted()
    assert ("looks fair" if seat == "0" else "looks better") in terminal.type("hint")
    assert ("it may be 0 to 24, even" if seat == "0" else "is no colour") in terminal.type(lines[0])
    assert "first" in terminal.type("resign") or "hasn't begun" in terminal.seen
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
    assert "The match goes to level 1: you 0, level 1 20." in terminal.type("resign")


def test_three_players_and_a_resignation(play: Callable[..., Terminal]) -> None:
    """RULES G8: who resigns stays on the board, and the others play to the end."""
    seats = ["--seat", "0=human", "--seat", "1=bot:random", "--seat", "2=bot:random"]
    terminal = play("rings", "--size", "2", "--players", "3", *seats, "--seed", "1")
    assert "Black: you · White: random · Red: random" in terminal.prompted()
    ended = terminal.type("resign")
    assert "Black: you (resigned)" in ended
    assert re.search(r"(White|Red|White and Red) (wins|share the win)\.", ended)


def test_a_swap_is_offered_where_it_was_agreed(play: Callable[..., Terminal]) -> None:
    """RULES V7: labelled as no part of the game's rules."""
    terminal = play("rin", "--size", "4", "--human", "--swap")
    terminal.prompted()
    assert "no part of Rin's rules" in terminal.type("1,1")
    assert "Black: person 2 · White: person 1" in terminal.type("swap")
    assert "only instead of" in terminal.type("swap")


@pytest.mark.parametrize("how", ["quit", "end of input", "interrupt", "killed"])
def test_a_game_that_is_left_goes_on(how: str, play: Callable[..., Terminal]) -> None:
    terminal = play("rin", "--size", "4", "--bot", "1", "--seed", "1")
    terminal.prompted()
    terminal.type("0,0")
    terminal.type("undo")
    terminal.type("0,1")
    board = terminal.type("board").partition("\n")[2]
    match how:
        case "quit":
            terminal.child.sendline("quit")
        case "end of input":
            terminal.child.sendeof()
        case "interrupt":
            terminal.child.sendintr()
        case "killed":
            terminal.child.kill(9)
    last, code = terminal.ended()
    if how != "killed":
        assert "`kakomi play --continue` goes on with it" in " ".join(last.split())
        assert code == (130 if how == "interrupt" else 0)
    assert "Traceback" not in last
    again = play("--continue")
    assert board.split("Black plays")[0].split("White plays")[0].split() == (
        again.prompted().split("Black plays")[0].split("White plays")[0].split()
    )
    assert "(X)" in board or " X " in board


def test_an_unfinished_game_is_offered_until_it_is_over(piped: Callable[..., Result]) -> None:
    piped("0,0\n", "rin", "--size", "4", "--human")
    assert "A game of Rin is unfinished" in piped("", "ren", "--size", "4").stdout
    assert (
        "Go on with the unfinished game: Rin"
        in piped(
            "",
        ).stdout
    )
    assert "So far in this turn: 1,1." in piped("1,1\nresign\n", "--continue").stdout
    assert "unfinished" not in piped("", "ren", "--size", "4").stdout
    assert piped("", "--continue").exit_code == 1


def test_another_game_is_kept_beside_the_first(piped: Callable[..., Result], tmp_path: Path) -> None:
    piped("0,0\nresign\nagain\n1,1\n", "rin", "--size", "4", "--human")
    assert len(list((tmp_path / "state" / "kakomi" / "games").iterdir())) == 2
    assert "Black plays 1,1." in piped("", "--continue").stdout


def test_two_terminals_dont_share_a_game(play: Callable[..., Terminal]) -> None:
    terminal = play("rin", "--size", "4", "--human")
    terminal.prompted()
    terminal.type("0,0")
    assert "no unfinished game" in play("--continue").ended()[0]


def test_the_menu_leads_to_a_game(play: Callable[..., Terminal]) -> None:
    terminal = play()
    terminal.child.expect("Game> $")
    for name in kakomi.names():
        assert describe(name).title in terminal.child.before
        assert describe(name).summary in terminal.child.before
    for question, wrong, right in [
        ("Game> $", "chess", "rin"),
        (r"size=8> $", "size=7", "4"),
        (r"Opponent: .*> $", "11", "1"),
        (r"You are .*> $", "7", "white"),
    ]:
        terminal.child.sendline(wrong)
        terminal.child.expect(question)
        terminal.child.sendline(right)
        if right != "white":
            terminal.child.expect("> $")
    assert "Your turn as White" in terminal.prompted()


def test_a_bot_that_thinks_long_can_be_hurried(play: Callable[..., Terminal]) -> None:
    terminal = play("rin", "--size", "4", "--time", "600")
    terminal.prompted()
    terminal.child.sendline("0,0")
    for _ in range(2):
        terminal.child.expect("White is thinking; Ctrl-C to play now")
        terminal.child.sendintr()
    assert re.search(r"White plays \d,\d \d,\d\.", terminal.prompted())


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


def test_a_state_folder_that_cannot_be_written_is_said_once(
    piped: Callable[..., Result], tmp_path: Path
) -> None:
    (tmp_path / "state").write_text("not a folder")
    done = piped("0,0\n1,1\n2,2\n", "rin", "--size", "4", "--human")
    assert done.exit_code == 0
    assert done.stderr.count("can't be kept") == 1
    assert "White plays 1,1 2,2." in done.stdout


def test_a_disk_that_fills_up_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    warnings: list[str] = []
    autosave = Autosave(warnings.append)
    monkeypatch.setattr("kakomi.cli.playing.autosave._new_path", lambda match: Path("/dev/full"))
    match = Match.begun(Terms(kakomi.game("rin", size=4)), [Seat(), Seat()])
    for action in ("0,0", "1,1", "2,2"):
        match = match.play(match.to_act or 0, action)
        autosave.keep(match)
    autosave.release()
    assert len(warnings) == 1
    assert "No space left on device" in warnings[0]


def test_a_game_cut_off_in_the_middle_of_a_line_goes_on(piped: Callable[..., Result], tmp_path: Path) -> None:
    piped("0,0\n1,1\n", "rin", "--size", "4", "--human")
    (kept,) = (tmp_path / "state" / "kakomi" / "games").iterdir()
    kept.write_text(kept.read_text() + '{"seat": 1, "do"')
    assert "White plays 1,1 2,2." in piped("2,2\n", "--continue").stdout
    assert "White plays 1,1 2,2." in piped("", "--continue").stdout


@pytest.mark.parametrize(
    "content", ["", "{}\n", "[1]\n", "null\n", "\x00\n", '{"kakomi_match": 1}\n', "[" * 100_000 + "\n"]
)
def test_kept_files_that_make_no_sense_are_passed_over(
    content: str, piped: Callable[..., Result], tmp_path: Path
) -> None:
    folder = tmp_path / "state" / "kakomi" / "games"
    folder.mkdir(parents=True)
    (folder / "broken.jsonl").write_text(content)
    done = piped("", "--continue")
    assert done.exit_code == 1
    assert "there is no unfinished game to go on with" in done.stderr


def test_files_are_not_overwritten_unasked(piped: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "precious.json").write_text("precious")
    lines = (
        "save precious.json\nsave nowhere/game.json\nsave\nsave game.xyz\nload missing.json\nsave game.sgf\n"
    )
    done = piped(lines, "rin", "--size", "4", "--human")
    assert (tmp_path / "precious.json").read_text() == "precious"
    for message in ("exists already", "nowhere/game.json: No", "Which file?", "xyz", "missing.json: No"):
        assert message in done.stdout
    assert records.load(tmp_path / "game.sgf", kakomi.game).game == "rin"
    piped("0,0\nsave ! precious.json\n", "rin", "--size", "4", "--human")
    assert len(records.load(tmp_path / "precious.json", kakomi.game).turns) == 1


def test_play_goes_on_from_a_record(piped: Callable[..., Result]) -> None:
    piped("0,0\nsave game.json\n", "rin", "--size", "4", "--human")
    assert "So far in this turn: 1,1." in piped("1,1\n", "--load", "game.json", "--human").stdout


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
