"""Measures of what consortia and teams came to."""
