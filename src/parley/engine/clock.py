"""The system clock, as the kernel's port `Clock`."""

import time


class WallClock:
    """Reads the system clock."""

    def now(self) -> float:
        """Seconds since the epoch, UTC."""
        return time.time()
