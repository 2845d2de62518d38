"""Preferences: how a person's new chats begin."""
