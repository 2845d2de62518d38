"""The migrations: every change of the tables, oldest first."""
