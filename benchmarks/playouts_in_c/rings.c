/* Rings: every action updates each circle's bit masks of stones, its influence and who can convert it. */

typedef struct {
    int8_t stones[MAX_POINTS];
    int8_t to_move, converting, passes;
    Set empties;
    /* for each circle, a bit per point */
    uint8_t occupied[MAX_CIRCLES], safe[MAX_CIRCLES], own[MAX_PLAYERS][MAX_CIRCLES];
    int8_t influence[MAX_PLAYERS][MAX_CIRCLES];
    int8_t shares[MAX_CIRCLES];   /* the sum of all influence and empty points */
    int8_t majority[MAX_CIRCLES]; /* who has it, or NOBODY */
    int8_t majorities[MAX_PLAYERS];
    int8_t convertible_by[MAX_CIRCLES];
    Set convertible[MAX_PLAYERS]; /* circles */
} State;

static void reset(const Board *b, State *s) {
    memset(s, 0, sizeof *s);
    memset(s->stones, EMPTY, b->points);
    fill(&s->empties, b->points);
    memset(s->shares, 6, b->circles);
    memset(s->majority, NOBODY, b->circles);
    memset(s->convertible_by, NOBODY, b->circles);
}

static int over(const Board *b, const State *s) { return s->passes >= b->players && !s->converting; }

static int sample(const Board *b, const State *s, uint64_t *rng) {
    const Set *choices = s->converting ? &s->convertible[s->to_move] : &s->empties;
    int k = below(rng, choices->count + 1);
    if (k == choices->count) return b->points + s->converting;
    return choices->members[k] + (s->converting ? b->points + 2 : 0);
}

static void score(const Board *b, const State *s, double *out) {
    for (int player = 0; player < b->players; player++) out[player] = s->majorities[player];
}

/* The bits of the stones in a circle that a player could convert. */
static inline int opposing(const State *s, int circle, int player) {
    return s->occupied[circle] & ~(s->own[player][circle] | s->safe[circle]);
}

static void list_convertible(State *s, int circle, int player) {
    int before = s->convertible_by[circle];
    if (player == before) return;
    if (before != NOBODY) take_out(&s->convertible[before], circle);
    if (player != NOBODY) put_in(&s->convertible[player], circle);
    s->convertible_by[circle] = player;
}

static inline int is_majority(const State *s, int circle, int influence) {
    return 2 * influence > s->shares[circle];
}

/* Updates a circle's majority, and who can convert it, when only `gainer` gained influence there. */
static void review(State *s, int circle, int gainer) {
    int before = s->majority[circle], holder = before;
    if (is_majority(s, circle, s->influence[gainer][circle])) {
        holder = gainer;
    } else if (before != NOBODY && !is_majority(s, circle, s->influence[before][circle])) {
        holder = NOBODY;
    }
    if (holder != before) {
        s->majority[circle] = holder;
        if (before != NOBODY) s->majorities[before]--;
        if (holder != NOBODY) s->majorities[holder]++;
    }
    list_convertible(s, circle, holder != NOBODY && opposing(s, circle, holder) ? holder : NOBODY);
}

static void make_ring(const Board *b, State *s, int ring, int player) {
    for (int i = 0; i < 6; i++) {
        int p = b->points_of[ring][i];
        for (int k = 0; k < b->circles_of_count[p]; k++) s->safe[b->circles_of[p][k]] |= b->bits[p][k];
    }
    for (int i = 0; i < b->beside_count[ring]; i++) {
        int circle = b->beside[ring][i];
        s->influence[player][circle]++;
        s->shares[circle]++;
        review(s, circle, player);
    }
    review(s, ring, player);
}

/* Counts a new stone in all circles round it. */
static void count(const Board *b, State *s, int p, int player) {
    for (int k = 0; k < b->circles_of_count[p]; k++) {
        int circle = b->circles_of[p][k], bit = b->bits[p][k], holder = s->majority[circle];
        s->occupied[circle] |= bit;
        s->own[player][circle] |= bit;
        int influence = ++s->influence[player][circle];
        if (s->own[player][circle] == FULL) {
            make_ring(b, s, circle, player);
        } else if (holder == NOBODY) {
            if (is_majority(s, circle, influence)) review(s, circle, player);
        } else if (holder != player && !(s->safe[circle] & bit)) {
            list_convertible(s, circle, holder);
        }
    }
}

/* Turns one stone in all circles round it. */
static void turn(const Board *b, State *s, int p, int player) {
    int loser = s->stones[p];
    s->stones[p] = player;
    for (int k = 0; k < b->circles_of_count[p]; k++) {
        int circle = b->circles_of[p][k], bit = b->bits[p][k], holder = s->majority[circle];
        s->own[loser][circle] ^= bit;
        s->own[player][circle] |= bit;
        int left = --s->influence[loser][circle], influence = ++s->influence[player][circle];
        if (s->own[player][circle] == FULL) {
            make_ring(b, s, circle, player);
        } else if (holder == player) {
            if (!opposing(s, circle, player)) list_convertible(s, circle, NOBODY);
        } else if (holder == loser && is_majority(s, circle, left)) {
            if (!(s->safe[circle] & bit)) list_convertible(s, circle, loser);
        } else if (holder == loser || is_majority(s, circle, influence)) {
            review(s, circle, player);
        }
    }
}

static void play(const Board *b, State *s, int action) {
    int mover = s->to_move;
    if (action < b->points) {
        s->passes = 0;
        s->stones[action] = mover;
        take_out(&s->empties, action);
        count(b, s, action, mover);
    } else if (action == b->points) {
        s->passes++;
    } else if (action > b->points + 1) {
        int circle = action - b->points - 2;
        for (int turning = opposing(s, circle, mover); turning; turning &= turning - 1) {
            turn(b, s, b->points_of[circle][__builtin_ctz(turning)], mover);
        }
    }
    s->converting = action != b->points + 1 && s->convertible[mover].count > 0;
    if (!s->converting) s->to_move = mover + 1 == b->players ? 0 : mover + 1;
}
