"""Shares of the questions that were left to Auto."""
