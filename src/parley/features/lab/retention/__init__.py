"""Retention of runs, searches and answers."""
