"""Programs that do something wrong, one a kind of fault, to see that a dealer survives them and says why."""
