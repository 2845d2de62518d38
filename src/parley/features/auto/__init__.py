"""Auto: the model that answers is chosen by what the question needs, by its ratings, price and wait."""
