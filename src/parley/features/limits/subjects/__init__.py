"""Subjects: the installation, people, workspaces and API keys that an allowance can be for."""
