"""GTP: its exact syntax, and its commands for our games."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kakomi
from kakomi import records
from kakomi.bots import Bot, make_bot
from kakomi.core import Position
from kakomi.protocol.gtp.engine import Clock
from kakomi.protocol.gtp.serving import MOST_WAITING
from kakomi.protocol.gtp.syntax import Command, Vertices, failure, read_command, success
from kakomi.protocol.lines import MOST_BYTES
from protocol.gtp_talk import talk
from soak.lines import GTP_COMMANDS

SQUARE = {"lin": 9, "ren": 8, "rin": 8}


@pytest.mark.parametrize(
    ("line", "command"),
    [
        (b"name", Command("", "name", ())),
        (b"12 play B C3", Command("12", "play", ("B", "C3"))),
        (b"  play\tB \t C3  ", Command("", "play", ("B", "C3"))),
        (b"pl\x01ay B\x7f C3\r", Command("", "play", ("B", "C3"))),
        (b"1 name # who is there?", Command("1", "name", ())),
        (b"7", Command("7", "", ())),
        (b"007 name", Command("007", "name", ())),
        (b"99999999999 name", Command("", "99999999999", ("name",))),
        (b"NAME", Command("", "NAME", ())),
        (b"", None),
        (b" \t \r", None),
        (b"# nothing", None),
        (b"\x00\x01", None),
    ],
)
def test_lines_are_read_as_gtp_says(line: bytes, command: Command | None) -> None:
    assert read_command(line) == command


def test_responses_are_written_as_gtp_says() -> None:
    assert success("", "C3") == b"= C3\n\n"
    assert success("3", "a\n\n\nb\n") == b"=3 a\nb\n\n"
    assert success("") == b"= \n\n"
    assert failure("3", "unknown command") == b"?3 unknown command\n\n"


@pytest.mark.parametrize("name", SQUARE)
def test_vertices_are_counted_from_the_bottom_left_without_i(name: str) -> None:
    vertices = Vertices(kakomi.game(name, size={"lin": 19, "ren": 12, "rin": 18}[name]))
    game = vertices._game
    names = {"rin": ("17,0", "17,8", "0,17"), "lin": ("a1", "i1", "s19"), "ren": ("a1", "i1", "l12")}[name]
    far = {"rin": "S18", "lin": "T19", "ren": "M12"}[name]
    assert [vertices.vertex(game.action(text)) for text in names] == ["A1", "J1", far]
    for number in range(len(game.actions)):
        assert vertices.action(vertices.vertex(number)) == number


@pytest.mark.parametrize(("name", "size"), SQUARE.items())
def test_the_required_commands_are_there(name: str, size: int) -> None:
    required = ["protocol_version", "name", "version", "known_command", "list_commands", "quit"]
    required += ["boardsize", "clear_board", "komi", "play", "genmove"]
    listed, *known = talk("list_commands", *(f"known_command {command}" for command in required), game=name)
    assert set(required) <= set(listed.removeprefix("= ").split("\n"))
    assert known == ["= true"] * len(known)
    assert talk("known_command fly", "fly", "protocol_version", game=name) == [
        "= false",
        "? unknown command",
        "= 2",
    ]


@pytest.mark.parametrize(("name", "size"), SQUARE.items())
def test_a_game_goes_to_its_end(name: str, size: int) -> None:
    """Both colours get genmove, and the one to act plays."""
    lines = [f"boardsize {SQUARE[name]}", *["genmove b", "genmove w"] * 700, "final_score"]
    size_set, *played, score = talk(*lines, game=name)
    assert size_set == "= "
    assert sum(response.startswith("= ") for response in played) > SQUARE[name]
    assert {response for response in played if response[0] == "?"} <= {
        "? it is white's turn",
        "? it is black's turn",
    }
    assert played[-2:] == ["= pass", "= pass"]
    assert score == "= 0" or score.startswith(("= B+", "= W+"))


def test_a_turn_of_rin_is_two_stones() -> None:
    told = talk("genmove b", "genmove b", "genmove w", "genmove w", "genmove w", "genmove b", size=8)
    assert [response[0] for response in told] == ["=", "?", "=", "=", "?", "="]


def test_the_final_score_counts_komi() -> None:
    game = ["play b c3", "play w c2", "play b b2", "play w d2"]
    position = kakomi.game("lin", size=5).start()
    while not position.is_over:
        position = position.play(position.legal()[0])
    vertices = Vertices(position.game)
    actions = position.actions_since(position.game.start())
    assert actions
    game = [f"play {'bw'[n % 2]} {vertices.vertex(action)}" for n, action in enumerate(actions)]
    plain, *_, komi = talk(*game, "final_score", "komi 24", "final_score", game="lin", size=5)[-3:]
    black, white = position.scores()

    def told(lead: float) -> str:
        return "= 0" if not lead else f"= {'B' if lead > 0 else 'W'}+{abs(lead):g}"

    assert (plain, komi) == (told(black - white), told(black - white - 24))


@pytest.mark.parametrize(
    ("name", "line", "error"),
    [
        ("rin", "play b", "syntax error: a colour and a vertex"),
        ("rin", "play red a1", "syntax error: a colour is"),
        ("rin", "play b i1", "syntax error: vertices are A1 to H8"),
        ("rin", "play b a9", "syntax error: vertices are A1 to H8"),
        ("rin", "play b a0", "syntax error"),
        ("rin", "play b a１", "syntax error"),
        ("rin", "play b pass", "illegal move: Rin has no pass"),
        ("rin", "play w a1", "illegal move: it is black's turn"),
        ("rin", "genmove w", "it is black's turn"),
        ("rin", "genmove", "syntax error"),
        ("rin", "undo", "cannot undo"),
        ("rin", "final_status_list", "syntax error: one argument is needed"),
        ("rin", "final_status_list ko", "syntax error: a status is alive, dead or seki"),
        ("rin", "printsgf /nowhere/game.sgf", "cannot write file: No such file or directory"),
        ("rin", "boardsize x", "syntax error"),
        ("rin", "boardsize " + "9" * 5000, "syntax error"),
        ("rin", "komi 6.5", "unacceptable komi: rin has none"),
        ("rin", "komi nan", "syntax error"),
        ("lin", "komi 3", "unacceptable komi: komi 3 isn't possible in lin"),
        ("lin", "komi 6.5", "unacceptable komi: komi 6.5 isn't possible in lin"),
        ("rin", "final_score", "cannot score: the game isn't over"),
        ("rin", "time_settings 1 2", "syntax error"),
        ("rin", "time_settings 1 2 -3", "syntax error"),
        ("rin", "7", "unknown command"),
    ],
)
def test_what_can_t_be_done(name: str, line: str, error: str) -> None:
    (response,) = talk(line, game=name, size=SQUARE[name])
    number = "7" if line == "7" else ""
    assert response.startswith(f"?{number} {error}")
    assert "\n" not in response and len(response) < 300


def test_a_line_that_is_too_long() -> None:
    assert talk(None, "name") == ["? syntax error: the line is too long", "= Kakomi"]
    assert MOST_BYTES >= 2**20


def test_options_that_were_given_stay_and_others_follow_the_size() -> None:
    assert talk("komi 8", "boardsize 5", "komi 24", "boardsize 9", "boardsize 5", game="lin") == ["= "] * 5
    (refused,) = talk("boardsize 9", game="lin", size=5, line=3)
    assert refused == "? unacceptable size"


def test_controllers_may_compare_the_refusal_of_a_size(capsys: pytest.CaptureFixture[str]) -> None:
    assert talk("boardsize 9", game="rin") == ["? unacceptable size"]
    assert "size 9 isn't possible in rin: choose 4 to 18, even" in capsys.readouterr().err


def test_the_komi_is_told() -> None:
    assert talk("get_komi", "komi 8", "get_komi", game="lin") == ["= 0", "= ", "= 8"]
    assert talk("get_komi", game="rin") == ["= 0"]


def test_the_game_is_printed_as_sgf(tmp_path: Path) -> None:
    path = tmp_path / "a game.sgf"
    lines = ["play b a4", "play w b2", "printsgf", f"printsgf {path}", f"loadsgf {path}", "printsgf"]
    *_, printed, written, loaded, again = talk(*lines, size=4)
    assert printed == again and written == loaded == "= "
    record = records.read(printed.removeprefix("= ").encode(), kakomi.game)
    assert [turn.actions for turn in record.turns] == [("0,0",), ("2,1",)] and record.options == {"size": 4}
    assert records.load(path, kakomi.game) == record


def test_all_stones_live() -> None:
    alive, dead, seki = talk(
        "play b a4",
        "play w b2",
        *(f"final_status_list {status}" for status in ("alive", "dead", "seki")),
        size=4,
    )[2:]
    assert sorted(alive.removeprefix("= ").split()) == ["A4", "B2"] and dead == seki == "= "


def test_komi_leaves_the_game_as_it_is() -> None:
    *_, before, komi, after = talk("play b c3", "showboard", "komi 8", "showboard", game="lin", size=9)
    assert (before, komi) == (after, "= ")


@pytest.mark.parametrize(("name", "size"), SQUARE.items())
def test_loadsgf_takes_over_a_game(name: str, size: int, tmp_path: Path) -> None:
    game = kakomi.game(name, size=size)
    position = game.start()
    for _ in range(7):
        position = position.play(position.legal()[len(position.legal()) // 2])
    record = records.recorded(game, position.actions_since(game.start()) or [])
    path = tmp_path / "a game.sgf"
    records.save(record, game, path)
    vertices = Vertices(game)
    colours = "bw"
    played, place = [], game.start()
    for action in position.actions_since(game.start()) or []:
        played.append(f"play {colours[place.to_move]} {vertices.vertex(action)}")
        place = place.play_action(action)
    *_, whole = talk(*played, "showboard", game=name, size=size)
    *_, part = talk(*played[:3], "showboard", game=name, size=size)
    loaded = talk(f"loadsgf {path}", "showboard", "undo", f"loadsgf {path} 4", "showboard", game=name)
    assert loaded == ["= ", whole, "= ", "= ", part]


def test_loadsgf_refuses_a_game_that_begins_at_a_position(tmp_path: Path) -> None:
    game = kakomi.game("rin", size=4)
    records.save(
        records.recorded(game, ["0,1"], position="4/1b2/4/4 w left_in_turn=2"), game, tmp_path / "a.json"
    )
    (response,) = talk(f"loadsgf {tmp_path / 'a.json'}", size=4)
    assert response.startswith("? cannot load file: its game begins at a position")


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("loadsgf", "syntax error: a file is needed"),
        ("loadsgf /no/such/file.sgf", "cannot load file: No such file"),
        ("loadsgf /dev/null", "cannot load file: the file is empty"),
        ("loadsgf /", "cannot load file: Is a directory"),
        (f"loadsgf {'x' * 5000}", "cannot load file: File name too long"),
        (f"loadsgf x.sgf {'9' * 5000}", "syntax error: a whole number"),
        ("fixed_handicap 2", "Rin has no handicap: play begins on an empty board"),
        ("set_free_handicap a1 b2", "Rin has no handicap"),
        ("place_free_handicap 2", "Rin has no handicap"),
    ],
)
def test_what_can_t_be_loaded_or_given(line: str, error: str) -> None:
    (response,) = talk(line, size=8)
    assert response.startswith(f"? {error}") and "\n" not in response


def test_a_handicap_is_no_known_command() -> None:
    assert talk("known_command fixed_handicap", "known_command loadsgf") == ["= false", "= true"]


def test_undo_and_clear() -> None:
    *_, one, undone, empty, cleared = talk(
        "play b c3", "play w d4", "undo", "showboard", "undo", "showboard", "clear_board", game="lin", size=9
    )[-4:]
    assert one.count("X") == 2 and one.count("O") == 1  # with the legend below the board
    assert (undone, cleared) == ("= ", "= ")
    assert empty.count("X") == 1


def test_what_doesn_t_change_when_it_is_asked_for_advice() -> None:
    before, advice, after = talk("showboard", "reg_genmove b", "showboard", game="ren", size=8)
    assert advice.startswith("= ") and before == after


class Slow(Bot):
    """A bot that thinks until it is stopped."""

    def choose(self, position: Position, *, stop: object = None) -> int:
        assert stop is not None
        assert stop.wait(60)  # type: ignore[attr-defined]
        return position.legal_actions()[0]


@pytest.mark.parametrize("settings", ["time_settings 1 0 0", "time_settings 0 1 20", "time_left b 1 20"])
def test_a_bot_is_stopped_when_its_time_is_up(settings: str) -> None:
    told = talk(settings, "genmove b", bot=Slow("slow"), size=8)
    assert told == ["= ", "= A8"]


def test_the_clock() -> None:
    assert Clock.set_to(0, 30, 0) is None
    clock = Clock.set_to(100, 30, 5)
    assert clock and clock.share == pytest.approx(0.9 * (100 / 20 + 30 / 5))
    clock = clock.after(60)
    assert clock.seconds == 40 and clock.share == pytest.approx(0.9 * (40 / 20 + 30 / 5))
    clock = clock.after(41)
    assert (clock.seconds, clock.stones) == (30, 5) and clock.share == pytest.approx(0.9 * 6)
    clock = clock.after(10)
    assert (clock.seconds, clock.stones) == (20, 4)
    assert clock.corrected(3, 1).after(1) == clock.corrected(30, 5)
    assert clock.corrected(0, 0).share > 0


def test_a_fault_of_ours_is_told_and_survived() -> None:
    class Faulty(Bot):
        def choose(self, position: Position, *, stop: object = None) -> int:
            raise RuntimeError("two\n\nlines")

    told = talk("1 genmove b", "name", bot=Faulty("faulty"), size=8)
    assert told == ["?1 internal error: RuntimeError: two  lines", "= Kakomi"]


@given(st.binary(max_size=60))
def test_any_line_gets_one_response_or_none(line: bytes) -> None:
    line = line.replace(b"\n", b" ")
    told = talk(line, size=8)
    assert len(told) == (read_command(line) is not None)


@given(
    st.lists(st.sampled_from(["play", "b", "w", "c3", "i1", "pass", "komi", "0", "#", "\t", "9" * 40, "ß"]))
)
def test_any_words_get_one_response_or_none(words: list[str]) -> None:
    line = " ".join(words)
    assert len(talk(line, game="lin", size=9)) == (read_command(line.encode()) is not None)


VERTICES = [f"{letter}{number}" for letter in "AbCijT" for number in (0, 1, 2, 9, 99)]
NUMBERS = ["0", "1", "-1", "6.5", "7.", "1e9", "1e999", "nan", "inf", "٣", "9" * 5000]
ANY_WORD = st.sampled_from([*VERTICES, *NUMBERS, "b", "W", "black", "pass", "resign", "", "#", "ß", "\u202e"])
COMMAND = st.sampled_from(["play", "play", *GTP_COMMANDS])
LINE = st.tuples(st.sampled_from(["", "1", "0099"]), COMMAND, st.lists(ANY_WORD, max_size=4)).map(
    lambda parts: " ".join([parts[0], parts[1], *parts[2]])
)


@given(st.sampled_from(sorted(SQUARE)), st.lists(LINE, max_size=12))
def test_any_session_gets_clean_answers(name: str, lines: list[str]) -> None:
    """Random sessions in GTP's grammar, with nearly valid words, give success or a proper error."""
    told = talk(*lines, game=name)
    expected = [line for line in lines if read_command(line.encode()) is not None]
    assert len(told) == len(expected)
    for response in told:
        assert "internal error" not in response and len(response) < 20_000


def test_lines_wait_in_order() -> None:
    many = [f"{n} name" for n in range(3 * MOST_WAITING)]
    assert talk(*many) == [f"={n} Kakomi" for n in range(3 * MOST_WAITING)]


def test_bots_by_name() -> None:
    assert talk("genmove b", bot=make_bot("simulations:5"), game="rin", size=4)[0].startswith("= ")
