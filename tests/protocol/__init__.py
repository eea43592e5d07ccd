"""What both ends of the wire agree on, tested."""
