"""Accounts: who asks."""
