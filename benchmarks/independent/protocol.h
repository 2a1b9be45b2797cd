/* The code shared by the programs in this folder, which read positions and write answers as text.

   PROGRAM show            for each position: the player to act and player 0's lead | the stones | the legal actions
   PROGRAM perft DEPTH     the number of sequences of 1, 2, ... DEPTH actions from each position
   PROGRAM plain STEPS     player 0's exact margin by minimax over all sequences; - if that takes more steps
   PROGRAM values MB       the same by the game's solver, the positions looked at, and the processor seconds

   A position is a line of standard input: the game's options as numbers, a colon, and the actions from
   the start. The answer to each line is one line, or "illegal" and the first illegal action.
   Progress goes to standard error.

   Each game's program defines the functions declared here; it shares nothing else with the others. */

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { EMPTY = -1, MOST_ACTIONS = 1024, MOST_TEXT = 16, LONGEST_LINE = 1 << 16 };

typedef struct Position Position;

static bool start(Position *position, const int *options, int n_options);
static int list_actions(const Position *position, int *actions); /* 0 when the game is over */
static void play(Position *position, int action);
static void spell(int action, char *text);
static int n_points(void);
static int stone_at(const Position *position, int point); /* a player's, or EMPTY */
static void spell_point(int point, char *text);
static int player_to_act(const Position *position);
static int lead_of_player_0(const Position *position); /* over the best other player, by the current scores */
static int value_for_player_0(const Position *position, int megabytes);
static uint64_t positions_looked_at; /* since the last value */

static double processor_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* Prints one line of progress, at most every ten seconds of processor time. */
static void show_progress(const char *what) {
    static double last = 0;
    const double now = processor_seconds();
    if (now - last < 10) return;
    last = now;
    fprintf(stderr, "%s: %llu positions, %.0f s\n", what, (unsigned long long)positions_looked_at, now);
}

static void fail(const char *what, const char *which) {
    fprintf(stderr, "error: %s %s\n", what, which);
    exit(1);
}

/* Plays an action if it is legal; returns whether it was. */
static bool play_text(Position *position, const char *text) {
    int actions[MOST_ACTIONS];
    char spelled[MOST_TEXT];
    const int n = list_actions(position, actions);
    for (int i = 0; i < n; i++) {
        spell(actions[i], spelled);
        if (strcmp(spelled, text) == 0) {
            play(position, actions[i]);
            return true;
        }
    }
    return false;
}

/* Reads a position. Returns the first illegal action, or null if all are legal. */
static const char *read_position(char *line, Position *position) {
    int options[8], n_options = 0;
    char *token = strtok(line, " \n");
    for (; token && strcmp(token, ":") != 0; token = strtok(NULL, " \n")) {
        if (n_options == 8) fail("too many options before the colon:", token);
        options[n_options++] = atoi(token);
    }
    if (!token) fail("a position needs a colon between options and actions", "");
    if (!start(position, options, n_options)) fail("this program can't play a board of these options", "");
    while ((token = strtok(NULL, " \n")))
        if (!play_text(position, token)) return token;
    return NULL;
}

static uint64_t count_sequences(const Position *position, int depth);

static void show_position(const Position *position) {
    int actions[MOST_ACTIONS];
    char text[MOST_TEXT];
    printf("%d %d |", player_to_act(position), lead_of_player_0(position));
    for (int point = 0; point < n_points(); point++) {
        if (stone_at(position, point) == EMPTY) continue;
        spell_point(point, text);
        printf(" %s=%d", text, stone_at(position, point));
    }
    printf(" |");
    const int n = list_actions(position, actions);
    for (int i = 0; i < n; i++) {
        spell(actions[i], text);
        printf(" %s", text);
    }
    printf("\n");
}

static void show_counts(const Position *position, int deepest) {
    for (int depth = 1; depth <= deepest; depth++)
        printf(depth == 1 ? "%llu" : " %llu", (unsigned long long)count_sequences(position, depth));
    printf("\n");
}

static void show_value(const Position *position, int megabytes) {
    positions_looked_at = 0;
    const double begun = processor_seconds();
    const int value = value_for_player_0(position, megabytes);
    printf("%d %llu %.2f\n", value, (unsigned long long)positions_looked_at, processor_seconds() - begun);
}
