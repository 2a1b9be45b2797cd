/* A search's transposition table: bounds on the margins of positions, with the whole key of each position.

   The including file first defines Entry, LEAST_MARGIN, MARGIN_STEP, BOUND_BITS, WORK_BITS and BUCKET. An entry is
   the key, the lower bound, the upper bound, and the logarithm of the work behind it; no key is 0. */

enum { KEY_SHIFT = 2 * BOUND_BITS + WORK_BITS, BOUND_MASK = (1 << BOUND_BITS) - 1, WORK_MASK = (1 << WORK_BITS) - 1 };

typedef struct {
    int low, high;
} Bounds; /* of the margin, for the player to act */

static Entry *table;
static uint64_t n_buckets;

static void set_up_table(int megabytes) {
    n_buckets = ((uint64_t)megabytes << 20) / (BUCKET * sizeof *table);
    if (megabytes < 1) fail("the table needs at least", "1 MB");
    table = aligned_alloc(BUCKET * sizeof *table, n_buckets * BUCKET * sizeof *table);
    if (!table) fail("there is not enough memory", "");
    memset(table, 0, n_buckets * BUCKET * sizeof *table);
}

static Entry *bucket_of(Entry key) {
    uint64_t mixed = ((uint64_t)key ^ (uint64_t)(key >> 16 >> 16)) * 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93u;
    return table + (uint64_t)((unsigned __int128)mixed * n_buckets >> 64) * BUCKET;
}

static Bounds look_up(const Entry *bucket, Entry key, int most_margin) {
    for (int i = 0; i < BUCKET; i++)
        if (bucket[i] >> KEY_SHIFT == key) {
            const int low = (int)(bucket[i] >> (BOUND_BITS + WORK_BITS)) & BOUND_MASK;
            const int high = (int)(bucket[i] >> WORK_BITS) & BOUND_MASK;
            return (Bounds){MARGIN_STEP * low + LEAST_MARGIN, MARGIN_STEP * high + LEAST_MARGIN};
        }
    return (Bounds){LEAST_MARGIN, most_margin};
}

/* Replaces the entry of the same position, or else the one with the least work behind it. */
static void keep(Entry *bucket, Entry key, Bounds bounds, uint64_t work) {
    Entry *into = bucket;
    if (key << KEY_SHIFT >> KEY_SHIFT != key) fail("a key is too long for an entry", "");
    for (int i = 0; i < BUCKET; i++) {
        if (bucket[i] >> KEY_SHIFT == key) {
            into = bucket + i;
            break;
        }
        if ((bucket[i] & WORK_MASK) < (*into & WORK_MASK)) into = bucket + i;
    }
    int effort = 64 - __builtin_clzll(work | 1);
    if (effort > WORK_MASK) effort = WORK_MASK;
    const Entry low = (Entry)((bounds.low - LEAST_MARGIN) / MARGIN_STEP);
    const Entry high = (Entry)((bounds.high - LEAST_MARGIN) / MARGIN_STEP);
    *into = key << KEY_SHIFT | low << (BOUND_BITS + WORK_BITS) | high << WORK_BITS | (Entry)effort;
}
