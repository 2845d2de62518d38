"""Spending: the allowances that calls are held against, shared by processes in slices."""
