/* Rin: a union-find per colour proposes where a stone may have closed a ring, and a flood fill decides. */

typedef struct {
    int8_t stones[MAX_POINTS + 1];
    int8_t to_move, left_in_turn;
    int16_t counts[2];
    Set empties;
    uint16_t links[2][MAX_POINTS];
} State;

static uint16_t stack[4 * MAX_POINTS], region[MAX_POINTS];
static int64_t seen[MAX_POINTS], floods; /* the number of the last flood that reached the point; of all */

static void reset(const Board *b, State *s) {
    memset(s->stones, EMPTY, b->points);
    memset(s->stones + b->points, WALL, MAX_POINTS + 1 - b->points);
    for (int p = 0; p < b->points; p++) s->links[0][p] = s->links[1][p] = p;
    fill(&s->empties, b->points);
    s->counts[0] = s->counts[1] = 0;
    s->to_move = 0;
    s->left_in_turn = 1;
}

static int over(const Board *b, const State *s) { return s->empties.count == 0; }

static int sample(const Board *b, const State *s, uint64_t *rng) {
    return s->empties.members[below(rng, s->empties.count)];
}

static void score(const Board *b, const State *s, double *out) {
    out[0] = s->counts[0];
    out[1] = s->counts[1];
}

static inline int group(State *s, int player, int p) {
    uint16_t *link = s->links[player];
    while (link[p] != p) p = link[p] = link[link[p]];
    return p;
}

static void put(State *s, int p, int player) {
    s->stones[p] = player;
    s->counts[player]++;
    take_out(&s->empties, p);
}

static void join_around(const Board *b, State *s, int p) {
    int mover = s->stones[p], root = group(s, mover, p);
    for (int k = 0; k < 8; k++) {
        int q = b->around[p][k];
        if (s->stones[q] == mover) s->links[mover][group(s, mover, q)] = root;
    }
}

static int may_close_ring(const Board *b, State *s, int p) {
    int mover = s->stones[p], mask = 0, closes = 0;
    for (int k = 0; k < 8; k++) mask |= (s->stones[b->around[p][k]] == mover) << k;
    for (int starts = b->arms[mask]; starts; starts &= starts - 1) {
        int own = group(s, mover, p), other = group(s, mover, b->around[p][__builtin_ctz(starts)]);
        closes |= other == own;
        s->links[mover][own] = other;
    }
    return closes;
}

/* Writes the region round `start` without the mover's stones, and returns its size; 0 if it isn't enclosed. */
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

static void play(const Board *b, State *s, int p) {
    int mover = s->to_move;
    put(s, p, mover);
    if (may_close_ring(b, s, p)) fill_rings(b, s, p);
    if (--s->left_in_turn == 0) {
        s->to_move = 1 - mover;
        s->left_in_turn = 2;
    }
}
