"""Lets `python -m parley` do what `parley` does."""

from parley.cli import main

if __name__ == "__main__":
    main()
