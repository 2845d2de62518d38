"""The styles of the demo characters: each puts a finding into its own words and format."""
