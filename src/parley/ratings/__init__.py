"""Ratings: votes in, standings out. Pure mathematics."""
