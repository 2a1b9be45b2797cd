"""Matches between bots: schedules, play on all cores, results on disk, and statistics.

>>> import kakomi
>>> from kakomi.study import matches
>>> pairings = matches.schedule(kakomi.game("rin", size=8), ["1", "2"], games=20)
>>> statistics = matches.Statistics(pairings)
>>> for played in matches.play_games(pairings):
...     statistics.add(played)
>>> statistics.estimate("2", "1").blocks
10
"""

from kakomi.study.matches.games import (
    Effort,
    GameLog,
    GameLogError,
    MissingLibrary,
    Pairing,
    Played,
    efforts_of,
    entrant_names,
    mean_effort,
    record_of,
    save_record,
    schedule,
)
from kakomi.study.matches.playing import (
    PATIENCE_SECONDS,
    Maker,
    check_entrant,
    make_entrant,
    play,
    play_games,
    warm_all,
)
from kakomi.study.matches.statistics import (
    Rating,
    Sprt,
    Statistics,
    Tally,
    check_library,
    ratings,
)

__all__ = [
    "PATIENCE_SECONDS",
    "Effort",
    "GameLog",
    "GameLogError",
    "Maker",
    "MissingLibrary",
    "Pairing",
    "Played",
    "Rating",
    "Sprt",
    "Statistics",
    "Tally",
    "check_entrant",
    "check_library",
    "efforts_of",
    "entrant_names",
    "make_entrant",
    "mean_effort",
    "play",
    "play_games",
    "ratings",
    "record_of",
    "save_record",
    "schedule",
    "warm_all",
]
