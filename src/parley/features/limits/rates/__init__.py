"""Rates: the questions of a person or API key within a minute, and their calls of models at once."""
