"""Values that are made when they are asked for, and told apart by what they are made from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar, overload

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Series(Sequence[T], Generic[T]):
    """A row of values of which each is made anew whenever it is asked for.

    A day's news leaves most of a large digest as it was: comparing fingerprints tells what of it
    has to be made at all. Two series are equal if their keys are, whoever makes their values.
    """

    keys: tuple[bytes, ...]
    """Fingerprint of all that each value is made from."""
    make: Callable[[int], T] = field(compare=False, repr=False)
    """Gives the value at a position; pure."""

    def __len__(self) -> int:
        return len(self.keys)

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[T, ...]: ...
    def __getitem__(self, at: int | slice) -> T | tuple[T, ...]:
        numbers = range(len(self.keys))
        if isinstance(at, slice):
            return tuple(map(self.make, numbers[at]))
        return self.make(numbers[at])
