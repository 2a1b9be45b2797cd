"""Ren against the examples of RULES N1-N12 and against its slow reference."""

import pickle
import random

import pytest

import kakomi
from games.comparing import assert_agree, compare_from, compare_games, other_modes
from games.uniformity import assert_samples_uniformly
from kakomi import IllegalAction, Position
from kakomi.kernel import use_mode
from reference.ren import Ren as Reference

BLACK, WHITE = 0, 1
REN = kakomi.game("ren")


def stones(black: str = "", white: str = "") -> dict[str, int]:
    return dict.fromkeys(black.split(), BLACK) | dict.fromkeys(white.split(), WHITE)


def arranged(
    black: str = "", white: str = "", to_move: int = BLACK, game: kakomi.Game = REN, **fields
) -> Position:
    return game.arranged(stones(black, white), to_move, **fields)


def rui(position: Position) -> set[str]:
    return {mark.at for overlay in position.overlays() if overlay.name == "rui" for mark in overlay.marks}


def gained(position: Position, action: str) -> int:
    mover = position.to_move
    return int(position.play(action).scores()[mover] - position.scores()[mover])


@pytest.mark.parametrize(
    ("own", "action", "points"),
    [
        ("d4 e4 d5 e5 d6 e6 d7", "e7", 3),
        ("d7 e7 d6 d5 e5 d4 e4", "e6", 5),
        ("a4 b4 c4 d5 d6 d7 c5", "d4", 3),
        ("b4 c4 d4 f4 g4", "e4", 2),
        ("d4 e4 d5 e5 f5 f6 f7", "f4", 3),
        ("b4 c4 e4 f4", "d4", 0),
        ("a1 b1 c1 e1 f1 g1", "d1", 0),  # seven in a row
        ("a1 b1 a2", "b2", 1),
        ("j9 j8 j7 i7", "j10", 1),  # a column at the edge, and no box
        ("a1 b1 c1 a2 c2", "b2", 2),  # one six-box, without its four-boxes
        ("a1 b1 c1 d1 a2 b2 c2", "d2", 3),  # an eight-box completed at its end
        ("a1 b1 c1 d1 a2 c2 d2", "b2", 5),  # and in its middle
    ],
)
@pytest.mark.parametrize("mover", [BLACK, WHITE])
def test_a_stone_scores_the_groups_that_it_completes(own, action, points, mover):
    position = REN.arranged(dict.fromkeys(own.split(), mover), mover)
    after = position.play(action)
    assert gained(position, action) == points
    assert after.scores()[1 - mover] == 0
    assert bool(rui(after)) == (points > 0)


BOX = "d4 e4 f4 d5 f5 d6 e6 f6"


@pytest.mark.parametrize(
    ("before", "after"), [((16, 12), [26, 12]), ((6, 9), [19, 6]), ((7, 7), [17, 7]), ((0, 0), [10, 0])]
)
def test_a_nine_box_wins_at_once_after_a_swap_if_behind(before, after):
    end = arranged(BOX, points=before).play("e5")
    assert end.is_over
    assert end.scores() == after
    assert end.returns() == [1, -1]
    assert end.legal() == []
    assert "box of nine" in end.game.description.explain.account(end)


def test_a_nine_box_adds_ten_and_nothing_else():
    assert gained(arranged(BOX + " c5 b5"), "e5") == 10


@pytest.mark.parametrize(
    ("black", "white", "mover", "action", "captured"),
    [
        ("d4", "c4 e4 d5", WHITE, "d3", "d4"),
        ("d1 f1", "e1", BLACK, "e2", "e1"),
        ("j1", "i1", WHITE, "j2", "j1"),
        ("", "d5 d3 c4 e4", BLACK, "d4", ""),  # it stays if surrounded from the start
        ("c4 d5 f5 g4 d3 f3 e5 e3", "d4 f4", BLACK, "e4", "d4 f4"),  # two at once
        ("c4 d5 f4 e5 e3 d3", "d4 e4", BLACK, "a1", ""),  # two stones are never captured
        ("c3 c5 b4", "c4", BLACK, "d4", "c4"),
    ],
)
def test_captures_of_single_stones(black, white, mover, action, captured):
    before = arranged(black, white, mover)
    after = before.play(action)
    assert after.stones()[action] == mover
    assert set(before.stones()) - set(after.stones()) == set(captured.split())
    assert len(after.stones()) == len(before.stones()) + 1 - len(captured.split())


NIBAI = {"black": "b4 c4 d5 d3", "white": "d4 e5 e3 f4"}


def test_nibai_puts_a_niban_that_is_not_weak():
    after = arranged(**NIBAI).play("e4")
    assert after.stones()["d4"] == BLACK
    assert after.scores() == [1, 0]
    assert rui(after) == {"d3", "d5"}
    assert {"d3", "d5"} <= set(after.legal())
    assert "d4" not in after.legal()


