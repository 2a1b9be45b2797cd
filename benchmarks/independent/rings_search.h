/* The search that solves Rings for two on side 2. What it leaves out, and why that is correct:

   1. Of two positions with the same empty points and the same player to act, the one with more stones of a
      player is at least as good for that player: they have no less influence anywhere and no fewer rings,
      and the other player no more. Each placement and conversion of either preserves this. So converting more
      never hurts, and conversions stay possible after others: a turn converts until nothing is left.
   2. Two points that belong to the same circle and to no other are equivalent: of two empty ones, only one is
      tried, and the key doesn't record which of two different stones is on which.
   3. The stones of a ring stay. A circle can no longer be lost, or no longer be gained, if that follows from the
      stones in rings, the rings next to it, and the most that the other player can still add.
   4. The twelve rotations and reflections have the same value. A table entry holds all stones of the smallest of
      the twelve, so two positions are never confused. */

enum { SOLVED_SIDE = 2, N_POINTS = 24, N_CIRCLES = 7, N_IMAGES = 12, HALF = 12, N_ALIKE = 12 };

typedef uint32_t Points;
typedef uint64_t Entry;
enum { BOUND_BITS = 4, WORK_BITS = 6, BUCKET = 8, LEAST_MARGIN = -N_CIRCLES, MARGIN_STEP = 1 };
#include "table.h"

enum { BOARD = (1 << N_POINTS) - 1, FIRST_ALIKE = 0x555 }; /* points 2i, 2i + 1 are equivalent, i = 0 to 5 */

static int bit_of_point[N_POINTS];
static Points circle_points[N_CIRCLES];
static int circles_beside[N_CIRCLES]; /* a set */
static Points image_of_half[N_IMAGES][2][1 << HALF];

static int count(uint32_t set) { return __builtin_popcount(set); }
static int first(uint32_t set) { return __builtin_ctz(set); }

/* ---- the board as bits ---- */

static int circles_of(int point, int *only) {
    int n = 0;
    for (int circle = 0; circle < N_CIRCLES; circle++)
        for (int i = 0; i < 6; i++)
            if (points_of_circle[circle][i] == point) n++, *only = circle;
    return n;
}

static void number_points(void) {
    int next = 0, only = 0, other;
    bool numbered[N_POINTS] = {false};
    for (int circle = 0; circle < N_CIRCLES; circle++)
        for (int point = 0; point < N_POINTS; point++)
            if (circles_of(point, &only) == 1 && only == circle) {
                bit_of_point[point] = next++;
                numbered[point] = true;
            }
    if (next != N_ALIKE) fail("the board has other points than expected", "");
    for (int point = 0; point < N_POINTS; point++)
        if (!numbered[point] && circles_of(point, &other)) bit_of_point[point] = next++;
}

/* Uses cube coordinates, scaled so that they are integers; they add up to 0. */
static int image_of_point(int point, int image) {
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    const int column = column_of[point], down = row_of[point] - 2 * side; /* the middle is in row 2 * side */
    const int cube[3] = {2 * column, -column + 3 * down, -column - 3 * down};
    const int *order = orders[image % 6], sign = image < 6 ? 1 : -1;
    const int x = sign * cube[order[0]], y = sign * cube[order[1]], z = sign * cube[order[2]];
    for (int to = 0; to < N_POINTS; to++)
        if (2 * column_of[to] == x && 6 * (row_of[to] - 2 * side) == y - z) return to;
    fail("a rotation or reflection leaves the board", "");
    return 0;
}

static void set_up_search(int megabytes) {
    number_points();
    for (int circle = 0; circle < N_CIRCLES; circle++) {
        for (int i = 0; i < 6; i++) circle_points[circle] |= 1u << bit_of_point[points_of_circle[circle][i]];
        for (int i = 0; i < n_neighbours[circle]; i++) circles_beside[circle] |= 1 << neighbours_of[circle][i];
    }
    for (int image = 0; image < N_IMAGES; image++)
        for (int point = 0; point < N_POINTS; point++) {
            const int from = bit_of_point[point], to = bit_of_point[image_of_point(point, image)];
            for (int i = 0; i < 1 << HALF; i++)
                if (i & 1 << from % HALF) image_of_half[image][from / HALF][i] |= 1u << to;
        }
    set_up_table(megabytes);
}

static Points image_of(Points points, int image) {
    return image_of_half[image][0][points & ((1 << HALF) - 1)] | image_of_half[image][1][points >> HALF];
}

