"""Who runs the table: the trio server, its tournaments and its journal."""
