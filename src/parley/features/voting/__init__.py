"""Voting: what a person prefers, on the ballot of a match."""