/* Orders the stones on two equivalent points: mine, theirs, none. */
static Entry key_in_order(Points mine, Points theirs) {
    const Points mine_swaps = mine >> 1 & ~mine, theirs_swaps = theirs >> 1 & ~theirs & ~mine & ~(mine >> 1);
    const Points swaps = (mine_swaps | theirs_swaps) & FIRST_ALIKE;
    const Points m = (mine ^ mine >> 1) & swaps, t = (theirs ^ theirs >> 1) & swaps;
    return (Entry)(mine ^ (m | m << 1)) << N_POINTS | (theirs ^ (t | t << 1));
}

static Entry key_of(Points mine, Points theirs, int passes) {
    Entry smallest = ~(Entry)0;
    for (int image = 0; image < N_IMAGES; image++) {
        const Entry key = key_in_order(image_of(mine, image), image_of(theirs, image));
        if (key < smallest) smallest = key;
    }
    return smallest << 2 | (Entry)passes << 1 | 1;
}

/* ---- influence ---- */

static int rings_in(Points stones) {
    int rings = 0;
    for (int circle = 0; circle < N_CIRCLES; circle++)
        if (!(circle_points[circle] & ~stones)) rings |= 1 << circle;
    return rings;
}

static Points points_of_rings(int rings) {
    Points points = 0;
    for (; rings; rings &= rings - 1) points |= circle_points[first((uint32_t)rings)];
    return points;
}

/* Returns the influence of `mine` on a circle, minus everything that counts against it. */
static int surplus(int circle, Points mine, int my_rings, int their_rings) {
    const Points points = circle_points[circle];
    const int against = count(points & ~mine) + count((uint32_t)(circles_beside[circle] & their_rings));
    return count(points & mine) + count((uint32_t)(circles_beside[circle] & my_rings)) - against;
}

/* Converts until nothing is left to convert. */
static void convert_all(Points *mine, Points *theirs) {
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        const int their_rings = rings_in(*theirs);
        const Points open = *theirs & ~points_of_rings(their_rings);
        for (int circle = 0; circle < N_CIRCLES; circle++) {
            const Points taken = circle_points[circle] & open & *theirs;
            if (!taken || surplus(circle, *mine, rings_in(*mine), their_rings) <= 0) continue;
            *mine |= taken;
            *theirs &= ~taken;
            goes_on = true;
        }
    }
}

static int margin_of(Points mine, Points theirs) {
    const int my_rings = rings_in(mine), their_rings = rings_in(theirs);
    int margin = 0;
    for (int circle = 0; circle < N_CIRCLES; circle++) {
        margin += surplus(circle, mine, my_rings, their_rings) > 0;
        margin -= surplus(circle, theirs, their_rings, my_rings) > 0;
    }
    return margin;
}

/* Returns the highest margin that a player can still reach: see 3. */
static int best_margin(Points theirs) {
    const int their_rings = rings_in(theirs);
    const Points their_safe = points_of_rings(their_rings);
    int open_to_me = 0, margin = 0;
    for (int circle = 0; circle < N_CIRCLES; circle++)
        if (!(circle_points[circle] & their_safe)) open_to_me |= 1 << circle;
    for (int circle = 0; circle < N_CIRCLES; circle++) {
        const Points points = circle_points[circle];
        const int beside = circles_beside[circle];
        const int most_mine = count(points & ~their_safe) + count((uint32_t)(beside & open_to_me));
        const int least_against = count(points & their_safe) + count((uint32_t)(beside & their_rings));
        if (most_mine > least_against) margin++;
        else if (least_against > most_mine) margin--;
    }
    return margin;
}

/* ---- the search ---- */

typedef struct {
    Points mine, theirs; /* of the player who acts next */
    int passes, order;
    Entry key, *bucket;
    Bounds bounds;
} Child;

/* Returns the position after a stone of mine (0: a pass) and all conversions, from the other player's view. */
static Child child_after(Points mine, Points theirs, Points stone, int passes) {
    mine |= stone;
    convert_all(&mine, &theirs);
    return (Child){.mine = theirs, .theirs = mine, .passes = stone ? 0 : passes + 1};
}

