"""Pictures at the door, in the shape of OpenAI's Images API."""
