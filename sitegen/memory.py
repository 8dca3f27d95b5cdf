"""Results of a build's stages, kept for the next build in the same process."""

from __future__ import annotations

import gc
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

import numpy as np

from sitegen.shingles import Prints

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T", bound=Hashable)


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """Look for cycles of references seldom: stages make millions of records, and no cycles.

    At Python's own pace a fifth to a third of a large build's time goes there.
    """
    before = gc.get_threshold()
    gc.set_threshold(200_000, 50, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)


@dataclass(frozen=True, slots=True)
class _Call:
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    result: Any


class Memory:
    """Remembers the last call of each pure function, and the last result for each single item.

    Sound only for functions whose result depends on their arguments alone. Arguments are compared
    by value; what did not change is mostly the same object, so that comparing costs little.

    Args:
        keeping: whether a further call is to come; if not, nothing is held that a stage used up.
    """

    def __init__(self, *, keeping: bool = True) -> None:
        self._keeping = keeping
        self._calls: dict[Callable[..., Any], _Call] = {}
        self._items: dict[Callable[..., Any], tuple[Sequence[Any], list[Any]]] = {}
        self._marked: dict[Callable[..., Any], tuple[Any, Any]] = {}
        self.files: dict[str, Any] | None = {} if keeping else None
        """For `sitegen.sources.read_sources`: each file's mark and reading, by path."""
        self._prints = Prints() if keeping else None

    @property
    def prints(self) -> Prints:
        """Of the texts of the last call; the same object always, so that it counts as unchanged."""
        return Prints() if self._prints is None else self._prints

    def recall(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Return ``function(*args, **kwargs)``; not called if its last call was the same."""
        if not self._keeping:
            return function(*args, **kwargs)
        known = self._calls.get(function)
        if known and _equal(known.args, args) and _equal(known.kwargs, kwargs):
            result: R = known.result
            return result
        result = function(*args, **kwargs)
        self._calls[function] = _Call(args, kwargs, result)
        return result

    def recall_while(
        self, mark: Hashable, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """Return the last result of a function while the mark is the same, whatever the arguments.

        For what may lag behind in a preview.
        """
        known = self._marked.get(function)
        if known is None or known[0] != mark:
            known = self._marked[function] = mark, function(*args, **kwargs)
        result: R = known[1]
        return result

    def each(
        self,
        function: Callable[..., Sequence[R]],
        items: Sequence[T],
        **kwargs: Any,
    ) -> list[R]:
        """Return ``function(items, **kwargs)``; calls it only for the items that are new.

        Args:
            function: pure; gives a result for each item, which depends on the item alone.
            items: hashable; those of the last call are remembered, no others.
            kwargs: change no result.
        """
        if not self._keeping:
            return list(function(items, **kwargs))
        before = self._items.get(function)
        if before is None:
            results = list(function(items, **kwargs))
        else:
            known = dict(zip(*before, strict=True))
            new = list(dict.fromkeys(item for item in items if item not in known))
            known.update(zip(new, function(new, **kwargs) if new else (), strict=True))
            results = [known[item] for item in items]
        self._items[function] = (items, results)
        return results


def _equal(one: Any, two: Any) -> bool:
    """Compare arguments by value, arrays within lists and mappings included."""
    if one is two:
        return True
    if isinstance(one, np.ndarray) or isinstance(two, np.ndarray):
        return (
            isinstance(one, np.ndarray)
            and isinstance(two, np.ndarray)
            and one.dtype == two.dtype
            and np.array_equal(one, two)
        )
    if isinstance(one, Mapping) and isinstance(two, Mapping):
        return list(one) == list(two) and all(_equal(one[key], two[key]) for key in one)
    if _is_row(one) and _is_row(two):
        return len(one) == len(two) and all(map(_equal, one, two))
    try:
        return bool(one == two)
    except ValueError:  # records that hold arrays do not compare
        return False


def _is_row(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
