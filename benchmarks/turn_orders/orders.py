"""Orders of turns. Each is made of rounds in which every player has one turn."""

from collections.abc import Callable, Mapping
from itertools import chain, count, islice

Round = Callable[[int, int], list[int]]
"""The number of a round from 0, and how many play -> who plays in it, one after the other."""


def clockwise(number: int, players: int) -> list[int]:
    """As the rules have it (RULES G1): A B C, A B C."""
    del number
    return list(range(players))


def there_and_back(number: int, players: int) -> list[int]:
    """A B C, C B A: the last of a round begins the next one."""
    return list(range(players))[:: -1 if number % 2 else 1]


def moving_start(number: int, players: int) -> list[int]:
    """A B C, B C A, C A B: the next player begins each round."""
    return [(number + place) % players for place in range(players)]


def thue_morse(number: int, players: int) -> list[int]:
    """A B C, B C A, C A B, B C A, C A B, A B C ...: each turn is of the player whom the digits of its number,
    written to the base of the players, add up to (J.-P. Allouche and J. Shallit, "The ubiquitous
    Prouhet-Thue-Morse sequence", 1999). For two it is A B, B A, B A, A B."""
    return [_digit_sum(number * players + place, players) % players for place in range(players)]


ORDERS: Mapping[str, Round] = {
    "A B C, A B C": clockwise,
    "A B C, C B A": there_and_back,
    "A B C, B C A, C A B": moving_start,
    "Thue–Morse": thue_morse,
}
"""By what they are called, the rules' own first."""


def turns(order: Round, players: int, length: int) -> list[int]:
    """Whose turn each of the first turns is."""
    rounds = (order(number, players) for number in count())
    return list(islice(chain.from_iterable(rounds), length))


def passes_to_end(order: Round, players: int) -> int:
    """So many passes in succession end the game (RULES G6): as many turns as surely hold one of each
    player."""
    return players if order is clockwise else 2 * players - 1


def _digit_sum(number: int, base: int) -> int:
    total = 0
    while number:
        number, digit = divmod(number, base)
        total += digit
    return total
