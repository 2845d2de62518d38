"""Moderation: rules over prompts and replies, and the queue in which people review what they find."""
