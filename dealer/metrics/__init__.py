"""What a monitor may ask: ``/metrics`` for Prometheus, and ``/healthz``. Nothing is counted for them while tables play;

everything is looked up when somebody asks.
"""
