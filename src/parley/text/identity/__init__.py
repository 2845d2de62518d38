"""Identity leaks: whether a battle's texts say which model answers."""
