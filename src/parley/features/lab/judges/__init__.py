"""Passports of judges: how far a model's verdicts agree with people's votes, as `parley judge` measures it."""
