/* The search that solves Lin. What it leaves out, and why that is correct:

   1. A position is two sets of points: those in living domains of the player to act (`mine`) and of the other
      player (`theirs`). Stones on points of only one set change nothing: they are no part of the other player's
      living domains, whose maximal connected sets stay the same; and an empty point there that the owner loses
      is lost together with the stones around it. A point in both sets (contested) is empty.
   2. Every point is in at least one set. The program checks this after every placement, and stops otherwise.
   3. Of two positions with the same player to act, the one with more of `mine` and less of `theirs` is at least as
      good for that player: each move of either player preserves this, and a move that isn't possible in the better
      position can be replaced by any other. So a placement on a point in the player's own set only, which changes
      neither set, is never needed; nor is a placement whose sets are dominated by another placement's.
      For the same reason having the turn is never worse than leaving it to the other player.
   4. Points that are only mine and connected, through such points, to a whole line of them stay mine to the end.
      So does everything that they cut off from every line of the other player.
   5. The eight rotations and reflections of a board have the same value. A table entry holds all bits of both sets
      of the smallest of the eight, so two positions are never confused. */

#ifndef SIZE
#define SIZE 5
#endif

enum { N_POINTS = SIZE * SIZE, N_IMAGES = 8, CHUNK = 13, N_CHUNKS = (N_POINTS + CHUNK - 1) / CHUNK };

#if SIZE <= 5
typedef uint32_t Points;
typedef uint64_t Entry; /* mine, theirs, lower bound, upper bound, work: all 64 bits */
enum { BOUND_BITS = 5, WORK_BITS = 4, BUCKET = 8 };
#else
typedef uint64_t Points;
typedef unsigned __int128 Entry;
enum { BOUND_BITS = 6, WORK_BITS = 6, BUCKET = 4 };
#endif

enum { LEAST_MARGIN = -N_POINTS, MARGIN_STEP = 2 }; /* all margins are odd */
#include "table.h"

#define BOARD ((Points)(((uint64_t)1 << N_POINTS) - 1))

/* ---- sets of points ---- */

static Points left_column, right_column, line_columns, lines[2 * N_POINTS];
static int n_lines;

static int count(Points points) { return __builtin_popcountll(points); }
static int first(Points points) { return __builtin_ctzll(points); }
static Points point_set(int point) { return (Points)1 << point; }

static Points fill_from(Points seeds, Points within) {
    for (;;) {
        const Points beside = (seeds & ~right_column) << 1 | (seeds & ~left_column) >> 1;
        const Points more = (seeds | seeds << SIZE | seeds >> SIZE | beside) & within;
        if (more == seeds) return seeds;
        seeds = more;
    }
}

/* Returns the points of all whole lines within a set. */
static Points lines_within(Points within) {
    Points across = within & line_columns, up = within, covered = 0;
    for (int i = 1; i < line_length; i++) {
        across &= within >> i;
        up &= within >> (i * SIZE);
    }
    for (int i = 0; i < line_length; i++) covered |= across << i | up << (i * SIZE);
    return covered;
}

static Points living(Points within) { return fill_from(lines_within(within), within); }

static void set_up_lines(void) {
    n_lines = 0;
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++) {
            Points across = 0, up = 0;
            for (int i = 0; i < line_length; i++) {
                if (x + line_length <= SIZE) across |= point_set(y * SIZE + x + i);
                if (y + line_length <= SIZE) up |= point_set((y + i) * SIZE + x);
            }
            if (across) lines[n_lines++] = across;
            if (up) lines[n_lines++] = up;
            if (x == 0) left_column |= point_set(y * SIZE);
            if (x == SIZE - 1) right_column |= point_set(y * SIZE + x);
            if (x + line_length <= SIZE) line_columns |= point_set(y * SIZE + x);
        }
}

/* ---- keys ---- */

static Points images_of_chunk[N_IMAGES][N_CHUNKS][1 << CHUNK];

static int image_of_point(int point, int image) {
    int x = point % SIZE, y = point / SIZE;
    if (image & 1) x = SIZE - 1 - x;
    if (image & 2) y = SIZE - 1 - y;
    return image & 4 ? x * SIZE + y : y * SIZE + x;
}

static void set_up_images(void) {
    for (int image = 0; image < N_IMAGES; image++)
        for (int point = 0; point < N_POINTS; point++) {
            Points *chunk = images_of_chunk[image][point / CHUNK];
            const int low = 1 << point % CHUNK;
            for (int i = 0; i < 1 << CHUNK; i++)
                if (i & low) chunk[i] |= point_set(image_of_point(point, image));
        }
}

static Points image_of(Points points, int image) {
    Points all = 0;
    for (int i = 0; i < N_CHUNKS; i++)
        all |= images_of_chunk[image][i][points >> (i * CHUNK) & ((1 << CHUNK) - 1)];
    return all;
}

static Entry key_of(Points mine, Points theirs) {
    Entry smallest = ~(Entry)0;
    for (int image = 0; image < N_IMAGES; image++) {
        const Entry key = (Entry)image_of(mine, image) << N_POINTS | image_of(theirs, image);
        if (key < smallest) smallest = key;
    }
    return smallest;
}

