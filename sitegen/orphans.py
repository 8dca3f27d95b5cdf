"""Helper processes that end with the one that started them, however that one ends."""

from __future__ import annotations

import ctypes
import os
import signal

_PR_SET_PDEATHSIG = 1
# Looked up before any fork: a child of a process with threads may not wait for the linker's lock.
_prctl = getattr(ctypes.CDLL(None), "prctl", None)


def end_with_parent(parent: int) -> None:
    """Ask Linux to kill this process when its parent ends; elsewhere nothing happens.

    Args:
        parent: process id of the parent, which may have ended before this could be asked for.

    A build that is killed can't tell its helpers to stop: workers would wait for ever, and a search
    index half made would be written on into the next build's folder.
    """
    if _prctl is not None:
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
