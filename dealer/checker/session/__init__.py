"""Start the program, talk to it as a dealer does, and log every byte."""
