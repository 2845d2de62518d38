"""Team: experts with roles talk in rounds, a person steps in, and one of them writes the synthesis."""
