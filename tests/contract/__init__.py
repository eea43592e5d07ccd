"""What holds of every game, those of the house and Leduc hold'em, which comes from a package of its own."""
