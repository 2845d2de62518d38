"""Plug-ins: YAML files that add a provider, check, card, view or word list, and a list of installed ones."""
