"""Categories: what kind of question a prompt is, by written rules."""
