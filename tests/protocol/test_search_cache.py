"""The cache of an engine's searches: which one a request gets, and that its tree is reused."""

import kakomi
from kakomi.protocol.engine import SearchCache, Settings
from kakomi.search import AdvisedSearch, PatternSearch

RIVE = kakomi.game("rive")
SMALL = Settings(memory_mb=1)


def test_a_limit_in_time_lets_the_network_advise() -> None:
    cache = SearchCache(SMALL)
    assert type(cache.search(RIVE, is_repeatable=False)) is AdvisedSearch
    assert type(cache.search(RIVE, is_repeatable=True)) is PatternSearch
    assert (
        type(SearchCache(Settings(threads=2, memory_mb=1)).search(RIVE, is_repeatable=False)) is PatternSearch
    )


def test_a_search_is_kept_until_another_is_asked_for() -> None:
    cache, rin = SearchCache(SMALL), kakomi.game("rin", size=4)
    first = cache.search(rin)
    assert cache.search(rin, is_repeatable=False) is cache.search(rin, is_repeatable=True) is first
    assert cache.search(kakomi.game("rin", size=6)) is not first
    cache.begin(seed=3)
    assert cache.search(rin) is not first
