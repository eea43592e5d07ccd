"""What both ends of the wire agree on: cards, rules, messages. No I/O, no clock, no chance."""
