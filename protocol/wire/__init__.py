"""How messages read as text and travel as bytes."""
