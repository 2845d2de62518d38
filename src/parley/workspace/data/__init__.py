"""A person's data as a whole: where it lies, a copy of it, and its end."""