def test_a_group_that_holds_only_the_niban_scores_nothing_and_says_so():
    before = arranged(NIBAI["black"] + " d6", NIBAI["white"])
    after = before.play("e4")
    assert after.scores() == [1, 0]  # b4-e4, not d3-d6
    assert "niban on d4" in after.game.description.explain.account(after)
    plain = arranged(**NIBAI).play("e4")
    assert "niban" not in plain.game.description.explain.account(plain)


def test_a_niban_is_spared_by_its_own_placement_alone():
    after = arranged(**NIBAI).play("e4").play("pass").play("d6")  # scores d3-d6
    assert after.scores() == [2, 0]
    assert rui(after) == {"d5"}
    after = arranged(**NIBAI).play("e4").play("pass").play("c3").play("pass").play("c5")  # c3-d5: a six-box
    assert "d4" in rui(after)


def test_a_replacement_never_captures():
    # White scores with a2; Black replaces b2, on the last free side of b3.
    before = arranged("a3 c3 b4", "a1 b1 b2 b3", WHITE, game=kakomi.game("ren", size=5))
    replaced = before.play("a2").play("b2")
    assert replaced.stones()["b3"] == WHITE
    assert replaced.stones()["b2"] == BLACK


# After Black's d2 each side in turn can replace a weak stone and score with it, six times in all.
EXCHANGE = {"black": "a2 b2 c2 c3 a4 b4 c4 d5 e5 c6 d6 f6", "white": "b3 d3 e3 d4 e4 c5 f5 e6"}
REPLACEMENTS = ["c3", "d4", "e5", "e6", "d5", "e4"]


@pytest.mark.parametrize("limit", [0, 1, 2, 3, 5, 6])
def test_the_rui_limit_holds_whoever_replaces(limit):
    game = kakomi.game("ren", size=6, rui_limit=limit)
    position = arranged(**EXCHANGE, game=game).play("d2")
    for replaced in REPLACEMENTS[:limit]:
        assert replaced in rui(position)
        position = position.play(replaced)
    assert not set(position.stones()) & set(position.legal())
    assert not set(position.stones()) & set(position.play("pass").legal())
    assert position.play("a1").state["replacements"] == 0


@pytest.mark.parametrize("limit", [1, 3, 5])
def test_replacements_in_succession_agree_with_the_reference(limit):
    game = kakomi.game("ren", size=6, rui_limit=limit)
    position = arranged(**EXCHANGE, game=game)
    reference = Reference.arranged(stones(**EXCHANGE), BLACK, size=6, rui_limit=limit)
    for action in ["d2", *REPLACEMENTS[:limit]]:
        position = position.play(action)
        reference.play(action)
        assert_agree(position, reference)
    compare_from(position, reference, random.Random(limit), eager, most_plies=40)


def test_a_pass_neither_resets_the_rui_count_nor_keeps_weak_stones():
    game = kakomi.game("ren", rui_limit=1)
    scored = arranged("a1 b1 a2", "c3 d3 b3", game=game).play("b2")
    replaced = scored.play("a2")
    assert replaced.state["replacements"] == 1
    passed = replaced.play("pass")
    assert passed.state["replacements"] == 1
    assert passed.play("h8").state["replacements"] == 0
    assert "a2" not in scored.play("pass").play("j9").legal()


def test_weak_stones_and_the_pass_are_drawn_like_empty_squares():
    game = kakomi.game("ren", size=6)
    position = arranged(**EXCHANGE, game=game).play("d2")
    assert len(rui(position)) == 2
    assert_samples_uniformly(position)


def test_two_passes_end_the_game():
    once = REN.start().play("a1").play("pass")
    assert not once.is_over
    assert not once.play("b1").play("pass").is_over
    end = once.play("pass")
    assert end.is_over
    assert end.returns() == [0, 0]


def test_a_full_board_ends_the_game_at_once():
    game = kakomi.game("ren", size=4)
    striped = {name: int(name[0] == "b") for name in game.geometry.names if name != "d4"}
    before = game.arranged(striped, BLACK)
    assert not before.is_over
    full = before.play("d4")
    assert full.is_over
    assert not full.state["nine_box"]
    assert len(full.stones()) == 16


@pytest.mark.parametrize(("lead", "over"), [(0, False), (1, True), (3, True), (4, False)])
def test_a_lead_wins_at_once_if_agreed(lead, over):
    game = kakomi.game("ren", lead=lead)
    position = arranged("a1 b1 c1 a2 c2", points=(5, 4), game=game)
    if lead != 1:
        assert position.play("b2").is_over == over
    assert position.is_over == (lead == 1)


def test_why_illegal_names_the_rule():
    position = arranged("a1 b1 a2", "h8").play("b2")
    for action, reason in [("h8", "already has a stone there"), ("b2", "weak"), ("z9", "isn't an action")]:
        with pytest.raises(IllegalAction, match=reason):
            position.play(action)
    limited = kakomi.game("ren", rui_limit=1)
    with pytest.raises(IllegalAction, match="rui limit of 1"):
        arranged("a1 b1 a2", "h8", game=limited).play("b2").play("a2").play("a2")
    with pytest.raises(IllegalAction, match="rui limit is 0"):
        arranged("a1 b1 a2", "h8", game=kakomi.game("ren", rui_limit=0)).play("b2").play("a2")


