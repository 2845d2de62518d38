"""Exports of everybody's sessions and votes: plain for who has the database, anonymised for others."""
