"""Names of people, workspaces and keys."""
