"""Tools: what models may call in a person's session, and the permission to call what does more than read."""
