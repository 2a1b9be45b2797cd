/* Rive: connected stones of both colours form groups, whose sizes and holes are kept. The arcs of stones round a
 * point tell how a stone there changes the number of holes, and whether a group without holes stays whole.
 */

typedef struct {
    int8_t stones[MAX_POINTS];
    int8_t to_move;
    int16_t excess;    /* stones still to be removed in a capture */
    int16_t shrinking; /* first point of the group from which they are removed, or NOWHERE */
    int16_t holes;     /* of that group */
    int16_t lowest;    /* size of the largest group beside any cell that may be played */
    int16_t counts[2];
    Set empties;
    Set choices; /* legal placements, without their places; in a capture, the shrinking group */
    uint8_t largest_beside[MAX_POINTS]; /* of empty points: size of the largest group they touch */
    uint8_t groups[MAX_POINTS + 1];     /* a group's name is one of its stones */
    uint8_t next[MAX_POINTS];           /* a circular list of each group's stones */
    uint8_t sizes[MAX_POINTS + 1];
    int8_t holes_of[MAX_POINTS];
} State;

/* The first direction, clockwise, of each arc of stones among six neighbours; none for a full ring. */
static inline int arc_starts(int mask) { return mask & ~(mask << 1 | mask >> 5); }

static inline int arcs(int mask) { return __builtin_popcount(arc_starts(mask)); }

static int stones_around(const Board *b, const State *s, int p) {
    int mask = 0;
    for (int k = 0; k < 6; k++) mask |= (s->groups[b->around[p][k]] != NO_GROUP) << k;
    return mask;
}

static int largest_group_around(const Board *b, const State *s, int p) {
    int largest = 0;
    for (int k = 0; k < 6; k++) {
        int size = s->sizes[s->groups[b->around[p][k]]];
        if (size > largest) largest = size;
    }
    return largest;
}

static int touches(const Board *b, const State *s, int p, int group) {
    int found = 0;
    for (int k = 0; k < 6; k++) found |= s->groups[b->around[p][k]] == group;
    return found;
}

/* Lists the groups that touch a point, at most three, and returns their number. */
static int list_groups_around(const Board *b, const State *s, int p, int neighbours, int *groups) {
    int n = 0;
    for (int starts = neighbours == 63 ? 1 : arc_starts(neighbours); starts; starts &= starts - 1) {
        int group = s->groups[b->around[p][__builtin_ctz(starts)]], known = 0;
        for (int i = 0; i < n; i++) known |= groups[i] == group;
        if (!known) groups[n++] = group;
    }
    return n;
}

static void list_placements(State *s) {
    int lowest = MAX_POINTS, n = 0;
    for (int i = 0; i < s->empties.count; i++) {
        int largest = s->largest_beside[s->empties.members[i]];
        if (largest < lowest) lowest = largest;
    }
    for (int i = 0; i < s->empties.count; i++) {
        int p = s->empties.members[i];
        s->choices.members[n] = p;
        n += s->largest_beside[p] == lowest;
    }
    s->lowest = lowest;
    s->choices.count = n;
}

static void reset(const Board *b, State *s) {
    memset(s, 0, sizeof *s);
    memset(s->stones, EMPTY, b->points);
    memset(s->groups, NO_GROUP, MAX_POINTS + 1);
    fill(&s->empties, b->points);
    s->shrinking = NOWHERE;
    list_placements(s);
}

static int over(const Board *b, const State *s) { return s->empties.count == 0 && s->excess == 0; }

static void score(const Board *b, const State *s, double *out) {
    out[0] = s->counts[0];
    out[1] = s->counts[1];
}

/* Whether the outline, followed from a gap, leads to the arc before the one that starts in a direction. */
static int is_bridged(const Board *b, const State *s, int p, int start) {
    int end = (start + 5) % 6;
    while (s->groups[b->around[p][end]] == NO_GROUP) end = (end + 5) % 6;
    int heading = end, at = b->around[p][heading];
    while (at != p) {
        heading = (heading + 1) % 6;
        while (s->groups[b->around[at][heading]] == NO_GROUP) heading = (heading + 5) % 6;
        at = b->around[at][heading];
    }
    return heading == (start + 3) % 6;
}

/* Whether the shrinking group stays connected without the stone on a point. */
static int is_whole_without(const Board *b, const State *s, int p) {
    int neighbours = stones_around(b, s, p), gaps = arcs(neighbours);
    if (gaps <= 1 || s->holes == 0) return gaps <= 1;
    for (int starts = arc_starts(neighbours); gaps > 1; starts &= starts - 1, gaps--) {
        if (!is_bridged(b, s, p, __builtin_ctz(starts))) return 0;
    }
    return 1;
}

