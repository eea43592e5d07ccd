"""The bots: strategies, the client that connects one to a dealer, the arena, simulations, and the seat for people."""
