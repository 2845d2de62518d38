"""Imports: files of votes as data sets, which can be removed again."""
