"""How long tests wait for what should come soon."""

#: Seconds after which a test takes what it waits for to hang. A busy machine needs a hundredth of that, and sometimes
#: a third.
PATIENCE = 300.0
