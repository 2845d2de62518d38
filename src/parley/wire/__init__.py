"""The wire: the HTTP client that connectors share, with its egress policy and event streams."""
