"""Plugins: how modes and connectors are registered, built-in and installed ones alike."""
