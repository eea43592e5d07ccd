"""The coach of a person at a table: what the house's best bot would do, and what each action is worth in chips."""
