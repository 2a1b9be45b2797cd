/* Rings, written from its author's help text. Boards of side 2 can be solved for two players: see rings_search.h. */

#include "protocol.h"

enum { MOST_SIDE = 6, MOST_POINTS = 6 * MOST_SIDE * MOST_SIDE, MOST_CIRCLES = 91, MOST_PLAYERS = 6 };

struct Position {
    int8_t stones[MOST_POINTS]; /* EMPTY or a player */
    int player, passes;         /* consecutive passes, of finished turns */
    bool converts, has_placed;  /* whether the turn's first part is done, and whether it was a stone */
};

static int side, n_players, points_of_board, n_circles;
static int column_of[MOST_POINTS], row_of[MOST_POINTS]; /* half edges from the middle; rows from the top, from 1 */
static int circle_column[MOST_CIRCLES], circle_row[MOST_CIRCLES];
static int points_of_circle[MOST_CIRCLES][6];
static int neighbours_of[MOST_CIRCLES][6], n_neighbours[MOST_CIRCLES];

/* ---- the board ---- */

/* Columns are 1, 2, 4, 5, 7, 8, ... half edges right of the middle, and likewise left of it. */
static char letter_of(int column) {
    const int right = abs(column), place = right - 1 - right / 3;
    return (char)('A' + (column > 0 ? 2 * side + place : 2 * side - 1 - place));
}

static int point_at(int column, int row) {
    for (int point = 0; point < points_of_board; point++)
        if (column_of[point] == column && row_of[point] == row) return point;
    column_of[points_of_board] = column;
    row_of[points_of_board] = row;
    return points_of_board++;
}

static int shared_points(int a, int b) {
    int shared = 0;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) shared += points_of_circle[a][i] == points_of_circle[b][j];
    return shared;
}

static void set_up_board(int new_side) {
    static const int corners[6][2] = {{-1, -1}, {1, -1}, {-2, 0}, {2, 0}, {-1, 1}, {1, 1}};
    side = new_side;
    points_of_board = n_circles = 0;
    for (int column = -(side - 1); column < side; column++)
        for (int i = 0; i < 2 * side - 1 - abs(column); i++, n_circles++) {
            circle_column[n_circles] = 3 * column;
            circle_row[n_circles] = 2 + abs(column) + 2 * i;
            for (int j = 0; j < 6; j++)
                points_of_circle[n_circles][j] =
                    point_at(3 * column + corners[j][0], circle_row[n_circles] + corners[j][1]);
        }
    for (int a = 0; a < n_circles; a++) {
        n_neighbours[a] = 0;
        for (int b = 0; b < n_circles; b++)
            if (a != b && shared_points(a, b) == 2) neighbours_of[a][n_neighbours[a]++] = b;
    }
}

/* ---- the rules ---- */

static int stones_in(const Position *position, int circle, int player) {
    int n = 0;
    for (int i = 0; i < 6; i++) n += position->stones[points_of_circle[circle][i]] == player;
    return n;
}

static int influence(const Position *position, int circle, int player) {
    int total = stones_in(position, circle, player);
    for (int i = 0; i < n_neighbours[circle]; i++)
        total += stones_in(position, neighbours_of[circle][i], player) == 6;
    return total;
}

static bool has_majority(const Position *position, int circle, int player) {
    int against = stones_in(position, circle, EMPTY);
    for (int other = 0; other < n_players; other++)
        if (other != player) against += influence(position, circle, other);
    return influence(position, circle, player) > against;
}

static bool is_safe(const Position *position, int point) {
    for (int circle = 0; circle < n_circles; circle++) {
        bool inside = false;
        for (int i = 0; i < 6; i++) inside |= points_of_circle[circle][i] == point;
        if (inside && stones_in(position, circle, position->stones[point]) == 6) return true;
    }
    return false;
}

static bool is_convertible(const Position *position, int point) {
    const int owner = position->stones[point];
    return owner != EMPTY && owner != position->player && !is_safe(position, point);
}

static bool can_convert(const Position *position, int circle) {
    bool any = false;
    for (int i = 0; i < 6; i++) any |= is_convertible(position, points_of_circle[circle][i]);
    return any && has_majority(position, circle, position->player);
}

static bool start(Position *position, const int *options, int n_options) {
    if (n_options != 2 || options[0] < 2 || options[0] > MOST_SIDE) return false;
    if (options[1] < 2 || options[1] > MOST_PLAYERS) return false;
    if (side != options[0]) set_up_board(options[0]);
    n_players = options[1];
    memset(position, 0, sizeof *position);
    memset(position->stones, EMPTY, sizeof position->stones);
    return true;
}

/* Actions are the points, then the pass, the circles to convert, and the end of the turn. */
static int pass_action(void) { return points_of_board; }
static int first_conversion(void) { return points_of_board + 1; }
static int end_action(void) { return points_of_board + 1 + n_circles; }

static int list_actions(const Position *position, int *actions) {
    int n = 0;
    if (position->passes == n_players) return 0;
    if (!position->converts) {
        for (int point = 0; point < points_of_board; point++)
            if (position->stones[point] == EMPTY) actions[n++] = point;
        actions[n++] = pass_action();
        return n;
    }
    for (int circle = 0; circle < n_circles; circle++)
        if (can_convert(position, circle)) actions[n++] = first_conversion() + circle;
    actions[n++] = end_action();
    return n;
}

static void convert(Position *position, int circle) {
    bool taken[6];
    for (int i = 0; i < 6; i++) taken[i] = is_convertible(position, points_of_circle[circle][i]);
    for (int i = 0; i < 6; i++)
        if (taken[i]) position->stones[points_of_circle[circle][i]] = (int8_t)position->player;
}

static void end_turn(Position *position) {
    position->passes = position->has_placed ? 0 : position->passes + 1;
    position->player = (position->player + 1) % n_players;
    position->converts = position->has_placed = false;
}

static void play(Position *position, int action) {
    if (action < pass_action()) {
        position->stones[action] = (int8_t)position->player;
        position->has_placed = true;
    } else if (action >= first_conversion() && action < end_action()) {
        convert(position, action - first_conversion());
    }
    position->converts = true;
    bool any = false;
    for (int circle = 0; circle < n_circles && !any; circle++) any = can_convert(position, circle);
    if (action == end_action() || !any) end_turn(position);
}

static int n_points(void) { return points_of_board; }

static int stone_at(const Position *position, int point) { return position->stones[point]; }

static void spell_point(int point, char *text) {
    snprintf(text, MOST_TEXT, "%c%d", letter_of(column_of[point]), row_of[point]);
}

static void spell(int action, char *text) {
    if (action < pass_action()) {
        spell_point(action, text);
    } else if (action == pass_action() || action == end_action()) {
        snprintf(text, MOST_TEXT, action == end_action() ? "end" : "pass");
    } else {
        const int circle = action - first_conversion(), column = circle_column[circle];
        snprintf(text, MOST_TEXT, "x%c%c%d", letter_of(column - 1), letter_of(column + 1), circle_row[circle]);
    }
}

static int player_to_act(const Position *position) { return position->player; }

static int lead_of_player_0(const Position *position) {
    int scores[MOST_PLAYERS] = {0}, best = 0;
    for (int player = 0; player < n_players; player++) {
        for (int circle = 0; circle < n_circles; circle++) scores[player] += has_majority(position, circle, player);
        if (player && scores[player] > best) best = scores[player];
    }
    return scores[0] - best;
}

#include "rings_search.h"

#include "main.h"
