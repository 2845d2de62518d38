"""Parley: a self-hosted workspace where many language models meet."""

__version__ = "0.1.0"
