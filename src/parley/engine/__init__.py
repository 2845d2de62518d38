"""The engine: the only floor that owns tasks, deadlines and cancellation."""
