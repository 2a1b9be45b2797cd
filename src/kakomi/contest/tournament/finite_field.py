"""Arithmetic in fields of a prime power of elements, which designs are made of. Elements are 0 to q - 1."""

import functools
from itertools import product


def prime_power(q: int) -> tuple[int, int] | None:
    """The prime and the exponent of which a number is the power; None if it is no prime power."""
    prime = next((p for p in range(2, q + 1) if q % p == 0), 0)
    exponent, rest = 0, q
    while prime and rest % prime == 0:
        rest, exponent = rest // prime, exponent + 1
    return (prime, exponent) if prime and rest == 1 else None


class Field:
    """The field of q elements. The digits of one, to base p, are the coefficients of a polynomial."""

    def __init__(self, q: int) -> None:
        found = prime_power(q)
        if found is None:
            raise ValueError(f"a field has a prime power of elements, not {q}")
        self.q = q
        self._prime, self._degree = found
        self._modulus = self._irreducible()

    def add(self, one: int, other: int) -> int:
        """The sum."""
        pairs = zip(self._digits(one), self._digits(other), strict=True)
        return self._number([(a + b) % self._prime for a, b in pairs])

    def multiply(self, one: int, other: int) -> int:
        """The product."""
        return self._number(self._product(self._digits(one), self._digits(other), self._modulus))

    def _digits(self, number: int) -> list[int]:
        return [number // self._prime**place % self._prime for place in range(self._degree)]

    def _number(self, digits: list[int]) -> int:
        return sum(digit * self._prime**place for place, digit in enumerate(digits))

    def _product(self, one: list[int], other: list[int], modulus: tuple[int, ...]) -> list[int]:
        """The product of two polynomials modulo x^degree + modulus."""
        found = [0] * (2 * self._degree)
        for (i, a), (j, b) in product(enumerate(one), enumerate(other)):
            found[i + j] += a * b
        for top in range(2 * self._degree - 1, self._degree - 1, -1):
            for place, coefficient in enumerate(modulus):
                found[top - self._degree + place] -= found[top] * coefficient
            found[top] = 0
        return [coefficient % self._prime for coefficient in found[: self._degree]]

    def _irreducible(self) -> tuple[int, ...]:
        """A modulus by which no product of two elements but 0 is 0."""
        elements = [self._digits(number) for number in range(1, self.q)]
        for modulus in product(range(self._prime), repeat=self._degree):
            if all(any(self._product(a, b, modulus)) for a in elements for b in elements):
                return modulus
        raise AssertionError("there is a field of every prime power of elements")


@functools.cache
def field(q: int) -> Field:
    """The field of q elements, made once."""
    return Field(q)
