"""Identity leaks: whether a battle's texts reveal which model answers."""
