"""Which line of a text a character stands on."""

from __future__ import annotations

from bisect import bisect_right


class Lines:
    """The line ends of a text, looked up by position."""

    def __init__(self, text: str) -> None:
        self._starts = [0]
        at = text.find("\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = text.find("\n", at + 1)

    def at(self, position: int) -> int:
        """Return the line, from 1, of the character at a position, from 0."""
        return bisect_right(self._starts, position)
