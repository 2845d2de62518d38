"""Votes: a person's own votes, read back, and votes as files."""
