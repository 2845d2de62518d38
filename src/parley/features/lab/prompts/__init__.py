"""Prompts: messages with typed variables, in immutable versions."""
