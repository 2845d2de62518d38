"""Checks: values that turn a model's answer into a verdict, without a database."""
