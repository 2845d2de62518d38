"""Retention: how long things are stored, by kind."""
