"""The standings: counts, ratings and history made from votes."""
