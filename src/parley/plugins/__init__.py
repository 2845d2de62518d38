"""How modes and connectors join the house, built-in ones and installed ones alike."""
