"""A person's own votes: listed, replayed, and corrected."""
