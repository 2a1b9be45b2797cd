"""Records as SGF: ours read by another library, other programs' files read by ours, and hostile files."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill.sgf import Sgf_game, Tree_node

import kakomi
from damage import check_read_or_refused, damaged, few_examples
from hostile_records import CORPUS, json_files, sgf_files
from kakomi import records
from kakomi.core import Game
from kakomi.records import Reading, Record, RecordError, RecordWarning, Turn, read, write_sgf
from kakomi.records.sgf.syntax import Node, escaped, number_of, parse, printed, unescaped
from recorded_games import quick_games, random_record

GOLDEN = Path(__file__).resolve().parent / "golden"
SGF_GAMES = [game for game in quick_games() if game.geometry.kind == "square" and game.players == 2]
OTHER_GAMES = [game for game in quick_games() if game not in SGF_GAMES]

by_sgf_game = pytest.mark.parametrize("game", SGF_GAMES, ids=lambda game: game.name)
RIN = kakomi.game("rin", size=6)


def refusal(data: bytes | str, name: str = "rin", **options: object) -> str:
    with pytest.raises(RecordError) as error:
        read(data.encode() if isinstance(data, str) else data, kakomi.game, name, **options)
    message = str(error.value)
    assert message.isprintable() and len(message) < 500
    return message


def read_rin(text: str) -> Record:
    return read(text.encode(), kakomi.game, "rin", size=6)


def warned(text: str | bytes) -> tuple[Record, str]:
    """A record of Rin on 6×6 from a file that causes one warning, and that warning."""
    reading = Reading()
    data = text.encode() if isinstance(text, str) else text
    record = read(data, kakomi.game, "rin", reading, size=6)
    (message,) = reading.warnings
    with pytest.warns(RecordWarning) as told:  # by default it is a Python warning
        assert read(data, kakomi.game, "rin", size=6) == record
    assert str(told[0].message) == message and message.isprintable() and len(message) < 500
    return record, message


# Round trips


@by_sgf_game
@pytest.mark.parametrize("seed", range(12))
def test_sgf_holds_all_of_a_random_record(game: Game, seed: int) -> None:
    record = random_record(game, seed)
    assert read(write_sgf(record, game), kakomi.game) == record


@by_sgf_game
@pytest.mark.parametrize("seed", range(6))
def test_another_library_reads_the_same_game(game: Game, seed: int) -> None:
    record = random_record(game, seed)
    sgf = Sgf_game.from_bytes(write_sgf(record, game))
    root = sgf.get_root()
    assert sgf.get_size() == game.geometry.size
    assert root.get("AP") == ("Kakomi", kakomi.__version__)
    names = [seat.name for seat in record.seats] or ["", ""]
    assert [sgf.get_player_name(colour) or "" for colour in "bw"] == names
    said = root.get("C") if root.has_property("C") else ""
    assert [(0, None, "", said), *sgfmill_moves(root, game)] == [
        (0, None, "", record.comment),
        *moves(record),
    ]


Move = tuple[int, int | None, str, str]
"""The depth in the tree, the player, the action and the comment."""


def moves(record: Record) -> list[Move]:
    """Every action of every turn, in order; the comment is the last action's."""
    found: list[Move] = []
    depths = [0]
    for number, turn in enumerate(record.turns, 1):
        depth = depths[record.tree.before[number]]
        *firsts, last = turn.actions
        found += [(depth + at, turn.player, action, "") for at, action in enumerate(firsts, 1)]
        found.append((depth + len(turn.actions), turn.player, last, turn.comment))
        depths.append(depth + len(turn.actions))
    return found


def sgfmill_moves(root: Tree_node, game: Game) -> list[Move]:
    """The same moves read by another library, which counts rows from the bottom."""
    at = {place: name for name, place in zip(game.geometry.names, game.geometry.places, strict=True)}
    found: list[Move] = []
    waiting = [(1, node) for node in reversed(list(root))]
    while waiting:
        depth, node = waiting.pop()
        colour, point = node.get_move()
        action = at[point[1], game.geometry.size - 1 - point[0]] if point else "pass"
        found.append((depth, "bw".index(colour), action, node.get("C") if node.has_property("C") else ""))
        waiting += [(depth + 1, child) for child in reversed(list(node))]
    return found


