"""Caps: what the calls of a match may use, in tokens and in money."""

import msgspec


class Cap(msgspec.Struct, frozen=True, kw_only=True):
    """The most that may be used: tokens read and written, and micro-dollars. None is no limit."""

    tokens: float | None = None
    cost_micros: float | None = None


class Used(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens read and written, and micro-dollars; calls of models without a price cost nothing."""

    tokens: int = 0
    cost_micros: int = 0

    def plus(self, other: "Used") -> "Used":
        """Return both together."""
        return Used(tokens=self.tokens + other.tokens, cost_micros=self.cost_micros + other.cost_micros)

    def minus(self, other: "Used") -> "Used":
        """Return this without the other."""
        return Used(tokens=self.tokens - other.tokens, cost_micros=self.cost_micros - other.cost_micros)

    def reaches(self, cap: Cap) -> bool:
        """Return whether a cap is used up."""
        return (cap.tokens is not None and self.tokens >= cap.tokens) or (
            cap.cost_micros is not None and self.cost_micros >= cap.cost_micros
        )

    def exceeds(self, cap: Cap) -> bool:
        """Return whether this is more than a cap allows."""
        return (cap.tokens is not None and self.tokens > cap.tokens) or (
            cap.cost_micros is not None and self.cost_micros > cap.cost_micros
        )


NOTHING_USED = Used()
