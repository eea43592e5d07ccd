"""What all commands of the dealer share: flags, options, and how they print."""
