"""Attachments: pictures and files that come with questions."""
