"""Geometry: counts, names, neighbours and symmetries of every board (RULES G2, V1)."""

import math
from collections import Counter
from dataclasses import replace

import pytest

from boards_of_other_shapes import (
    FOUR_AROUND,
    crossed,
    lopsided,
    rhombus,
    shaped,
    triangle,
    with_cell,
)
from kakomi.boards import Geometry, hexagon_board, honeycomb_board, letter_board, matrix_board

HEXAGONS = [hexagon_board(size) for size in range(2, 9)]
HONEYCOMBS = [honeycomb_board(size) for size in range(2, 7)]
SQUARES = [board(size) for board in (letter_board, matrix_board) for size in (4, 5, 10, 19)]
BOARDS = [*HEXAGONS, *HONEYCOMBS, *SQUARES]


def board_name(board: Geometry) -> str:
    return f"{board.kind}{board.size}-{board.names[0]}"


every_board = pytest.mark.parametrize("board", BOARDS, ids=board_name)
every_hexagon = pytest.mark.parametrize("board", HEXAGONS, ids=board_name)
every_honeycomb = pytest.mark.parametrize("board", HONEYCOMBS, ids=board_name)


def cell(board: Geometry, name: str):
    return next(cell for cell in board.cells if cell.name == name)


def names(board: Geometry, points) -> list[str]:
    return [board.names[point] for point in points]


@every_board
def test_names_and_places_are_distinct(board):
    assert len(set(board.names)) == len(set(board.places)) == board.points
    assert all(board.index[name] == point for point, name in enumerate(board.names))


@every_board
def test_neighbours_are_mutual_and_exactly_the_points_one_unit_away(board):
    for point, beside in enumerate(board.neighbours):
        near = {p for p, place in enumerate(board.places) if math.dist(place, board.places[point]) < 1.01}
        assert set(beside) == near - {point}
        assert len(beside) == len(set(beside))
        assert all(math.isclose(math.dist(board.places[p], board.places[point]), 1) for p in beside)


@every_board
def test_symmetries_are_a_group_that_keeps_neighbours(board):
    symmetries = board.symmetries
    assert symmetries[0] == tuple(range(board.points))
    assert len(set(symmetries)) == 2 * board.turns == (8 if board.kind == "square" else 12)
    for symmetry in symmetries:
        assert sorted(symmetry) == list(range(board.points))
        for point, beside in enumerate(board.neighbours):
            assert {symmetry[p] for p in beside} == set(board.neighbours[symmetry[point]])
    composed = tuple(symmetries[1][p] for p in symmetries[-1])
    assert composed in symmetries


@every_hexagon
def test_hexagon_counts(board):
    side = board.size
    assert board.points == 3 * side * (side - 1) + 1
    by_neighbours = Counter(len(beside) for beside in board.neighbours)
    assert by_neighbours == Counter({3: 6, 4: 6 * (side - 2), 6: board.points - 6 * (side - 1)})
    rows = Counter(name[0] for name in board.names)
    assert list(rows) == sorted(rows)
    assert list(rows.values()) == [2 * side - 1 - abs(row - side + 1) for row in range(2 * side - 1)]


def test_hexagon_names_and_neighbours_clockwise_from_the_upper_right():
    board = hexagon_board(3)
    assert " ".join(board.names) == "a1 a2 a3 b1 b2 b3 b4 c1 c2 c3 c4 c5 d1 d2 d3 d4 e1 e2 e3"
    assert names(board, board.neighbours[board.index["c3"]]) == ["d3", "c4", "b3", "b2", "c2", "d2"]
    assert names(board, board.neighbours[board.index["a1"]]) == ["b2", "a2", "b1"]
    assert names(board, board.neighbours[board.index["e3"]]) == ["d4", "d3", "e2"]


@every_hexagon
def test_hexagon_rows_are_horizontal_and_rise_with_their_letter(board):
    heights = {}
    for name, (_, y) in zip(board.names, board.places, strict=True):
        assert heights.setdefault(name[0], y) == y
    assert list(heights.values()) == sorted(heights.values(), reverse=True)


