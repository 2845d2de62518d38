"""The tables, declared once; a test holds the migrations against them."""
