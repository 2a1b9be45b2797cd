/* Lin: bit masks of rows and columns tell which points are in a line; a flood fill from beside a new stone looks
 * for pieces that reach no such point.
 */

typedef struct {
    int8_t stones[MAX_POINTS];
    int8_t to_move;
    int16_t counts[2];
    Set open[2]; /* the empty points of a player's living domains; the place of any other point is CLOSED */
    /* for each player and row or column, a bit per point: free of enemy stones; in a line of free points */
    int32_t free_in_row[2][MAX_SIZE], free_in_column[2][MAX_SIZE];
    int32_t lin_in_row[2][MAX_SIZE], lin_in_column[2][MAX_SIZE];
} State;

static uint16_t piece[MAX_POINTS];
static int64_t seen[MAX_POINTS + 1], floods; /* the number of the last flood that reached the point; of all */

static void reset(const Board *b, State *s) {
    memset(s->stones, EMPTY, b->points);
    for (int player = 0; player < 2; player++) {
        fill(&s->open[player], b->points);
        for (int i = 0; i < b->side; i++) {
            s->free_in_row[player][i] = s->free_in_column[player][i] = (1 << b->side) - 1;
            s->lin_in_row[player][i] = s->lin_in_column[player][i] = (1 << b->side) - 1;
        }
        s->counts[player] = 0;
    }
    s->to_move = 0;
}

static int over(const Board *b, const State *s) {
    return s->open[0].count + s->open[1].count + s->counts[0] + s->counts[1] == b->points;
}

static int sample(const Board *b, const State *s, uint64_t *rng) {
    const Set *open = &s->open[s->to_move];
    return open->members[below(rng, open->count)];
}

static void score(const Board *b, const State *s, double *out) {
    out[0] = s->counts[0] + s->open[0].count;
    out[1] = s->counts[1] + s->open[1].count + b->komi;
}

static inline int is_open(const State *s, int player, int p) {
    return s->open[player].places[p] != (uint16_t)CLOSED;
}

static void close(State *s, int player, int p) {
    take_out(&s->open[player], p);
    s->open[player].places[p] = (uint16_t)CLOSED;
}

/* Returns the points of a row or column in runs of free points of at least the line length. */
static inline int32_t lines(const Board *b, int32_t free) {
    int32_t starts = free & free >> 1;
    starts &= starts >> b->first_shift;
    starts &= starts >> b->second_shift;
    int32_t points = starts | starts << b->second_shift;
    points |= points << b->first_shift;
    return points | points << 1;
}

static inline int in_line(const Board *b, const State *s, int player, int p) {
    int row = b->row[p], column = b->column[p];
    return (s->lin_in_row[player][row] >> column | s->lin_in_column[player][column] >> row) & 1;
}

/* Updates a player's lines through a point where an enemy stone was placed or removed. */
static void block(const Board *b, State *s, int player, int p) {
    int row = b->row[p], column = b->column[p];
    s->free_in_row[player][row] ^= 1 << column;
    s->free_in_column[player][column] ^= 1 << row;
    s->lin_in_row[player][row] = lines(b, s->free_in_row[player][row]);
    s->lin_in_column[player][column] = lines(b, s->free_in_column[player][column]);
}

static void take(const Board *b, State *s, int p, int mover) {
    if (s->stones[p] == EMPTY) {
        close(s, 1 - mover, p);
    } else {
        s->stones[p] = EMPTY;
        s->counts[1 - mover]--;
        block(b, s, mover, p);
    }
    if (!is_open(s, mover, p)) put_in(&s->open[mover], p);
}

/* Writes the piece round `start` without the mover's stones, and returns its size; 0 if it is alive. */
static int dead_piece(const Board *b, const State *s, int start, int mover, int64_t first_flood) {
    int size = 1;
    seen[OUTSIDE] = seen[start] = floods;
    piece[0] = start;
    for (int done = 0; done < size; done++) {
        for (int k = 0; k < 4; k++) {
            int q = b->beside[piece[done]][k];
            if (seen[q] == floods || s->stones[q] == mover) continue;
            if (seen[q] >= first_flood || in_line(b, s, 1 - mover, q)) return 0;
            seen[q] = floods;
            piece[size++] = q;
        }
    }
    return size;
}

static void take_dead_pieces(const Board *b, State *s, int p) {
    int mover = s->stones[p];
    int64_t first_flood = floods + 1;
    for (int k = 0; k < 4; k++) {
        int start = b->beside[p][k];
        if (start == OUTSIDE || s->stones[start] == mover || in_line(b, s, 1 - mover, start)) continue;
        if (seen[start] >= first_flood) continue;
        floods++;
        int size = dead_piece(b, s, start, mover, first_flood);
        for (int i = 0; i < size; i++) take(b, s, piece[i], mover);
    }
}

static void play(const Board *b, State *s, int p) {
    int mover = s->to_move, enemy = 1 - mover, contested = is_open(s, enemy, p);
    close(s, mover, p);
    s->stones[p] = mover;
    s->counts[mover]++;
    block(b, s, enemy, p);
    if (contested) {
        close(s, enemy, p);
        take_dead_pieces(b, s, p);
    }
    s->to_move = enemy;
}
