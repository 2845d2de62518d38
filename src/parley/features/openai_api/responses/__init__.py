"""The door in the shape of OpenAI's Responses API."""
