"""The installation: health, version, modes and models."""
