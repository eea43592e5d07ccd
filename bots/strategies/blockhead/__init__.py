"""What the bots of Blockhead Poker are made of."""
