"""Experiments: what runs and searches share."""