/* ---- the search ---- */

typedef struct {
    Points mine, theirs; /* of the player who acts next */
    Entry key, *bucket;
    Bounds bounds;
    int point, order;
} Child;

/* By point, the work below placements that reached their goal; and the largest of these. */
static uint64_t history[N_POINTS], most_history = 1;

/* Returns the position after a stone of mine, from the other player's point of view. */
static Child child_at(Points mine, Points theirs, int point) {
    const Points open = theirs & ~point_set(point), left = living(open);
    if (left != open) {
        mine = living(BOARD & ~(left & ~mine));
        if ((mine | left) != BOARD) fail("a point is in no living domain", "");
    }
    return (Child){.mine = left, .theirs = mine, .point = point};
}

/* Returns how many points are certain to be mine at the end: see 4. */
static int points_for_good(Points theirs) {
    const Points settled = living(BOARD & ~theirs);
    return settled ? N_POINTS - count(living(BOARD & ~settled)) : 0;
}

static bool beats(const Child *a, const Child *b) {
    return !(a->mine & ~b->mine) && !(b->theirs & ~a->theirs);
}

static int without_beaten(Child *children, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != j && beats(children + i, children + j)) {
                children[j] = children[--n];
                if (i == n) i = j;
                j--;
            }
    return n;
}

/* Rates placements: best are those on lines that are nearly mine or nearly theirs, and those that take much. */
static void rate(Child *children, int n, Points mine, Points theirs) {
    int promise[N_POINTS] = {0};
    const Points contested = mine & theirs;
    for (int i = 0; i < n_lines; i++) {
        int weight = 0;
        if (!(lines[i] & ~mine)) weight += 1 << (2 * count(lines[i] & ~theirs));
        if (!(lines[i] & ~theirs)) weight += 1 << (2 * count(lines[i] & ~mine));
        if (weight)
            for (Points left = lines[i] & contested; left; left &= left - 1) promise[first(left)] += weight;
    }
    for (int i = 0; i < n; i++) {
        const int taken = count(theirs & ~children[i].mine) - 1 + count(children[i].theirs & ~mine);
        const int proved = (int)(1000 * history[children[i].point] / most_history);
        children[i].order = promise[children[i].point] + 300 * taken + proved;
    }
}

/* Collects the placements that no bound decides. If one reaches the goal, sets `best` to its bound and returns 0. */
static int open_children(Points mine, Points theirs, int goal, Child *children, int *best) {
    int n = 0, n_open = 0;
    for (Points contested = mine & theirs; contested; contested &= contested - 1) {
        const Child child = child_at(mine, theirs, first(contested));
        positions_looked_at++;
        const int low = 2 * points_for_good(child.mine) - N_POINTS;
        const int high = N_POINTS - 2 * points_for_good(child.theirs);
        if (low >= goal) return *best = low, 0;
        if (high >= goal) children[n++] = child;
        else if (high > *best) *best = high;
    }
    n = without_beaten(children, n);
    for (int i = 0; i < n; i++) {
        children[i].key = key_of(children[i].mine, children[i].theirs);
        children[i].bucket = bucket_of(children[i].key);
        __builtin_prefetch(children[i].bucket);
    }
    for (int i = 0; i < n; i++) {
        const Bounds bounds = look_up(children[i].bucket, children[i].key, N_POINTS);
        if (-bounds.high >= goal) return *best = -bounds.high, 0;
        children[i].bounds = bounds;
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
static int search(Points mine, Points theirs, int goal) {
    Child children[N_POINTS];
    int best = -N_POINTS, n = open_children(mine, theirs, goal, children, &best);
    if (n > 1) rate(children, n, mine, theirs);
    for (; n > 0; n--) {
        Child child = take_first(children, n);
        const uint64_t before = positions_looked_at;
        const int value = search(child.mine, child.theirs, 2 - goal);
        const uint64_t work = positions_looked_at - before;
        if (value >= 2 - goal) child.bounds.low = value;
        else child.bounds.high = value;
        keep(child.bucket, child.key, child.bounds, work);
        if (-value > best) best = -value;
        if (work > 1000000) show_progress("lin");
        if (best < goal) continue;
        history[child.point] += work;
        if (history[child.point] > most_history) most_history = history[child.point];
        break;
    }
    return best;
}

static void set_up_search(int megabytes) {
    static int solved_length;
    if (solved_length == line_length) return;
    if (solved_length) fail("one run solves positions of one board", "");
    solved_length = line_length;
    set_up_lines();
    set_up_images();
    set_up_table(megabytes);
}

static int exact_margin(Points mine, Points theirs, int megabytes) {
    set_up_search(megabytes);
    if ((mine | theirs) != BOARD) fail("a point is in no living domain", "");
    if (!(mine & theirs)) return count(mine) - count(theirs);
    int low = -N_POINTS, high = N_POINTS, goal = 1;
    while (low < high) {
        const int value = search(mine, theirs, goal);
        if (value >= goal) low = value;
        else high = value;
        fprintf(stderr, "lin: the margin of the player to act is %d to %d\n", low, high);
        goal = value >= goal ? low + 2 : high;
    }
    return low;
}
