"""Limits: allowances in money, tokens, requests and images, which the model gateway keeps; rates of requests."""
