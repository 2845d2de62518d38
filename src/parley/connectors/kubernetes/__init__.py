"""Calls as Kubernetes Jobs: one Job per call to a model, which runs the provider's own connector."""
