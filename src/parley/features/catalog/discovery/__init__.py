"""Finding providers: servers on this computer, keys in the environment, and what an address offers."""
