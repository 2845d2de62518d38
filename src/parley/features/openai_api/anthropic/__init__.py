"""The door in the shape of Anthropic's Messages API."""
