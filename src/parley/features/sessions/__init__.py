"""Sessions: a person's conversations as the sidebar lists them."""
