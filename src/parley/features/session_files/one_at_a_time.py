"""A limit of processor time for one conversation, so that a hostile one does not use up that of its file."""

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

from parley.features.session_files.conversation import Unreadable

SECONDS = 15.0


@contextmanager
def limited_time() -> Generator[None]:
    """Raise Unreadable within the block once it has used SECONDS of the processor, where the system can tell."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    earlier = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, earlier)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise Unreadable(f"it takes more than {SECONDS:g} seconds to read")