static int sample(const Board *b, const State *s, uint64_t *rng) {
    int p = s->choices.members[below(rng, s->choices.count)];
    if (s->excess == 0) return p;
    while (!is_whole_without(b, s, p)) p = s->choices.members[below(rng, s->choices.count)];
    return b->points + p;
}

static void found_group(State *s, int p) {
    s->groups[p] = s->next[p] = p;
    s->sizes[p] = 1;
    s->holes_of[p] = 0;
}

static void join_group(State *s, int p, int group, int arcs) {
    s->groups[p] = group;
    s->next[p] = s->next[group];
    s->next[group] = p;
    s->sizes[group]++;
    s->holes_of[group] += arcs - 1; /* each arc but one closes off a hole */
}

/* Drops choices whose largest group has grown. */
static void keep_lowest_choices(State *s) {
    int n = 0;
    for (int i = 0; i < s->choices.count; i++) {
        int p = s->choices.members[i];
        s->choices.members[n] = p;
        n += s->largest_beside[p] == s->lowest;
    }
    s->choices.count = n;
    if (n == 0) list_placements(s);
}

static int first_choice(const State *s) {
    int first = MAX_POINTS;
    for (int i = 0; i < s->choices.count; i++) {
        if (s->choices.members[i] < first) first = s->choices.members[i];
    }
    return first;
}

/* Adds a group's stones to those from which the capture removes. */
static void shrink_group(State *s, int group) {
    s->holes += s->holes_of[group];
    for (int i = 0, member = group; i < s->sizes[group]; i++, member = s->next[member]) {
        put_in(&s->choices, member);
    }
}

static void begin_capture(State *s, int p, const int *joined, int n, int arcs) {
    found_group(s, p);
    s->choices.count = 0;
    s->holes = arcs - n;
    shrink_group(s, p);
    for (int i = 0; i < n; i++) shrink_group(s, joined[i]);
    s->excess = s->choices.count - s->lowest - 1;
    s->shrinking = first_choice(s);
}

static void place(const Board *b, State *s, int p) {
    s->stones[p] = s->to_move;
    s->counts[s->to_move]++;
    take_out(&s->empties, p);
    int joined[3], neighbours = stones_around(b, s, p);
    int n = list_groups_around(b, s, p, neighbours, joined);
    if (n > 1) {
        begin_capture(s, p, joined, n, arcs(neighbours));
        return;
    }
    s->to_move = 1 - s->to_move;
    if (n == 0) {
        found_group(s, p);
        s->largest_beside[p] = 1;
        for (int k = 0; k < 6; k++) {
            int q = b->around[p][k];
            if (q != OUTSIDE && s->largest_beside[q] == 0) s->largest_beside[q] = 1;
        }
    } else {
        join_group(s, p, joined[0], arcs(neighbours));
        for (int i = 0; i < s->choices.count; i++) {
            int q = s->choices.members[i];
            s->largest_beside[q] += touches(b, s, q, joined[0]);
        }
    }
    keep_lowest_choices(s);
}

/* Makes one group of the remaining stones, and updates the cells that were playable or emptied. */
static void end_capture(const Board *b, State *s) {
    const uint16_t *members = s->choices.members;
    int n = s->choices.count, name = members[0];
    for (int i = 0; i < n; i++) {
        s->groups[members[i]] = name;
        s->next[members[i]] = members[i + 1 < n ? i + 1 : 0];
    }
    s->sizes[name] = n;
    s->holes_of[name] = s->holes;
    s->shrinking = NOWHERE;
    for (int i = 0; i < s->empties.count; i++) {
        int p = s->empties.members[i];
        if (s->largest_beside[p] == s->lowest) s->largest_beside[p] = largest_group_around(b, s, p);
    }
    list_placements(s);
}

static void take_off(const Board *b, State *s, int p) {
    s->holes += 1 - arcs(stones_around(b, s, p));
    s->counts[s->stones[p]]--;
    s->stones[p] = EMPTY;
    put_in(&s->empties, p);
    s->groups[p] = NO_GROUP;
    s->largest_beside[p] = s->lowest; /* computed again when the capture ends */
    take_out(&s->choices, p);
    if (--s->excess == 0) {
        end_capture(b, s);
    } else if (s->shrinking == p) {
        s->shrinking = first_choice(s);
    }
}

static void play(const Board *b, State *s, int action) {
    if (action < b->points) {
        place(b, s, action);
    } else {
        take_off(b, s, action - b->points);
    }
}
