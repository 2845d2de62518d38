"""Identity: whether a battle tells its voter which model answers."""
