/* Ren: each colour has a bit mask per row and per column, which show runs, boxes and surrounded stones. */

typedef struct {
    int8_t stones[MAX_POINTS];
    int8_t to_move, replacements, passes, nine_box;
    int16_t rui_count, rui[8]; /* weak stones, which may be replaced now */
    int32_t points[2];
    Set empties;
    int32_t rows[2][MAX_SIZE + 2 * PADDING]; /* the bit of column c is c + LONGEST_SCORED */
    int32_t columns[2][MAX_SIZE];            /* the bit of row r is r + LONGEST_SCORED */
} State;

static const int orthogonal[] = {1, 3, 4, 6}; /* indices in `around` */

static void reset(const Board *b, State *s) {
    memset(s, 0, sizeof *s);
    memset(s->stones, EMPTY, b->points);
    fill(&s->empties, b->points);
}

static int over(const Board *b, const State *s) {
    int lead = s->points[0] < s->points[1] ? s->points[1] - s->points[0] : s->points[0] - s->points[1];
    return s->empties.count == 0 || s->passes == 2 || s->nine_box || (b->lead > 0 && lead >= b->lead);
}

static int sample(const Board *b, const State *s, uint64_t *rng) {
    int n = below(rng, s->empties.count + s->rui_count + 1);
    if (n < s->empties.count) return s->empties.members[n];
    n -= s->empties.count;
    return n < s->rui_count ? s->rui[n] : b->points;
}

static void score(const Board *b, const State *s, double *out) {
    out[0] = s->points[0];
    out[1] = s->points[1];
}

static inline void flip(const Board *b, State *s, int p, int player) {
    int row = b->row_of[p], column = b->column_of[p];
    s->rows[player][row + PADDING] ^= 1 << (column + LONGEST_SCORED);
    s->columns[player][column] ^= 1 << (row + LONGEST_SCORED);
}

static void put(const Board *b, State *s, int p, int player) {
    flip(b, s, p, player);
    s->stones[p] = player;
    take_out(&s->empties, p);
}

/* Whether an enemy stone beside a new stone has only the mover's stones and the edge on its four sides. */
static int surrounds(const Board *b, const State *s, int p, int mover) {
    int row = b->row_of[p];
    const int32_t *own = s->rows[mover] + row, *enemy = s->rows[1 - mover] + row, *outside = b->outside + row;
    int32_t lowest = own[0] | outside[0], lower = own[1] | outside[1], middle = own[2] | outside[2];
    int32_t upper = own[3] | outside[3], highest = own[4] | outside[4];
    int32_t here = 1 << (b->column_of[p] + LONGEST_SCORED);
    int32_t below_it = enemy[1] & here & lowest & middle & lower << 1 & lower >> 1;
    int32_t beside_it = enemy[2] & (here << 1 | here >> 1) & lower & upper & middle << 1 & middle >> 1;
    int32_t above_it = enemy[3] & here & middle & highest & upper << 1 & upper >> 1;
    return (below_it | beside_it | above_it) != 0;
}

static int closed_sides(const Board *b, const State *s, int p, int by) {
    int closed = 0;
    for (int i = 0; i < 4; i++) {
        int q = b->around[p][orthogonal[i]];
        closed += q == OUTSIDE || s->stones[q] == by;
    }
    return closed;
}

/* Removes the stones that a new one surrounds. Returns the niban, placed if the stone is then in atari. */
static int capture(const Board *b, State *s, int p, int mover) {
    int captured = NOWHERE;
    for (int i = 0; i < 4; i++) {
        int q = b->around[p][orthogonal[i]];
        if (q == OUTSIDE || s->stones[q] != 1 - mover || closed_sides(b, s, q, mover) < 4) continue;
        captured = q;
        flip(b, s, q, 1 - mover);
        s->stones[q] = EMPTY;
        put_in(&s->empties, q);
    }
    if (closed_sides(b, s, p, 1 - mover) != 3) return NOWHERE;
    put(b, s, captured, mover);
    return captured;
}

