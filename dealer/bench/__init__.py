"""``casino bench``: what this machine can host, as the dealer under load compared with a bare echo."""
