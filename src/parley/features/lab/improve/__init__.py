"""Improve: a search for a better prompt, measured on rows that the search cannot see."""
