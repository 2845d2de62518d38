"""Presets: a mode's settings and seats under a name."""
