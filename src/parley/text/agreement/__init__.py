"""Agreement: where several answers to one question agree, and where they do not."""
