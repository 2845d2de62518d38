"""The engine: the only layer that owns tasks, deadlines and cancellation."""
