"""The wire: what connectors share on the way to a model's server, and its one egress door."""
