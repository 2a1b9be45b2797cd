/* Rin, written from its author's document, and solved on 4x4 by plain minimax without pruning.

   The table has a slot for every board of empty points, stones of the player to act and stones of the other
   player, with one or two stones left in the turn. Slots are numbered in base three instead of hashed, so no
   two positions are confused. The eight rotations and reflections of a board share a slot. */

#include "protocol.h"

enum { LARGEST = 18, MOST_POINTS = LARGEST * LARGEST };

struct Position {
    int8_t stones[MOST_POINTS]; /* EMPTY, 0 or 1; points go row by row from the top left */
    int player, stones_left, n_empty;
};

static int side;

/* ---- the rules ---- */

static bool start(Position *position, const int *options, int n_options) {
    if (n_options != 1 || options[0] < 4 || options[0] > LARGEST || options[0] % 2) return false;
    side = options[0];
    memset(position->stones, EMPTY, sizeof position->stones);
    position->player = 0;
    position->stones_left = 1; /* the very first turn is one stone */
    position->n_empty = side * side;
    return true;
}

static int list_actions(const Position *position, int *actions) {
    int n = 0;
    for (int point = 0; point < side * side; point++)
        if (position->stones[point] == EMPTY) actions[n++] = point;
    return n;
}

/* Collects the maximal region without the player's stones that contains `from`; returns whether it is safe. */
static bool collect_region(const Position *position, int from, bool *seen, int *points, int *n) {
    bool safe = false;
    *n = 0;
    points[(*n)++] = from;
    seen[from] = true;
    for (int i = 0; i < *n; i++) {
        const int row = points[i] / side, column = points[i] % side;
        if (row == 0 || column == 0 || row == side - 1 || column == side - 1) safe = true;
        const int around[4][2] = {{row - 1, column}, {row + 1, column}, {row, column - 1}, {row, column + 1}};
        for (int j = 0; j < 4; j++) {
            const int to = around[j][0] * side + around[j][1];
            if (around[j][0] < 0 || around[j][1] < 0 || around[j][0] >= side || around[j][1] >= side) continue;
            if (seen[to] || position->stones[to] == position->player) continue;
            seen[to] = true;
            points[(*n)++] = to;
        }
    }
    return safe;
}

static void play(Position *position, int action) {
    bool seen[MOST_POINTS] = {false};
    int points[MOST_POINTS], n;
    position->stones[action] = (int8_t)position->player;
    for (int from = 0; from < side * side; from++) {
        if (seen[from] || position->stones[from] == position->player) continue;
        if (collect_region(position, from, seen, points, &n)) continue;
        for (int i = 0; i < n; i++) position->stones[points[i]] = (int8_t)position->player;
    }
    position->n_empty = 0;
    for (int point = 0; point < side * side; point++) position->n_empty += position->stones[point] == EMPTY;
    if (--position->stones_left == 0) {
        position->player ^= 1;
        position->stones_left = 2;
    }
}

static int n_points(void) { return side * side; }

static int stone_at(const Position *position, int point) { return position->stones[point]; }

static void spell_point(int point, char *text) { snprintf(text, MOST_TEXT, "%d,%d", point / side, point % side); }

static void spell(int action, char *text) { spell_point(action, text); }

static int lead_of_player_0(const Position *position) {
    int lead = 0;
    for (int point = 0; point < side * side; point++)
        if (position->stones[point] != EMPTY) lead += position->stones[point] == 0 ? 1 : -1;
    return lead;
}

static int player_to_act(const Position *position) { return position->player; }

/* ---- the values of 4x4 ---- */

enum { N_POINTS = 16, N_PLACES = 43046721, N_IMAGES = 8, UNKNOWN = INT8_MAX };
enum { BOARD = 0xFFFF, INNER = 0x0660, LEFT = 0x1111, RIGHT = 0x8888 };

static int8_t *values[2]; /* [stones left - 1][place]: the margin of the player to act */
static int counted[N_IMAGES][2][256]; /* by image, the sum of 3^point over half a board */

static void set_up_places(void) {
    int power[N_POINTS] = {1};
    for (int i = 1; i < N_POINTS; i++) power[i] = 3 * power[i - 1];
    for (int image = 0; image < N_IMAGES; image++)
        for (int point = 0; point < N_POINTS; point++) {
            int row = point / 4, column = point % 4;
            if (image & 1) row = 3 - row;
            if (image & 2) column = 3 - column;
            const int to = image & 4 ? column * 4 + row : row * 4 + column;
            for (int i = 0; i < 256; i++)
                if (i & 1 << point % 8) counted[image][point / 8][i] += power[to];
        }
    for (int left = 0; left < 2; left++) {
        values[left] = malloc(N_PLACES);
        if (!values[left]) fail("there is not enough memory", "");
        memset(values[left], UNKNOWN, N_PLACES);
    }
}

static int place_of(int mine, int theirs) {
    int smallest = N_PLACES;
    for (int image = 0; image < N_IMAGES; image++) {
        int(*half)[256] = counted[image];
        const int place = half[0][mine & 255] + half[1][mine >> 8] + 2 * (half[0][theirs & 255] + half[1][theirs >> 8]);
        if (place < smallest) smallest = place;
    }
    return smallest;
}

/* Returns the points that the player's stones cut off from the edge. */
static int rings_inside(int mine) {
    const int open = BOARD & ~mine;
    int outside = open & ~INNER;
    for (int more = 0; more != outside;) {
        more = outside;
        outside |= (more << 4 | more >> 4 | (more & ~RIGHT) << 1 | (more & ~LEFT) >> 1) & open;
    }
    return open & ~outside;
}

static int margin_of(int mine, int theirs, int stones_left) {
    const int empty = BOARD & ~(mine | theirs);
    if (!empty) return __builtin_popcount(mine) - __builtin_popcount(theirs);
    int8_t *known = &values[stones_left - 1][place_of(mine, theirs)];
    if (*known != UNKNOWN) return *known;
    int best = -N_POINTS;
    for (int left = empty; left; left &= left - 1) {
        const int stone = left & -left, inside = rings_inside(mine | stone);
        const int now_mine = mine | stone | inside, now_theirs = theirs & ~inside;
        const int margin =
            stones_left == 2 ? margin_of(now_mine, now_theirs, 1) : -margin_of(now_theirs, now_mine, 2);
        if (margin > best) best = margin;
    }
    positions_looked_at++;
    show_progress("rin");
    *known = (int8_t)best;
    return best;
}

static int value_for_player_0(const Position *position, int megabytes) {
    (void)megabytes;
    if (side != 4) fail("boards over 4x4 are too large to solve", "");
    if (!values[0]) set_up_places();
    int stones[2] = {0, 0};
    for (int point = 0; point < N_POINTS; point++)
        if (position->stones[point] != EMPTY) stones[position->stones[point]] |= 1 << point;
    const int player = position->player;
    const int margin = margin_of(stones[player], stones[1 - player], position->stones_left);
    return player == 0 ? margin : -margin;
}

#include "main.h"