def test_overlays_show_weak_stones_atari_and_what_scores():
    position = arranged("a1 b1 a2 " + BOX, "j1 i10", points=(1, 0)).play("i1")
    marks = {overlay.name: {mark.at: mark.text for mark in overlay.marks} for overlay in position.overlays()}
    assert marks["rui"] == {}
    assert marks["atari"] == {"j1": "in atari"}
    assert marks["scoring"] == {}
    marks = {o.name: {m.at: m.text for m in o.marks} for o in position.play("pass").overlays()}
    assert marks["scoring"]["b2"] == "1"
    assert marks["scoring"]["e5"] == "win"
    assert position.scene(overlays=["rui", "atari", "scoring"])


def test_lists_of_moves_show_what_each_scores():
    position = arranged("b4 c4 e4", "h1 h2 i1")
    assert position.gains([position.game.action("d4"), position.game.action("i2")]) == ["+1", "+1"]
    assert position.gains([position.game.action("a1"), position.game.action("pass")]) == ["", ""]
    rin = kakomi.game("rin", size=4).start()
    assert rin.gains([0]) == [""]


def test_the_final_board_shows_the_groups_on_it():
    position = arranged("b4 c4 d4 e4 h8", "a1 b1 c1 d1 e1 g6 h6 g5 h5")
    groups = {mark.at: mark.player for o in position.overlays() if o.name == "groups" for mark in o.marks}
    assert groups == stones("b4 c4 d4 e4", "g6 h6 g5 h5")
    over = position.play("pass").play("pass")
    assert "Groups: " not in position.text() and "Groups: " in over.text()


def test_pickled_positions_go_on_alike():
    position = arranged(**NIBAI).play("e4")
    copy = pickle.loads(pickle.dumps(position))
    assert copy == position
    assert copy.legal() == position.legal()
    assert copy.play("d3") == position.play("d3")


# Against the slow reference


def eager(position: Position, reference: Reference | None, rng: random.Random) -> str:
    """Mostly choose an action that replaces, captures or scores, if there is one; rarely a pass."""
    del reference
    legal = [text for text in position.legal() if text != "pass"]
    if not legal or rng.random() < 0.02:
        return "pass"
    if rng.random() < 0.8:
        before = position.stones()
        replacing = [text for text in legal if text in before]
        if replacing and rng.random() < 0.7:
            return rng.choice(replacing)
        eventful = [text for text in legal if is_eventful(position, text)]
        if eventful:
            return rng.choice(eventful)
    return rng.choice(legal)


def is_eventful(position: Position, action: str) -> bool:
    after = position.play(action)
    scored = after.scores() != position.scores() and not after.state["nine_box"]
    return scored or len(after.stones()) != len(position.stones()) + 1


VARIANTS = [
    {"size": 4},
    {"size": 5, "rui_limit": 1},
    {"size": 6, "rui_limit": 5},
    {"size": 6, "lead": 6},
    {"size": 7, "rui_limit": 0},
    {"size": 8, "rui_limit": 3},
]


@pytest.mark.parametrize("options", [*VARIANTS, {}, {"size": 12, "rui_limit": 5}])
def test_random_games_agree_with_the_reference(options):
    compare_games("ren", options, range(2 if options.get("size", 10) > 8 else 6))


@pytest.mark.parametrize("options", VARIANTS)
def test_eventful_games_agree_with_the_reference(options):
    compare_games("ren", options, range(4), eager, most_plies=150)


@pytest.mark.parametrize("mode", other_modes("ren"))
@pytest.mark.parametrize("options", [{"size": 5, "rui_limit": 2}, {"size": 6, "lead": 6}])
def test_other_modes_agree_with_the_reference(mode, options):
    with use_mode(mode):
        compare_games("ren", options, range(2), eager, most_plies=60)


@pytest.mark.parametrize("mode", other_modes("ren"))
def test_other_modes_agree_on_the_largest_board(mode):
    with use_mode(mode):
        compare_games("ren", {"size": 12}, range(1), most_plies=60)


@pytest.mark.parametrize("seed", range(12))
def test_crowded_positions_agree_with_the_reference(seed):
    """Positions with many stones and few empty squares, which random play rarely reaches."""
    rng = random.Random(seed)
    size = 5 + seed % 6
    names = kakomi.game("ren", size=size).geometry.names
    chances = [rng.random() * 0.3 + 0.6, rng.random()]
    on_board = {name: int(rng.random() < chances[1]) for name in names if rng.random() < chances[0]}
    points = (rng.randrange(20), rng.randrange(20))
    position = kakomi.game("ren", size=size).arranged(on_board, seed % 2, points=points)
    reference = Reference.arranged(on_board, seed % 2, points=points, size=size)
    compare_from(position, reference, rng, eager, most_plies=80)
