"""A person's data as a whole: location, export and deletion."""
