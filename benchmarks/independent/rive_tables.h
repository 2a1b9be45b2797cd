/* Solves Rive without a search:

   The rest of a game depends only on the stones, the player to act, and any unfinished capture.
   The legal placements and removals depend on which cells are occupied, not on colours.
   So there is one table for each set of occupied cells: the final margin of the player to act under best play,
   for every colouring of these cells. A table is computed from those of the sets that one placement, with its
   removals, leads to. The list of group sizes, largest first, grows with each placement, so no set leads back
   to itself; the program stops if one does.

   Entries are indexed by colouring, not hashed, so no two positions are confused. Sets that are rotations or
   reflections of each other share a table. Both players share it too, since the rules treat them alike. */

/* tables[occupied][colouring]: the margin of the player to act. Bit i of a colouring is set if that player has
   the stone on the i-th occupied cell. Only the smallest image of a set of cells has a table. */
static int8_t *tables[1 << MOST_SOLVED_CELLS];
static bool begun[1 << MOST_SOLVED_CELLS];

enum { HALF = 10 };

/* Maps the colourings of one set of cells to those of another set's image, as two halves of bits that are or-ed. */
typedef struct {
    const int8_t *table;
    uint32_t low[1 << HALF], high[1 << HALF];
} Step;

static Cells image_of(Cells cells, int symmetry) {
    Cells image = 0;
    for (; cells; cells &= cells - 1) image |= bit(images[symmetry][lowest(cells)]);
    return image;
}

static Cells smallest_image(Cells cells, int *symmetry) {
    Cells best = full_board + 1;
    for (int i = 0; i < SYMMETRIES; i++) {
        const Cells image = image_of(cells, i);
        if (image >= best) continue;
        best = image;
        *symmetry = i;
    }
    return best;
}

static uint32_t colouring_of(Cells mine, Cells occupied, int symmetry) {
    const Cells image = image_of(occupied, symmetry), coloured = image_of(mine, symmetry);
    uint32_t colouring = 0;
    int i = 0;
    for (Cells left = image; left; left &= left - 1, i++)
        if (coloured & bit(lowest(left))) colouring |= 1u << i;
    return colouring;
}

static const int8_t *table_for(Cells occupied, int *symmetry);

/* Prepares the step from colourings of `from` to those of `to`; in all of them the actor owns the stones `added`. */
static void prepare(Step *step, Cells from, Cells to, Cells added) {
    int symmetry, n = size(from), cells[MOST_SOLVED_CELLS], i = 0;
    step->table = table_for(to, &symmetry);
    for (Cells left = from; left; left &= left - 1) cells[i++] = lowest(left);
    for (int half = 0; half < 2; half++) {
        uint32_t *map = half ? step->high : step->low;
        const int first = half ? HALF : 0, length = n - first < HALF ? n - first : HALF;
        map[0] = half ? 0 : colouring_of(added & to, to, symmetry);
        for (i = 0; i < length; i++) {
            const Cells stone = bit(cells[first + i]) & to;
            const uint32_t changed = stone ? colouring_of(stone, to, symmetry) : 0;
            for (uint32_t j = 0; j < 1u << i; j++) map[j | 1u << i] = map[j] | changed;
        }
    }
}

static int8_t value_after(const Step *step, uint32_t colouring) {
    return step->table[step->low[colouring & ((1 << HALF) - 1)] | step->high[colouring >> HALF]];
}

static void take_best(int8_t *table, Cells from, Cells to, Cells added, bool turn_ends) {
    static Step step; /* `prepare` computes other tables before it writes into this */
    const uint32_t n = 1u << size(from);
    prepare(&step, from, to, added);
    for (uint32_t colouring = 0; colouring < n; colouring++) {
        const int8_t value = turn_ends ? -value_after(&step, n - 1 - colouring) : value_after(&step, colouring);
        if (value > table[colouring]) table[colouring] = value;
    }
}

/* Visits every connected part of `group` that has `n` cells, as the occupied set `rest` | part. */
typedef void Visit(Cells occupied, void *context);

static void visit_parts(Cells group, int n, Cells rest, Visit *visit, void *context) {
    int cells[MOST_SOLVED_CELLS], m = 0;
    for (Cells left = group; left; left &= left - 1) cells[m++] = lowest(left);
    for (uint32_t chosen = (1u << n) - 1; chosen < 1u << m;) {
        Cells part = 0;
        for (uint32_t left = chosen; left; left &= left - 1) part |= bit(cells[__builtin_ctz(left)]);
        if (connected(part)) visit(rest | part, context);
        const uint32_t low = chosen & -chosen, up = chosen + low; /* the next combination of the same size */
        chosen = (((up ^ chosen) >> 2) / low) | up;
    }
}

typedef struct {
    int8_t *table;
    Cells from, added;
} Capture;

static void take_capture(Cells occupied, void *context) {
    const Capture *capture = context;
    take_best(capture->table, capture->from, occupied, capture->added, false);
}

static void fill(int8_t *table, Cells occupied) {
    const uint32_t n = 1u << size(occupied);
    if (occupied == full_board) {
        for (uint32_t colouring = 0; colouring < n; colouring++)
            table[colouring] = (int8_t)(2 * __builtin_popcount(colouring) - n_cells);
        return;
    }
    memset(table, -n_cells - 1, n);
    int smallest, n_groups;
    for (Cells left = placements(occupied, &smallest); left; left &= left - 1) {
        const int cell = lowest(left);
        const Cells with = occupied | bit(cell);
        largest_beside(cell, occupied, &n_groups);
        if (n_groups < 2) {
            take_best(table, occupied, with, 0, true);
            continue;
        }
        const Cells group = group_of(cell, with);
        Capture capture = {table, occupied, bit(cell)};
        visit_parts(group, smallest + 1, with & ~group, take_capture, &capture);
    }
}

static const int8_t *table_for(Cells occupied, int *symmetry) {
    const Cells image = smallest_image(occupied, symmetry);
    if (tables[image]) return tables[image];
    if (begun[image]) fail("a game can come back to the same occupied cells", "");
    begun[image] = true;
    int8_t *table = malloc((size_t)1 << size(image));
    if (!table) fail("there is not enough memory", "");
    fill(table, image);
    positions_looked_at += (uint64_t)1 << size(image);
    show_progress("rive");
    return tables[image] = table;
}

typedef struct {
    Cells mine;
    int best;
} Unfinished;

static void take_end_of_capture(Cells occupied, void *context) {
    Unfinished *unfinished = context;
    int symmetry;
    const int8_t *table = table_for(occupied, &symmetry);
    const int value = table[colouring_of(unfinished->mine & occupied, occupied, symmetry)];
    if (value > unfinished->best) unfinished->best = value;
}

static int value_for_player_0(const Position *position, int megabytes) {
    static int solved_side;
    (void)megabytes;
    if (n_cells > MOST_SOLVED_CELLS) fail("boards over side 3 are too large to solve", "");
    if (solved_side && solved_side != side) fail("one run solves positions of one board", "");
    solved_side = side;
    const Cells occupied = position->stones[0] | position->stones[1];
    Unfinished now = {position->stones[position->player], INT_MIN};
    if (position->to_remove) {
        const Cells group = group_of(lowest(position->newest), occupied);
        const int n = size(group) - position->to_remove;
        visit_parts(group, n, occupied & ~group, take_end_of_capture, &now);
    } else {
        take_end_of_capture(occupied, &now);
    }
    return position->player == 0 ? now.best : -now.best;
}
