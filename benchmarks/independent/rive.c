/* Rive, written from its author's rule sheet. Boards up to side 3 can be solved: see rive_tables.h. */

#include "protocol.h"

enum { MOST_CELLS = 61, MOST_SIDE = 5, MOST_SOLVED_CELLS = 19, SYMMETRIES = 12, NOWHERE = -1 };

typedef uint64_t Cells;

struct Position {
    Cells stones[2];
    Cells newest;  /* one cell of the group that a capture shrinks; 0 if there is none */
    int to_remove; /* the number of stones still to remove */
    int player;
};

static int side, n_cells;
static Cells neighbours[MOST_CELLS], full_board;
static int row_of[MOST_CELLS], place_of[MOST_CELLS], column_of[MOST_CELLS]; /* columns in half cells */
static int images[SYMMETRIES][MOST_CELLS];

static Cells bit(int cell) { return (Cells)1 << cell; }
static int size(Cells cells) { return __builtin_popcountll(cells); }
static int lowest(Cells cells) { return __builtin_ctzll(cells); }

/* ---- the board ---- */

static int cell_at(int row, int column) {
    for (int cell = 0; cell < n_cells; cell++)
        if (row_of[cell] == row && column_of[cell] == column) return cell;
    return NOWHERE;
}

static void set_up_neighbours(void) {
    static const int steps[6][2] = {{0, 2}, {0, -2}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    for (int cell = 0; cell < n_cells; cell++) {
        neighbours[cell] = 0;
        for (int i = 0; i < 6; i++) {
            const int next = cell_at(row_of[cell] + steps[i][0], column_of[cell] + steps[i][1]);
            if (next != NOWHERE) neighbours[cell] |= bit(next);
        }
    }
}

/* Cube coordinates add up to 0; permuting them and negating all three gives a hexagon's twelve symmetries. */
static void set_up_images(void) {
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    for (int symmetry = 0; symmetry < SYMMETRIES; symmetry++)
        for (int cell = 0; cell < n_cells; cell++) {
            const int up = row_of[cell] - (side - 1), across = (column_of[cell] - up) / 2;
            const int cube[3] = {up, across, -up - across};
            const int *order = orders[symmetry % 6], sign = symmetry < 6 ? 1 : -1;
            const int new_up = sign * cube[order[0]], new_across = sign * cube[order[1]];
            images[symmetry][cell] = cell_at(new_up + side - 1, 2 * new_across + new_up);
        }
}

static void set_up_board(int new_side) {
    if (side == new_side) return;
    side = new_side;
    n_cells = 0;
    for (int row = 0; row < 2 * side - 1; row++) {
        const int from_middle = abs(row - (side - 1)), length = 2 * side - 1 - from_middle;
        for (int i = 0; i < length; i++, n_cells++) {
            row_of[n_cells] = row;
            place_of[n_cells] = i;
            column_of[n_cells] = 2 * i - (length - 1);
        }
    }
    full_board = bit(n_cells) - 1;
    set_up_neighbours();
    set_up_images();
}

/* ---- the rules ---- */

/* Returns the connected part of `cells` that contains `cell`. */
static Cells group_of(int cell, Cells cells) {
    Cells group = bit(cell), fresh = group;
    while (fresh) {
        Cells reached = 0;
        for (; fresh; fresh &= fresh - 1) reached |= neighbours[lowest(fresh)];
        fresh = reached & cells & ~group;
        group |= fresh;
    }
    return group;
}

static bool connected(Cells cells) { return cells && group_of(lowest(cells), cells) == cells; }

/* Returns the size of the largest group next to an empty cell; `n_groups` gets the number of these groups. */
static int largest_beside(int cell, Cells occupied, int *n_groups) {
    int largest = 0;
    *n_groups = 0;
    for (Cells left = neighbours[cell] & occupied; left; ++*n_groups) {
        const Cells group = group_of(lowest(left), occupied);
        if (size(group) > largest) largest = size(group);
        left &= ~group;
    }
    return largest;
}

/* Returns the cells where a stone may be placed: those whose largest neighbouring group is smallest. */
static Cells placements(Cells occupied, int *smallest) {
    Cells best = 0;
    *smallest = INT_MAX;
    for (Cells left = full_board & ~occupied; left; left &= left - 1) {
        int n_groups;
        const int largest = largest_beside(lowest(left), occupied, &n_groups);
        if (largest < *smallest) {
            *smallest = largest;
            best = 0;
        }
        if (largest == *smallest) best |= bit(lowest(left));
    }
    return best;
}

static bool start(Position *position, const int *options, int n_options) {
    if (n_options != 1 || options[0] < 2 || options[0] > MOST_SIDE) return false;
    set_up_board(options[0]);
    memset(position, 0, sizeof *position);
    return true;
}

static int list_actions(const Position *position, int *actions) {
    const Cells occupied = position->stones[0] | position->stones[1];
    int n = 0, smallest;
    if (!position->to_remove) {
        for (Cells left = placements(occupied, &smallest); left; left &= left - 1) actions[n++] = lowest(left);
        return n;
    }
    const Cells group = group_of(lowest(position->newest), occupied);
    for (Cells left = group; left; left &= left - 1)
        if (connected(group & ~bit(lowest(left)))) actions[n++] = n_cells + lowest(left);
    return n;
}

static void play(Position *position, int action) {
    const Cells occupied = position->stones[0] | position->stones[1];
    if (action >= n_cells) {
        const Cells removed = bit(action - n_cells), group = group_of(action - n_cells, occupied) & ~removed;
        position->stones[0] &= ~removed;
        position->stones[1] &= ~removed;
        position->newest = --position->to_remove ? group & -group : 0;
        return;
    }
    int n_groups;
    const int largest = largest_beside(action, occupied, &n_groups);
    position->stones[position->player] |= bit(action);
    if (n_groups < 2) {
        position->player ^= 1;
        return;
    }
    position->to_remove = size(group_of(action, occupied | bit(action))) - (largest + 1);
    position->newest = bit(action);
}

static int n_points(void) { return n_cells; }

static int stone_at(const Position *position, int cell) {
    return position->stones[0] & bit(cell) ? 0 : position->stones[1] & bit(cell) ? 1 : EMPTY;
}

static void spell_point(int cell, char *text) {
    snprintf(text, MOST_TEXT - 1, "%c%d", 'a' + row_of[cell], place_of[cell] + 1);
}

static void spell(int action, char *text) {
    if (action >= n_cells) *text++ = 'x';
    spell_point(action % n_cells, text);
}

static int lead_of_player_0(const Position *position) {
    return size(position->stones[0]) - size(position->stones[1]);
}

static int player_to_act(const Position *position) { return position->player; }

#include "rive_tables.h"

#include "main.h"
