"""Schedules at tables beside the best that is known: solutions of the social golfer problem, and lower
bounds."""

from kakomi.contest.tournament.designs import fewest_repeats, repeats, schedule, table_sizes

KNOWN = {
    (9, 3): 4,
    (12, 3): 4,
    (15, 3): 7,
    (18, 3): 8,
    (21, 3): 10,
    (24, 3): 11,
    (27, 3): 13,
    (16, 4): 5,
    (20, 4): 5,
    (24, 4): 7,
    (28, 4): 9,
    (32, 4): 10,
    (25, 5): 6,
    (35, 5): 7,
    (40, 5): 8,
    (42, 6): 7,
    (48, 6): 8,
}
"""People and seats -> so many rounds without a repeat are known to be possible."""
OTHERS = [
    (6, 3),
    (7, 3),
    (8, 3),
    (10, 3),
    (11, 3),
    (7, 4),
    (8, 4),
    (10, 4),
    (11, 4),
    (12, 4),
    (13, 4),
    (14, 4),
]
OTHERS += [(18, 4), (22, 4), (17, 5), (19, 5), (20, 5), (23, 5), (24, 5), (12, 6), (20, 6), (30, 6), (33, 6)]
ROWS = [(*key, rounds) for key, rounds in KNOWN.items()]
ROWS += [(18, 3, 7), (21, 3, 9), (28, 4, 8), (32, 4, 9)]
ROWS += [(people, seats, rounds) for people, seats in OTHERS for rounds in (3, 5)]
HEADER = (
    "| people | tables | rounds | repeats | best known | by |\n| ---: | --- | ---: | ---: | ---: | --- |\n"
)


def best_known(people: int, seats: int, rounds: int) -> tuple[int, str]:
    """The fewest repeats that are known to be possible, or else a number that none can go below, and which it
    is."""
    if rounds <= KNOWN.get((people, seats), 0):
        return 0, "design"
    return fewest_repeats(people, seats, rounds), "lower bound"


def table() -> str:
    """All lines, and in how many of them ours is within a twentieth of the best that is known."""
    figures = [(repeats(schedule(*each)), best_known(*each)[0]) for each in ROWS]
    near = sum(found <= 1.05 * best for found, best in figures)
    text = (
        f"\n{near} of {len(ROWS)} schedules have at most 5 % more repeats than the best known or the bound.\n"
    )
    return HEADER + "".join(row(*each) for each in ROWS) + text


def row(people: int, seats: int, rounds: int) -> str:
    """A line of the table."""
    found = repeats(schedule(people, seats, rounds))
    best, source = best_known(people, seats, rounds)
    sizes = table_sizes(people, seats)
    text = " + ".join(f"{sizes.count(size)} × {size}" for size in sorted(set(sizes), reverse=True))
    return f"| {people} | {text} | {rounds} | {found} | {best} | {source} |\n"