/* Rates a position for the player who has just acted. */
static int rating(const Child *child) {
    const int mine = rings_in(child->theirs), theirs = rings_in(child->mine);
    int rated = 40 * (count((uint32_t)mine) - count((uint32_t)theirs)) - (child->passes ? 20 : 0);
    for (int circle = 0; circle < N_CIRCLES; circle++) {
        const int for_me = surplus(circle, child->theirs, mine, theirs);
        const int for_them = surplus(circle, child->mine, theirs, mine);
        rated += 20 * ((for_me > 0) - (for_them > 0)) + for_me - for_them;
    }
    return rated;
}

/* Collects the children that no bound decides. If one reaches the goal, sets `best` to its bound and returns 0. */
static int open_children(Points mine, Points theirs, int passes, int goal, Child *children, int *best) {
    const Points empty = BOARD & ~(mine | theirs);
    Points stones = empty & ~((empty & FIRST_ALIKE) << 1); /* of two equivalent ones, the first */
    int n = 0, n_open = 0;
    for (bool goes_on = true; goes_on; stones &= stones - 1) {
        goes_on = stones != 0;
        Child child = child_after(mine, theirs, stones & -stones, passes);
        positions_looked_at++;
        const bool over = child.passes == 2;
        const int high = over ? margin_of(child.theirs, child.mine) : best_margin(child.mine);
        const int low = over ? high : -best_margin(child.theirs);
        if (low >= goal) return *best = low, 0;
        if (high >= goal) {
            child.key = key_of(child.mine, child.theirs, child.passes);
            child.bucket = bucket_of(child.key);
            __builtin_prefetch(child.bucket);
            children[n++] = child;
        } else if (high > *best) {
            *best = high;
        }
    }
    for (int i = 0; i < n; i++) {
        const Bounds bounds = look_up(children[i].bucket, children[i].key, N_CIRCLES);
        if (-bounds.high >= goal) return *best = -bounds.high, 0;
        children[i].bounds = bounds;
        children[i].order = rating(children + i);
        if (-bounds.low >= goal) children[n_open++] = children[i];
        else if (-bounds.low > *best) *best = -bounds.low;
    }
    return n_open;
}

static Child take_first(Child *children, int n) {
    int first = 0;
    for (int i = 1; i < n; i++)
        if (children[i].order > children[first].order) first = i;
    const Child taken = children[first];
    children[first] = children[n - 1];
    return taken;
}

/* Returns a bound on the margin of the player to act: a lower bound if it is at least `goal`, else an upper bound. */
static int search(Points mine, Points theirs, int passes, int goal) {
    Child children[N_POINTS + 1];
    int best = -N_CIRCLES, n = open_children(mine, theirs, passes, goal, children, &best);
    for (; n > 0 && best < goal; n--) {
        Child child = take_first(children, n);
        const uint64_t before = positions_looked_at;
        const int value = search(child.mine, child.theirs, child.passes, 1 - goal);
        if (value >= 1 - goal) child.bounds.low = value;
        else child.bounds.high = value;
        keep(child.bucket, child.key, child.bounds, positions_looked_at - before);
        if (-value > best) best = -value;
        show_progress("rings");
    }
    return best;
}

/* Returns the margin of the player to act, at the start of a turn. */
static int exact_margin(Points mine, Points theirs, int passes) {
    int low = -N_CIRCLES, high = N_CIRCLES, goal = 1;
    while (low < high) {
        const int value = search(mine, theirs, passes, goal);
        if (value >= goal) low = value;
        else high = value;
        fprintf(stderr, "rings: the margin of the player to act is %d to %d\n", low, high);
        goal = low >= goal ? high : low + 1;
    }
    return low;
}

static int value_for_player_0(const Position *position, int megabytes) {
    if (side != SOLVED_SIDE || n_players != 2) fail("only boards of side 2 are solved, for two players", "");
    if (!table) set_up_search(megabytes);
    if (position->passes == 2) return lead_of_player_0(position);
    const int player = position->player;
    Points mine = 0, theirs = 0;
    for (int point = 0; point < N_POINTS; point++) {
        const Points stone = 1u << bit_of_point[point];
        if (position->stones[point] == player) mine |= stone;
        else if (position->stones[point] != EMPTY) theirs |= stone;
    }
    int passes = position->passes, sign = player == 0 ? 1 : -1;
    if (position->converts) { /* the rest of this turn: see 1 */
        const Points mine_before = mine;
        mine = theirs;
        theirs = mine_before;
        convert_all(&theirs, &mine);
        passes = position->has_placed ? 0 : passes + 1;
        sign = -sign;
        if (passes == 2) return sign * margin_of(mine, theirs);
    }
    return sign * exact_margin(mine, theirs, passes);
}