@by_sgf_game
def test_another_library_knows_the_result_and_the_komi(game: Game) -> None:
    for seed in range(20):
        record = random_record(game, seed)
        sgf = Sgf_game.from_bytes(write_sgf(record, game))
        won = record.result and len(record.result.winners) == 1
        assert sgf.get_winner() == ("bw"[record.result.winners[0]] if won else None)
        if game.description.komi_option:
            assert sgf.get_komi() == game.options[game.description.komi_option]


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.sgf")), ids=lambda path: path.stem)
def test_golden_files_say_the_same_in_both_formats(path: Path) -> None:
    record = records.load(path, kakomi.game)
    assert record == records.load(path.with_suffix(".json"), kakomi.game)
    written = write_sgf(record, records.game_of(record, kakomi.game))
    assert written.replace(kakomi.__version__.encode(), b"0.1.0", 1) == path.read_bytes()


@pytest.mark.parametrize("game", OTHER_GAMES, ids=lambda game: game.name)
def test_sgf_has_no_form_for_other_boards(game: Game) -> None:
    with pytest.raises(RecordError, match=f"{game.description.title} can't be saved as SGF.*: use JSON"):
        write_sgf(random_record(game, 1), game)


def test_sgf_has_no_form_for_three_players() -> None:
    options = ",".join(
        f'"{name}": {value}' for name, value in kakomi.game("rings", players=3).options.items()
    )
    ours = f'{{"kakomi_record": 1, "game": "rings", "options": {{{options}}}}}'
    assert "Rings can't be saved as SGF" in refusal(f"(;KAKOMI[{ours}])", "")


# Other programs' files


def test_a_file_of_another_program_needs_the_game_and_tells_size_and_komi() -> None:
    other = b"(;GM[1]FF[4]SZ[7]KM[8.0]PB[Ann];B[ag];W[gg])"
    record = read(other, kakomi.game, "lin", line=4)
    assert record.options == {"size": 7, "line": 4, "komi": 8}
    assert [turn.actions for turn in record.turns] == [("a1",), ("g1",)]
    assert [seat.name for seat in record.seats] == ["Ann", ""]
    assert "doesn't say which game it is" in refusal(other, "")


def test_moves_of_one_player_make_a_turn() -> None:
    record = read_rin("(;B[aa];W[ba];W[ca];B[da];B[ea];W[fa])")
    assert [(turn.player, len(turn.actions)) for turn in record.turns] == [(0, 1), (1, 2), (0, 2), (1, 1)]


def test_variations_within_a_turn_become_turns_and_keep_every_comment_once() -> None:
    record = read_rin("(;C[start];B[aa];W[ba]C[first](;W[ca]C[second];B[da];B[fa])(;W[ea]C[other]))")
    assert record == Record(
        game="rin",
        options={"size": 6},
        comment="start",
        turns=(
            Turn(player=0, actions=("0,0",)),
            Turn(player=1, actions=("0,1", "0,2"), comment="first\n\nsecond"),
            Turn(player=0, actions=("0,3", "0,5")),
            Turn(after=1, player=1, actions=("0,1", "0,4"), comment="other"),
        ),
    )


def test_comments_on_nodes_without_a_move_are_kept() -> None:
    record = read_rin("(;GC[game]C[root];C[still the root];B[aa];C[on black];N[name];W[ba];W[ca])")
    assert record.comment == "game\n\nroot\n\nstill the root"
    assert [turn.comment for turn in record.turns] == ["on black", ""]


def test_a_move_in_the_root_is_read() -> None:
    assert read_rin("(;B[aa];W[ba];W[ca])") == read_rin("(;;B[aa];W[ba];W[ca])")


def test_old_spellings_are_read() -> None:
    game = kakomi.game("ren", size=8)
    record = read(b"(;GaMe[1]SiZe[8];Black[aa];White[tt];B[])", lambda name, **o: game, "ren")
    assert [turn.actions for turn in record.turns] == [("a8",), ("pass",), ("pass",)]


@pytest.mark.parametrize(
    ("text", "encoding", "name"),
    [
        ("(;CA[UTF-8]PB[囲])", "utf-8", "囲"),
        ("(;PB[囲])", "utf-8", "囲"),
        ("(;PB[é])", "latin-1", "é"),
        ("(;FF[4]CA[ISO-8859-1]PB[é])", "latin-1", "é"),
        ("(;CA[Shift_JIS]PB[表])", "shift_jis", "表"),  # its second byte is a backslash
        ("\ufeff (;PB[a\\]b\\\nc\r\nd\te\\\\])", "utf-8", "a]bc d e\\"),
    ],
)
def test_texts_are_read_as_they_were_meant(text: str, encoding: str, name: str) -> None:
    record = read(text.encode(encoding), kakomi.game, "rin")
    assert record.seats[0].name == name


