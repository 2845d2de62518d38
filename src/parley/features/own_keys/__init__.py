"""Own keys: provider keys of people and workspaces, beside those of the installation."""
