"""Parts of the bots that play Blockhead Poker: memory, tables, readings of the opponent, best replies."""