@pytest.mark.parametrize(
    ("named", "encoding", "text"),
    [
        ("GB2312", "gb18030", "古力 㐀"),
        ("GBK", "gb18030", "柯洁 \U00020000"),
        ("Shift_JIS", "cp932", "髙田 ①"),
        ("EUC-KR", "cp949", "이세돌 똠방각하"),
        ("Big5", "cp950", "碁聖 嫺"),
        ("ISO-8859-1", "cp1252", "“Ann” œ"),
        ("US-ASCII", "utf-8", "André"),
        ("KOI8-R", "koi8-r", "Иванов"),
        ("windows-1251", "cp1251", "Иванов"),
        ("EUC-JP", "euc-jp", "井山裕太"),
        ("macroman", "mac-roman", "André"),
        ("UTF-16", "utf-8", "André"),  # which is impossible
    ],
)
def test_named_character_sets_are_read_with_what_is_written_in_them(
    named: str, encoding: str, text: str
) -> None:
    record = read(f"(;SZ[6]CA[{named}]PB[{text}])".encode(encoding), kakomi.game, "rin")
    assert record.seats[0].name == text


@pytest.mark.parametrize(
    ("encoding", "texts"),
    [
        ("gb18030", ("古力", "柯洁", "第一局，黑先")),
        ("cp932", ("井山裕太", "大竹英雄", "第3局　黒番")),
        ("cp949", ("이세돌", "박정환", "제삼국 흑번")),
        ("cp950", ("周俊勳", "林君諺", "第一局，黑先")),
        ("cp1251", ("Иванов", "Петров", "Чёрные выиграли")),
    ],
)
def test_a_file_without_a_character_set_is_read_in_the_likeliest(
    encoding: str, texts: tuple[str, str, str]
) -> None:
    data = "(;SZ[6]PB[{}]PW[{}]C[{}];B[aa])".format(*texts).encode(encoding)
    record, message = warned(data)
    assert (*(seat.name for seat in record.seats), record.comment) == texts
    assert message.startswith(f"the file doesn't say its character set and was read as {encoding}: ")


@pytest.mark.parametrize("text", ["André, Jürgen, Zoë", "“Là-bas”: l’œuvre", "é\x81"])
def test_western_files_without_a_character_set_need_no_guess(text: str) -> None:
    encoding = "iso8859-1" if text.endswith("\x81") else "cp1252"
    read_as = read(f"(;SZ[6]C[{text}])".encode(encoding), kakomi.game, "rin")
    assert read_as.comment == text.replace("\x81", " ")


def test_utf_16_is_known_by_its_mark() -> None:
    assert read("(;SZ[6]PB[古力])".encode("utf-16"), kakomi.game, "rin").seats[0].name == "古力"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("From: Ann\n\n(;SZ[6];B[aa])", "text before the game was ignored"),
        ("(SZ[6];B[aa])", "the game's first ; is missing, and was added"),
        ("(;SZ[6];B[aa])\n(;SZ[8];B[bb])", "the file has several games: only the first was read"),
        ("(;SZ[6];B[aa])) -- ", "text after the game was ignored"),
        (
            "(;SZ[6]RE[Schwarz];B[aa])",
            "RE[Schwarz] isn't a result and was ignored: results look like B+12, W+R, 0 or ?",
        ),
        ("(;SZ[6]RE[W+];B[aa])", "RE[W+] doesn't say how the game was won, and was ignored"),
        *(
            (f"(;SZ[6]RE[B+{number}];B[aa])", "isn't a result and was ignored")
            for number in (".", "9" * 5000, "٣", "1e9", "nan", "-1", "1.2.3", "Huge")
        ),
    ],
)
def test_what_is_left_out_is_said_and_the_moves_are_kept(text: str, message: str) -> None:
    record, said = warned(text)
    assert message in said
    assert [turn.actions for turn in record.turns] == [("0,0",)] and record.result is None


def test_limits_stop_a_reading_where_they_are_reached() -> None:
    for text, limits in (
        ("(;SZ[6]" + ";C[a]" * 1_000 + ")", {"most_parts": 50}),
        ("(;SZ[6]" + ";B[aa]" * 1_000 + ")", {"most_actions": 10}),
        ("(;SZ[6];B[aa];W[bb]" + "(;W[cc])" * 1_000 + ")", {"most_actions": 10}),
        (json_of(1_000), {"most_actions": 10}),
    ):
        reading = Reading(**limits)
        with pytest.raises(RecordError, match="holds more than"):
            read(text.encode(), kakomi.game, "rin", reading, size=6)
        assert reading.played == 0 and reading.actions <= 1_000
        assert reading.parts <= limits.get("most_parts", 5_000) + 1