@every_honeycomb
def test_honeycomb_counts(board):
    side = board.size
    assert board.points == 6 * side**2
    assert len(board.cells) == 3 * side * (side - 1) + 1
    assert len({name[0] for name in board.names}) == 4 * side
    assert {int(name[1:]) for name in board.names} == set(range(1, 4 * side))


def test_full_size_honeycomb_counts():
    board = honeycomb_board(6)
    assert Counter(len(circle.neighbours) for circle in board.cells) == {6: 61, 4: 24, 3: 6}
    shared = Counter(point for circle in board.cells for point in circle.points)
    assert Counter(shared.values()) == {3: 150, 2: 30, 1: 36}


def test_honeycomb_letters_of_each_row():
    letters = {}
    for name in honeycomb_board(6).names:
        letters[int(name[1:])] = letters.get(int(name[1:]), "") + name[0]
    ends = ["LM", "JKNO", "HILMPQ", "FGJKNORS", "DEHILMPQTU", "BCFGJKNORSVW"]
    middle = ["ADEHILMPQTUX", "BCFGJKNORSVW"] * 5 + ["ADEHILMPQTUX"]
    assert [letters[row] for row in range(1, 24)] == [*ends, *middle, *reversed(ends)]


def test_circles_are_named_by_their_middle():
    board = honeycomb_board(6)
    assert board.cells[0].name == "LM2"
    assert names(board, cell(board, "LM2").points) == ["L1", "M1", "K2", "N2", "L3", "M3"]
    assert names(board, cell(board, "LM4").points) == ["L3", "M3", "K4", "N4", "L5", "M5"]
    assert [board.cells[c].name for c in cell(board, "LM2").neighbours] == ["JK3", "NO3", "LM4"]
    assert [c.name for c in board.cells[:6]] == ["LM2", "JK3", "NO3", "HI4", "LM4", "PQ4"]


@every_honeycomb
def test_circles_go_through_their_points_and_share_two_with_their_neighbours(board):
    for number, circle in enumerate(board.cells):
        assert all(math.isclose(math.dist(circle.place, board.places[p]), 1) for p in circle.points)
        sharing = [n for n, other in enumerate(board.cells) if len({*other.points} & {*circle.points}) == 2]
        assert list(circle.neighbours) == sharing
        assert all(number in board.cells[other].neighbours for other in sharing)
    assert len({circle.name for circle in board.cells}) == len(board.cells)
    order = [(circle.place[1], circle.place[0]) for circle in board.cells]
    assert order == sorted(order)


@every_honeycomb
def test_points_are_read_from_the_top(board):
    order = [(y, x) for x, y in board.places]
    assert order == sorted(order)


@every_honeycomb
def test_symmetries_of_circles_agree_with_those_of_points(board):
    assert len(board.cell_symmetries) == 12
    for on_points, on_cells in zip(board.symmetries, board.cell_symmetries, strict=True):
        for number, circle in enumerate(board.cells):
            moved = board.cells[on_cells[number]]
            assert {on_points[p] for p in circle.points} == set(moved.points)


def test_square_names():
    assert letter_board(3).names == ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
    assert matrix_board(2).names == ("0,0", "0,1", "1,0", "1,1")
    assert letter_board(3).places[0] == (0, 2)
    assert matrix_board(3).places[1] == (1, 0)


@every_board
def test_labels_fit_the_rows_and_columns_of_places(board):
    heights = sorted({round(y, 3) for _, y in board.places})
    assert len(board.rows) == (0 if board.kind == "hexagon" else len(heights))
    if board.columns:
        lefts = sorted({round(x, 3) for x, _ in board.places})
        for name, (x, y) in zip(board.names, board.places, strict=True):
            row, column = board.rows[heights.index(round(y, 3))], board.columns[lefts.index(round(x, 3))]
            assert name in (column + row, f"{row},{column}")


