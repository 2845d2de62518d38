"""The use cases, one package each; a package calls another's service and never its repository."""