def json_of(actions: int) -> str:
    turns = ", ".join(['{"player": 0, "actions": ["0,0"]}'] * actions)
    return f'{{"kakomi_record": 1, "game": "rin", "options": {{"size": 6}}, "turns": [{turns}]}}'


@pytest.mark.parametrize("result", ["", "?", "Void"])
def test_a_game_may_have_no_result(result: str) -> None:
    record = read_rin(f"(;RE[{result}];B[aa])")
    assert record.result is None
    assert b"RE[?]" in write_sgf(record, RIN)


@pytest.mark.parametrize(
    ("result", "reason", "winners"),
    [
        ("W+R", "resignation", (1,)),
        ("W+Resign", "resignation", (1,)),
        ("B+T", "time", (0,)),
        ("B+Forfeit", "forfeit", (0,)),
        ("Draw", "agreement", (0, 1)),
        ("B+1", "counted", (0,)),
        ("b+resign", "resignation", (0,)),
        ("B + 1.0", "counted", (0,)),
        ("draw", "agreement", (0, 1)),
        ("0", "agreement", (0, 1)),
        ("W+Time", "time", (1,)),
        ("B+", "counted", (0,)),
    ],
)
def test_results_are_read(result: str, reason: str, winners: tuple[int, ...]) -> None:
    record = read_rin(f"(;RE[{result}];B[aa])")
    assert record.result and (record.result.reason, record.result.winners) == (reason, winners)
    assert read(write_sgf(record, RIN), kakomi.game) == record


def test_a_draw_is_counted_or_agreed_on() -> None:
    counted = read_rin("(;RE[0];B[aa];W[bb])")
    assert counted.result and (counted.result.reason, counted.result.winners) == ("counted", (0, 1))
    assert b"RE[0]" in write_sgf(counted, RIN)
    agreed = read_rin("(;RE[Draw];B[aa];W[bb])")
    assert b"RE[Draw]" in write_sgf(agreed, RIN)


def test_times_left_are_each_players_own() -> None:
    record = read_rin("(;B[aa]BL[300]WL[1];W[bb]BL[2]WL[240.5])")
    assert [turn.clock for turn in record.turns] == [300, 240.5]
    text = write_sgf(record, RIN)
    assert b"BL[300]" in text and b"WL[240.5]" in text
    assert read(text, kakomi.game) == record


@pytest.mark.parametrize("seats", ["[{}]", "[{}, {}, {}]"])
def test_seats_are_as_many_as_players(seats: str) -> None:
    ours = f'{{"kakomi_record": 1, "game": "rin", "seats": {seats}}}'.replace("]", "\\]")
    refused = refusal(f"(;KAKOMI[{ours}]PB[Ann])")
    assert refused == f"seats: {seats.count('{')}, but there are 2 players"


def test_the_komi_may_be_nothing() -> None:
    assert read(b"(;SZ[7]KM[0])", kakomi.game, "lin").options["komi"] == 0


OURS = r'{"kakomi_record": 1, "game": "lin", "options": {"size": 5, "line": 4, "komi": 4}}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;B[aa];W[ba];W[aa])", "turn 2 (White): 0,0 can't be played"),
        ("(;W[aa])", "turn 1 (White): it is Black's turn"),
        ("(;B[aa]W[ba])", "invalid SGF: a node has more than one move"),
        ("(;B[zz])", "B[zz] isn't a move of this game on this board"),
        ("(;B[])", "B[] isn't a move of this game on this board"),
        ("(;AB[aa][bb];W[cc])", "AB: stones set up before play can't be part of a record"),
        ("(;B[aa]BL[soon])", "BL[soon] isn't a time in seconds"),
        ("(;B[aa]BL[nan])", "BL[nan] isn't a time in seconds"),
        ("(;B[aa]BL[-1])", "turns[0].clock"),
        *(
            (f"(;KM[{number}];B[aa])", "the komi is 0 in this game")
            for number in (".", "inf", "nan", "1e999", "9" * 5000, "٣", "1_0")
        ),
        *(
            (f"(;B[aa]SECONDS[{number}])", "isn't a time in seconds")
            for number in (".", "inf", "nan", "9" * 5000, "٣", "1_0", "")
        ),
        ("(;RE[W+7];B[aa])", "RE[W+7] doesn't match the game: by the rules Black has 1, White 0"),
        ("(;RE[W+1];B[aa])", "RE[W+1] doesn't match the game: by the rules Black has 1, White 0"),
        ("(;SZ[7])", "size '7' isn't possible in rin: choose 4 to 18, even"),
        ("(;SZ[6:8])", "size '6:8' isn't possible in rin"),
        ("(;GM[7])", "GM[7]: this is not the number of rin"),
        ("(;KM[6.5];B[aa])", "KM[6.5]: the komi is 0 in this game"),
        ("(;CA[idna])", "CA[idna]: this character set isn't supported: use UTF-8"),
        (b"(;CA[UTF-8]C[\xff])", "invalid SGF: it says it is UTF-8, but it isn't"),
        (f"(;KAKOMI[{OURS}])", "the record is of lin, not of rin"),
        ("(;KAKOMI[{}])", "not a game record: object missing required field kakomi_record"),
        ("(;B[aa]", "the SGF file is incomplete: a game ends with )"),
        ("(;B[aa", "invalid SGF in line 1, at 'B[aa'"),
        ("(;\n;B)", "invalid SGF in line 2, at 'B)'"),
        ("(;B[aa](;W[ba]);W[ca])", "invalid SGF in line 1, at ';W[ca])'"),
        ("()", "invalid SGF"),
    ],
)
def test_bad_sgf_is_refused(text: str | bytes, message: str) -> None:
    assert message in refusal(text)


