"""The state of a tournament as plain values: players, tables, chips, standings and scores."""
