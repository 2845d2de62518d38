"""The computer's clock, behind the kernel's port `Clock`."""

import time


class WallClock:
    """Tells the time of the computer."""

    def now(self) -> float:
        """Seconds since the epoch, UTC."""
        return time.time()
