"""The use cases, a room each; a room calls another room's service and never its repository."""
