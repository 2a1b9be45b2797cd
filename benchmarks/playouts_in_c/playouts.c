/* Random playouts in hand-written C: what all games share. GAME is the file of one game's rules, which follow
 * src/kakomi/games/GAME/rules.py: the same algorithm with the same random numbers, so that plies and scores
 * must agree exactly. They are the reference for "machine-code speed".
 *
 * board.h is written by __init__.py: the structure `Board`, which is the rules' record of the board, and the
 * rules' constants, such as MAX_POINTS.
 */
#include <stdint.h>
#include <string.h>

#include "board.h"

static inline uint64_t draw(uint64_t *rng) {
    uint64_t x = *rng;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return *rng = x;
}

static inline int below(uint64_t *rng, int n) { return ((draw(rng) >> 32) * (uint64_t)n) >> 32; }

/* A set of small numbers: its members in any order, and the place of each. */
typedef struct {
    int count;
    uint16_t members[MAX_POINTS], places[MAX_POINTS];
} Set;

static void fill(Set *set, int n) {
    for (int i = 0; i < n; i++) set->members[i] = set->places[i] = i;
    set->count = n;
}

static inline void put_in(Set *set, int item) {
    set->members[set->count] = item;
    set->places[item] = set->count++;
}

static inline void take_out(Set *set, int item) {
    int last = set->members[--set->count], place = set->places[item];
    set->members[place] = last;
    set->places[last] = place;
}

#include GAME

/* Plays n games and returns the number of plies; `final_scores` gets each player's score in the last game. */
int64_t playouts(const Board *b, uint64_t *rng, double *final_scores, int64_t n) {
    static State state;
    State *s = &state;
    int64_t plies = 0;
    for (int64_t game = 0; game < n; game++) {
        reset(b, s);
        while (!over(b, s)) {
            play(b, s, sample(b, s, rng));
            plies++;
        }
        score(b, s, final_scores);
    }
    return plies;
}
