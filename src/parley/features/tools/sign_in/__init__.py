"""Sign-in at servers of tools: who has signed in where, and their tokens."""
