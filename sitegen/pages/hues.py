"""One hue for each topic, spread by the golden angle so that neighbours in a list differ."""

from __future__ import annotations

STEPS = 72
"""Hue classes ``h0`` to ``h71`` of the style sheet, five degrees apart."""

_GOLDEN = 137.508
_START = 263.0


def spread(count: int) -> tuple[int, ...]:
    """Return the hue class of each of ``count`` topics; no two alike while classes last."""
    taken: set[int] = set()
    classes = []
    for index in range(count):
        step = round((_START + index * _GOLDEN) % 360 * STEPS / 360) % STEPS
        while step in taken and len(taken) < STEPS:
            step = (step + 1) % STEPS
        taken.add(step)
        classes.append(step)
    return tuple(classes)
