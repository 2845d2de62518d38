"""Deliberation: whether models that answer together know more than the best of them, and what that takes."""
