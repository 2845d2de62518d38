"""Measures of how people use Parley."""
