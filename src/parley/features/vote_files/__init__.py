"""Votes as files: import and export in LMArena's columns."""
