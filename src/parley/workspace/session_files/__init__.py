"""Sessions as files: exported to be read elsewhere, imported from here and from other chat programs."""
