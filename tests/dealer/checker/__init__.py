"""The checker against real programs, right ones and wrong ones."""
