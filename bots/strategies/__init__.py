"""The house bots, one file each, or a folder where a bot needs several files or tables."""
