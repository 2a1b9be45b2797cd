"""The page on the value of seats agrees with its benchmark."""

import xml.etree.ElementTree as ElementTree

from benchmarks.seats import CELLS, PAGE, PICTURE, Cell
from benchmarks.seats_page import pages, picture

import kakomi
from kakomi.study.seats import board_figures, match_of_two, other_option
from study.test_seat_figures import games

REN = kakomi.game("ren", size=6)
RINGS = kakomi.game("rings", size=3, players=3)
RIN = kakomi.game("rin", size=6)


def test_rows_are_told_by_what_was_played() -> None:
    won, even = games([(9, 7)] * 40), games([(9, 7), (7, 9)] * 20)
    match = match_of_two("match of two", won)
    assert match
    ren = board_figures(REN, won, [other_option("lead 6", even), match])
    rings = board_figures(RINGS, games([(3, 1, 1)] * 20))
    rin, two_stones = (board_figures(RIN, some, [match]) for some in (even, won))
    found = [
        (Cell("ren", (6,), 200, 40), (ren,)),
        (Cell("rings", (3,), 200, 20, players=(3,)), (rings,)),
        (Cell("rin", (6,), 200, 40), (rin,)),
        (Cell("rin", (6,), 200, 40, position="6/6/6/6/6/6 b left_in_turn=2"), (two_stones,)),
    ]
    told = pages(found)
    first, second = told["seats"].splitlines()[2:]
    assert first.startswith("| Ren size 6 | 200 | 40 | 100 % (91–100) † | < 0.001 |")
    assert second.startswith("| Rin size 6 | 200 | 40 | 50 % (35–65) | 1.000 |")
    repaired = told["repairs"].splitlines()[2]
    assert "lead 6: 50 % (35–65) |" in repaired and "| 100 % (84–100) |" in repaired
    (players,) = told["players"].splitlines()[2:]
    assert players.startswith("| 3 | 20 | 100 %") and players.count("| – ") == 3
    (stone,) = told["stone"].splitlines()[2:]
    assert stone.startswith("| Rin size 6 | 40 | 50 % (35–65) | 100 % (91–100) | 50 (")
    assert (
        "kakomi study seats rings --size 3 --players 3 --bot search:simulations=200 --count 20"
        in told["commands"]
    )
    root = ElementTree.fromstring(picture(found))
    assert len(root.findall(".//{*}circle")) == 2, "boards for two that are begun at the start"


def test_the_page_has_all_that_is_measured() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for cell in CELLS:
        assert f"    {cell.command}\n" in page
    boards = sum(len(cell.studies) for cell in CELLS if not cell.players and not cell.position)
    root = ElementTree.parse(PICTURE).getroot()
    assert len(root.findall(".//{*}circle")) == boards