static int in_four_box(const int32_t *rows, int column) {
    int shift = column + LONGEST_SCORED - 1; /* the adjacent columns become bits 0 and 2 */
    int32_t with_lower = (rows[1] & rows[2]) >> shift, with_upper = (rows[2] & rows[3]) >> shift;
    return ((with_lower & with_lower >> 1) | (with_upper & with_upper >> 1)) & 3;
}

/* Which of the five columns round a square are full in two rows, or three, from `down` rows below up. */
static inline int two_high(const int32_t *rows, int column, int down) {
    return (rows[2 - down] & rows[3 - down]) >> (column + LONGEST_SCORED - 2) & 31;
}

static inline int three_high(const int32_t *rows, int column, int down) {
    return two_high(rows, column, down) & two_high(rows, column, down - 1);
}

static int in_nine_box(const int32_t *rows, int column) {
    for (int down = 0; down < 3; down++) {
        int columns = three_high(rows, column, down);
        if (columns & columns >> 1 & columns >> 2) return 1;
    }
    return 0;
}

static inline int tall_sixes(const int32_t *rows, int column, int down) {
    int columns = three_high(rows, column, down);
    return columns & columns >> 1 & 6; /* left columns of boxes that contain the middle of five */
}

/* Returns 2 points per box of six, and 1 per box of four that is in none of them. */
static int box_points(const int32_t *rows, int column) {
    int points = 0;
    for (int down = 0; down < 3; down++) points += 2 * __builtin_popcount(tall_sixes(rows, column, down));
    for (int down = 0; down < 2; down++) {
        int pairs = two_high(rows, column, down), wide_sixes = pairs & pairs >> 1 & pairs >> 2;
        int tall = tall_sixes(rows, column, down) | tall_sixes(rows, column, down + 1);
        int fours = pairs & pairs >> 1 & 6 & ~(wide_sixes | wide_sixes << 1 | tall);
        points += 2 * __builtin_popcount(wide_sixes) + __builtin_popcount(fours);
    }
    return points;
}

static int completed(const Board *b, const State *s, int p, int mover) {
    int row = b->row_of[p], column = b->column_of[p];
    const int32_t *rows = s->rows[mover] + row;
    int points = b->run_points[rows[2] >> column & WINDOW];
    points += b->run_points[s->columns[mover][column] >> row & WINDOW];
    if (!in_four_box(rows, column)) return points;
    return in_nine_box(rows, column) ? NINE_BOX : points + box_points(rows, column);
}

static void win_by_nine_box(State *s, int mover) {
    int own = s->points[mover], others = s->points[1 - mover];
    s->points[mover] = (own < others ? others : own) + 10;
    s->points[1 - mover] = own < others ? own : others;
    s->nine_box = 1;
}

static void play(const Board *b, State *s, int p) {
    int mover = s->to_move, niban = NOWHERE;
    s->to_move = 1 - mover;
    s->rui_count = 0;
    if (p == b->points) {
        s->passes++;
        return;
    }
    s->passes = 0;
    if (s->stones[p] == EMPTY) {
        s->replacements = 0;
        put(b, s, p, mover);
        if (surrounds(b, s, p, mover)) niban = capture(b, s, p, mover);
    } else {
        s->replacements++;
        flip(b, s, p, 1 - mover);
        flip(b, s, p, mover);
        s->stones[p] = mover;
    }
    int points = completed(b, s, p, mover);
    if (points == NINE_BOX) {
        win_by_nine_box(s, mover);
    } else if (points) {
        s->points[mover] += points;
        if (s->replacements >= b->rui_limit) return;
        for (int k = 0; k < 8; k++) {
            int q = b->around[p][k];
            if (q != OUTSIDE && q != niban && s->stones[q] == mover) s->rui[s->rui_count++] = q;
        }
    }
}
