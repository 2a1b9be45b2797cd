/* Lin, written from its author's page. The rules are implemented literally, on boards up to 19x19.
   Boards of the size set at compile time (-DSIZE=5) can be solved: see lin_search.h. */

#include "protocol.h"

enum { LARGEST = 19, MOST_POINTS = LARGEST * LARGEST };

struct Position {
    int8_t stones[MOST_POINTS]; /* EMPTY, 0 or 1; points go row by row from the bottom left */
    int player;
};

static int side, line_length;

/* ---- the rules ---- */

/* Collects the maximal connected set of points that contains `from` and no stone of `enemy`. */
static int collect_domain(const Position *position, int from, int enemy, bool *seen, int *points) {
    int n = 0;
    points[n++] = from;
    seen[from] = true;
    for (int i = 0; i < n; i++) {
        const int x = points[i] % side, y = points[i] / side;
        const int around[4][2] = {{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}};
        for (int j = 0; j < 4; j++) {
            const int to_x = around[j][0], to_y = around[j][1], to = to_y * side + to_x;
            if (to_x < 0 || to_y < 0 || to_x >= side || to_y >= side) continue;
            if (seen[to] || position->stones[to] == enemy) continue;
            seen[to] = true;
            points[n++] = to;
        }
    }
    return n;
}

static bool holds_line(const bool *inside, int x, int y, int step_x, int step_y) {
    for (int i = 0; i < line_length; i++, x += step_x, y += step_y)
        if (x >= side || y >= side || !inside[y * side + x]) return false;
    return true;
}

/* Marks the points in a player's living domains, and returns their number. */
static int living_points(const Position *position, int player, bool *living) {
    bool seen[MOST_POINTS] = {false};
    int points[MOST_POINTS], count = 0;
    memset(living, 0, MOST_POINTS * sizeof *living);
    for (int from = 0; from < side * side; from++) {
        if (seen[from] || position->stones[from] == 1 - player) continue;
        const int n = collect_domain(position, from, 1 - player, seen, points);
        bool inside[MOST_POINTS] = {false}, alive = false;
        for (int i = 0; i < n; i++) inside[points[i]] = true;
        for (int i = 0; i < n && !alive; i++) {
            const int x = points[i] % side, y = points[i] / side;
            alive = holds_line(inside, x, y, 1, 0) || holds_line(inside, x, y, 0, 1);
        }
        if (!alive) continue;
        for (int i = 0; i < n; i++) living[points[i]] = true;
        count += n;
    }
    return count;
}

static bool start(Position *position, const int *options, int n_options) {
    if (n_options != 2 || options[0] < 1 || options[0] > LARGEST) return false;
    if (options[1] < 1 || options[1] > options[0]) return false;
    side = options[0];
    line_length = options[1];
    memset(position->stones, EMPTY, sizeof position->stones);
    position->player = 0;
    return true;
}

static int list_actions(const Position *position, int *actions) {
    bool living[2][MOST_POINTS], over = true;
    int n = 0;
    for (int player = 0; player < 2; player++) living_points(position, player, living[player]);
    for (int point = 0; point < side * side; point++) {
        if (living[0][point] && living[1][point]) over = false;
        if (position->stones[point] == EMPTY && living[position->player][point]) actions[n++] = point;
    }
    return over ? 0 : n;
}

static void play(Position *position, int action) {
    const int enemy = 1 - position->player;
    bool living[MOST_POINTS];
    position->stones[action] = (int8_t)position->player;
    living_points(position, enemy, living);
    for (int point = 0; point < side * side; point++)
        if (position->stones[point] == enemy && !living[point]) position->stones[point] = EMPTY;
    position->player = enemy;
}

static int n_points(void) { return side * side; }

static int stone_at(const Position *position, int point) { return position->stones[point]; }

static void spell_point(int point, char *text) {
    snprintf(text, MOST_TEXT, "%c%d", 'a' + point % side, point / side + 1);
}

static void spell(int action, char *text) { spell_point(action, text); }

static int lead_of_player_0(const Position *position) {
    bool living[MOST_POINTS];
    return living_points(position, 0, living) - living_points(position, 1, living);
}

static int player_to_act(const Position *position) { return position->player; }

#include "lin_search.h"

static Points points_living(const Position *position, int player) {
    bool living[MOST_POINTS];
    Points points = 0;
    living_points(position, player, living);
    for (int point = 0; point < side * side; point++)
        if (living[point]) points |= (Points)1 << point;
    return points;
}

static int value_for_player_0(const Position *position, int megabytes) {
    if (side != SIZE) fail("this program was compiled to solve boards of another size", "");
    const int player = position->player;
    const Points mine = points_living(position, player), theirs = points_living(position, 1 - player);
    const int margin = exact_margin(mine, theirs, megabytes);
    return player == 0 ? margin : -margin;
}

#include "main.h"
