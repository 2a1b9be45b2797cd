/* The end of each program: the parts that need the size of a position. */

static uint64_t count_sequences(const Position *position, int depth) {
    int actions[MOST_ACTIONS];
    const int n = list_actions(position, actions);
    if (depth == 1) return (uint64_t)n;
    uint64_t count = 0;
    for (int i = 0; i < n; i++) {
        Position next = *position;
        play(&next, actions[i]);
        count += count_sequences(&next, depth - 1);
    }
    return count;
}

/* Plain minimax over all sequences, without a table; counts its steps down in `left`. */
static int plain_value(const Position *position, long *left) {
    int actions[MOST_ACTIONS], best = 0;
    const int n = list_actions(position, actions), sign = player_to_act(position) == 0 ? 1 : -1;
    if (n == 0) return lead_of_player_0(position);
    for (int i = 0; i < n && *left > 0; i++) {
        Position next = *position;
        --*left;
        play(&next, actions[i]);
        const int value = plain_value(&next, left);
        if (i == 0 || sign * value > sign * best) best = value;
    }
    return best;
}

static void show_plain_value(const Position *position, long most) {
    long left = most;
    const int value = plain_value(position, &left);
    if (left > 0)
        printf("%d\n", value);
    else
        printf("-\n");
}

static void answer(const char *command, int number, const Position *position) {
    if (strcmp(command, "show") == 0) show_position(position);
    if (strcmp(command, "perft") == 0) show_counts(position, number);
    if (strcmp(command, "plain") == 0) show_plain_value(position, number);
    if (strcmp(command, "values") == 0) show_value(position, number);
    fflush(stdout);
}

static bool is_command(const char *text, int argc) {
    if (strcmp(text, "show") == 0) return argc == 2;
    return argc == 3 && (strcmp(text, "perft") == 0 || strcmp(text, "plain") == 0 || strcmp(text, "values") == 0);
}

int main(int argc, char **argv) {
    static char line[LONGEST_LINE];
    const char *command = argc > 1 ? argv[1] : "";
    if (!is_command(command, argc))
        fail("usage:", "show | perft DEPTH | values MB | plain STEPS, and positions on standard input");
    const int number = argc == 3 ? atoi(argv[2]) : 0;
    if (argc == 3 && number < 1) fail("a depth, a table and steps are numbers from 1 up, not", argv[2]);
    while (fgets(line, sizeof line, stdin)) {
        Position position;
        const char *illegal = read_position(line, &position);
        if (illegal)
            printf("illegal %s\n", illegal);
        else
            answer(command, number, &position);
    }
    return 0;
}
