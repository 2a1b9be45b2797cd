/* Random playouts of Rin in hand-written C, with the same algorithm and the same random numbers as
 * src/kakomi/games/rin/rules.py, so that plies and scores must agree exactly. It is the reference for
 * "machine-code speed".
 */
#include <stdint.h>

#define MAX_POINTS (18 * 18)
#define OUTSIDE MAX_POINTS
#define EMPTY (-1)
#define WALL (-2)

typedef struct {
    int points;
    uint16_t around[MAX_POINTS][8];
    uint16_t outwards[MAX_POINTS][4];
    int8_t safe[MAX_POINTS];
    int8_t arms[256];
} Board;

typedef struct {
    int8_t stones[MAX_POINTS + 1];
    int8_t to_move, left_in_turn;
    int16_t counts[2], empty_count;
    uint16_t empties[MAX_POINTS], place_in_empties[MAX_POINTS];
    uint16_t links[2][MAX_POINTS];
} State;

static uint16_t stack[4 * MAX_POINTS], region[MAX_POINTS];
static int64_t seen[MAX_POINTS + 1], floods;

static inline uint64_t draw(uint64_t *rng) {
    uint64_t x = *rng;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return *rng = x;
}

static void reset(const Board *b, State *s) {
    for (int p = 0; p < b->points; p++) {
        s->stones[p] = EMPTY;
        s->empties[p] = s->place_in_empties[p] = p;
        s->links[0][p] = s->links[1][p] = p;
    }
    for (int p = b->points; p <= MAX_POINTS; p++) s->stones[p] = WALL;
    s->to_move = 0;
    s->left_in_turn = 1;
    s->counts[0] = s->counts[1] = 0;
    s->empty_count = b->points;
}

static inline int group(State *s, int player, int p) {
    uint16_t *link = s->links[player];
    while (link[p] != p) p = link[p] = link[link[p]];
    return p;
}

static void put(State *s, int p, int player) {
    s->stones[p] = player;
    s->counts[player]++;
    uint16_t last = s->empties[--s->empty_count];
    s->empties[s->place_in_empties[p]] = last;
    s->place_in_empties[last] = s->place_in_empties[p];
}

static void join_around(const Board *b, State *s, int p) {
    int mover = s->stones[p], root = group(s, mover, p);
    for (int k = 0; k < 8; k++) {
        int q = b->around[p][k];
        if (s->stones[q] == mover) {
            int other = group(s, mover, q);
            if (other != root) s->links[mover][other] = root;
        }
    }
}

static int may_close_ring(const Board *b, State *s, int p) {
    int mover = s->stones[p], mask = 0;
    for (int k = 0; k < 8; k++) mask |= (s->stones[b->around[p][k]] == mover) << k;
    if (!mask) return 0;
    if (b->arms[mask] < 2) {
        s->links[mover][p] = group(s, mover, b->around[p][__builtin_ctz(mask)]);
        return 0;
    }
    int start = 0, closes = 0, in_arm = 0;
    while (mask >> start & 1) start += 2;
    for (int step = 0; step < 8; step++) {
        int k = (start + step) & 7;
        if (mask >> k & 1) {
            if (!in_arm) {
                in_arm = 1;
                int root = group(s, mover, b->around[p][k]), own = group(s, mover, p);
                closes |= root == own;
                s->links[mover][own] = root;
            }
        } else if (!(k & 1)) {
            in_arm = 0;
        }
    }
    return closes;
}

static int enclosed(const Board *b, State *s, int start, int mover, int64_t first_flood) {
    int height = 1, size = 0;
    seen[start] = floods;
    stack[0] = start;
    while (height) {
        int p = stack[--height];
        if (b->safe[p]) return 0;
        region[size++] = p;
        for (int k = 0; k < 4; k++) {
            int q = b->outwards[p][k];
            if (s->stones[q] == mover || seen[q] == floods) continue;
            if (seen[q] >= first_flood) return 0;
            seen[q] = floods;
            stack[height++] = q;
        }
    }
    return size;
}

static void fill_rings(const Board *b, State *s, int p) {
    int mover = s->stones[p];
    int64_t first_flood = floods + 1;
    for (int k = 0; k < 8; k += 2) {
        int start = b->around[p][k];
        if (start == OUTSIDE || s->stones[start] == mover || seen[start] >= first_flood) continue;
        floods++;
        int size = enclosed(b, s, start, mover, first_flood);
        for (int i = 0; i < size; i++) {
            int q = region[i];
            if (s->stones[q] == EMPTY) {
                put(s, q, mover);
            } else {
                s->stones[q] = mover;
                s->counts[mover]++;
                s->counts[1 - mover]--;
            }
        }
        for (int i = 0; i < size; i++) join_around(b, s, region[i]);
    }
}

/* Plays n games and returns the number of plies; `final_scores` gets each player's stones in the last game. */
int64_t playouts(const Board *b, uint64_t *rng, double *final_scores, int64_t n) {
    static State state;
    State *s = &state;
    int64_t plies = 0;
    for (int64_t game = 0; game < n; game++) {
        reset(b, s);
        while (s->empty_count) {
            int p = s->empties[((draw(rng) >> 32) * (uint64_t)s->empty_count) >> 32];
            int mover = s->to_move;
            put(s, p, mover);
            if (may_close_ring(b, s, p)) fill_rings(b, s, p);
            if (--s->left_in_turn == 0) {
                s->to_move = 1 - mover;
                s->left_in_turn = 2;
            }
            plies++;
        }
        final_scores[0] = s->counts[0];
        final_scores[1] = s->counts[1];
    }
    return plies;
}