@pytest.mark.parametrize(("name", "value"), [("SZ", "9"), ("KM", "2")])
def test_a_file_that_contradicts_itself_is_refused(name: str, value: str) -> None:
    assert f"{name}[{value}]: the " in refusal(f"(;KAKOMI[{OURS}]{name}[{value}])", "lin")


# Syntax


def test_a_tree_of_any_depth_is_parsed_and_printed() -> None:
    deep = "(;C[0]" + "(;B[aa](;W[bb])" * 20_000 + ")" * 20_000 + ")"
    nodes = parse(deep)
    assert len(nodes) == 40_001
    assert parse(printed(nodes)) == nodes


@given(st.text())
def test_any_text_can_be_escaped(text: str) -> None:
    told = text.replace("\r\n", "\n").replace("\n\r", "\n").replace("\r", "\n")
    assert unescaped(escaped(told)) == told
    assert parse(printed([Node(-1, {"C": [escaped(text)]})])) == [Node(-1, {"C": [escaped(text)]})]


@pytest.mark.parametrize(
    "bomb",
    [
        "(" * 1_000_000,
        "(;" * 1_000_000,
        "(" + ";" * 1_000_000,
        "(;C[" + "[" * 1_000_000,
        "(;C[" + "\\" * 1_000_000,
        "(;C" + "[]" * 1_000_000,
        "(;" + "A[]" * 1_000_000,
        "(;" + "A" * 1_000_000,
        "(;" + " " * 1_000_000,
        "(;SZ[6]" + "(;B[aa]" * 100_000 + ")" * 100_001,
        "(;SZ[6]" + ";B[aa](;B[bb])(;B[cc]" * 2_000 + ")" * 2_001,
    ],
    ids=lambda bomb: bomb[:12],
)
def test_bombs_get_one_clear_line(bomb: str) -> None:
    refusal(bomb)


@few_examples
@given(
    st.one_of(st.text(alphabet="()[];BWCSZab\\ \n", max_size=60), st.text()).map(
        lambda text: f"(;{text}".encode()
    )
)
def test_any_text_is_read_or_refused(data: bytes) -> None:
    check_read_or_refused(data)


@pytest.mark.parametrize("name", ["", "rin", "lin", "rings"])
@pytest.mark.parametrize("data", CORPUS, ids=range(len(CORPUS)))
def test_files_that_were_a_traceback_are_refused(data: bytes, name: str) -> None:
    check_read_or_refused(data, name)


@few_examples
@given(sgf_files(), st.sampled_from(["rin", "lin", "ren"]))
def test_hostile_values_are_read_or_refused(data: bytes, name: str) -> None:
    check_read_or_refused(data, name)


@few_examples
@given(json_files())
def test_hostile_fields_are_read_or_refused(data: bytes) -> None:
    check_read_or_refused(data, "")


@few_examples
@given(damaged(write_sgf(random_record(RIN, 3), RIN)))
def test_a_damaged_sgf_record_is_read_or_refused(data: bytes) -> None:
    check_read_or_refused(data)


@pytest.mark.parametrize("text", ["12.5", " 12.5\n", "\x1c12.5\x1f"])
def test_blanks_round_a_number_do_no_harm(text: str) -> None:
    assert number_of(text) == 12.5
