"""Prompt templates: texts of a person's own, for the composer."""
