"""Sessions as files: exported for other programs, imported from Parley and other chat programs."""
