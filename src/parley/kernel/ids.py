"""Identifiers: opaque, and random wherever a blind viewer can see them."""

import os
import secrets
import time


def random_id() -> str:
    """Return 32 hex digits (128 random bits): sessions, matches, seats, turns, replies, votes.

    They contain neither time nor order, so a blind viewer learns nothing from them.
    """
    return secrets.token_hex(16)


def ordered_id() -> str:
    """Return a UUIDv7 as 32 hex digits (RFC 9562 §5.7), for rows that a viewer never sees blind."""
    milliseconds = time.time_ns() // 1_000_000
    tail = int.from_bytes(os.urandom(10), "big")
    head = (milliseconds & (2**48 - 1)) << 16 | 0x7 << 12 | tail >> 66 & 0xFFF
    return f"{head:016x}{0b10 << 62 | tail & (2**62 - 1):016x}"
