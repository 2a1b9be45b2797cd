"""Matches between bots: schedules, play over all cores, results on disk, and what they say.

>>> import kakomi
>>> from kakomi.study import tournament
>>> pairings = tournament.schedule(kakomi.game("rin", size=8), ["1", "2"], games=20)
>>> statistics = tournament.Statistics(pairings)
>>> for played in tournament.play_games(pairings):
...     statistics.add(played)
>>> statistics.estimate("2", "1").blocks
10
"""

from kakomi.study.tournament.games import (
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
from kakomi.study.tournament.playing import (
    PATIENCE_SECONDS,
    Maker,
    check_entrant,
    make_entrant,
    play,
    play_games,
    warm_all,
)
from kakomi.study.tournament.statistics import (
    Estimate,
    Rating,
    Sprt,
    Statistics,
    Tally,
    check_library,
    elo_of,
    estimated,
    ratings,
    score_of,
    stratified,
)

__all__ = [
    "PATIENCE_SECONDS",
    "Effort",
    "Estimate",
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
    "elo_of",
    "entrant_names",
    "estimated",
    "make_entrant",
    "mean_effort",
    "play",
    "play_games",
    "ratings",
    "record_of",
    "save_record",
    "schedule",
    "score_of",
    "stratified",
    "warm_all",
]
