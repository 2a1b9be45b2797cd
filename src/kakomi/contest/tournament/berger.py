"""Berger's tables: a round robin in which nobody begins more than once oftener than not."""


def berger_rounds(people: int) -> list[list[tuple[int, int]]]:
    """Everybody, numbered from 0, meets everybody once; in a pair the first begins.

    With an odd number somebody sits out each round. Of two whose numbers (from 1) have an odd sum the lower
    begins, else the higher; the last of an even number begins against the upper half of the others.
    """
    even = people + people % 2
    rounds: list[list[tuple[int, int]]] = []
    for number in range(even - 1):
        pairs = []
        for one in range(even - 1):
            other = (number - one) % (even - 1)
            if one < other:
                pairs.append((one, other) if (one + other) % 2 else (other, one))
            elif one == other and even == people:
                pairs.append((one, even - 1) if one < even // 2 else (even - 1, one))
        rounds.append(pairs)
    return rounds
