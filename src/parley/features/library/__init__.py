"""The library: everything that was made, with where it came from."""
