"""The arena: sessions' matches, their turns, and the votes on them."""
