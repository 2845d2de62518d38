"""Agreement: where several answers to one question say the same, and where they do not."""
