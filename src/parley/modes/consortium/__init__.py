"""Consortium: several models answer in rounds, and an arbiter writes what they know together."""
