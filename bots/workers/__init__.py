"""Who computes the shards of a large simulation: this process, processes of this machine, or a cluster of machines."""
