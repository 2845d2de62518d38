"""Usage: calls by the hour, and the measures that are read from them and from votes, notes and sessions."""