@pytest.mark.parametrize("size", [2, 3, 6])
def test_neighbours_on_a_grid_of_hexagons_are_the_same_steps_apart(size: int) -> None:
    board = hexagon_board(size)
    steps = {
        (board.grid[beside][0] - row, board.grid[beside][1] - column)
        for point, (row, column) in enumerate(board.grid)
        for beside in board.neighbours[point]
    }
    assert steps == {(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)}


@pytest.mark.parametrize("size", [2, 3, 6])
def test_neighbours_on_a_grid_of_circles_are_above_below_and_on_one_side(size: int) -> None:
    board = honeycomb_board(size)
    for point, (row, column) in enumerate(board.grid):
        sides = {board.grid[beside] for beside in board.neighbours[point]} - {
            (row - 1, column),
            (row + 1, column),
        }
        assert sides <= {(row, column - 1), (row, column + 1)} and len(sides) <= 1


@pytest.mark.parametrize(
    "board", [letter_board(5), matrix_board(4), hexagon_board(4), honeycomb_board(3)], ids=lambda b: b.kind
)
def test_points_ascend_on_the_grid(board: Geometry) -> None:
    assert list(board.grid) == sorted(set(board.grid))
    assert min(row for row, _ in board.grid) == min(column for _, column in board.grid) == 0


OTHER_SHAPES = {
    "rhombus": (rhombus(4), 4, 2),
    "flat rhombus": (rhombus(3, slope=0.5, around=FOUR_AROUND), 4, 2),
    "rhombus without mirrors": (rhombus(4, slope=0.3), 2, 2),
    "triangle": (triangle(4), 6, 3),
    "square without corners": (crossed(5), 8, 4),
    "nothing alike": (lopsided(4), 1, 1),
    "a cell at one side": (with_cell(crossed(5), "b2", "b3", "c2", "c3"), 2, 1),
    "a line": (shaped("line", 3, [(0, 0), (0, 1), (0, 2)], FOUR_AROUND, lambda r, c: (float(c), r)), 2, 2),
    "a point": (shaped("point", 1, [(0, 0)], FOUR_AROUND, lambda r, c: (float(c), float(r))), 1, 1),
}


@pytest.mark.parametrize(("board", "count", "turns"), OTHER_SHAPES.values(), ids=OTHER_SHAPES)
def test_a_board_of_any_shape_has_the_symmetries_that_it_has(board, count, turns):
    symmetries = board.symmetries
    assert symmetries[0] == tuple(range(board.points))
    assert len(symmetries) == len(set(symmetries)) == count
    assert board.turns == turns
    for symmetry in symmetries:
        assert sorted(symmetry) == list(range(board.points))
        for point, beside in enumerate(board.neighbours):
            assert {symmetry[p] for p in beside} == set(board.neighbours[symmetry[point]])
        assert all(tuple(symmetry[p] for p in after) in symmetries for after in symmetries)
    assert len(board.cell_symmetries) == count


def test_a_symmetry_takes_cells_along():
    board = with_cell(crossed(5), "b2", "b3", "c2", "c3")
    for on_points, on_cells in zip(board.symmetries, board.cell_symmetries, strict=True):
        assert on_cells == (0,)
        assert {on_points[point] for point in board.cells[0].points} == set(board.cells[0].points)


def test_tables_of_a_board_that_do_not_fit_together_are_refused():
    board = letter_board(4)
    with pytest.raises(ValueError, match="a name of its own, a place and neighbours for each"):
        replace(board, names=("a1",) * board.points)
    with pytest.raises(ValueError, match="a name of its own, a place and neighbours for each"):
        replace(board, places=board.places[1:])
    with pytest.raises(ValueError, match="the board has 4 rows of points and 3 labels for them"):
        replace(board, rows=("1", "2", "3"))
    with pytest.raises(ValueError, match="the board has 4 columns of points and 5 labels for them"):
        replace(board, columns=tuple("abcde"))
