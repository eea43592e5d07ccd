"""Tests of the ``casino`` command as its user meets it: real processes, real sockets."""
