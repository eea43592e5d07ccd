"""Who plays: strategies, the client that puts one at the end of a socket, and the in-process arena."""
