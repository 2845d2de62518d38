"""Measures of calls: cost, tokens, times, failures."""
