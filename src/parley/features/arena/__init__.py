"""The arena: sessions' matches and their turns."""
