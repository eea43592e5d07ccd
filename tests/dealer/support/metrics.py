"""The metrics of a dealer as Prometheus' own parser reads them."""

from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from tests.dealer.support.http_routes import request


async def scrape(port: int) -> dict[str, Any]:
    """Every sample by name, or by name and labels where it has any."""
    reply = await request(port, "GET", "/metrics")
    assert reply.status == 200
    assert reply.headers["content-type"].startswith("text/plain")
    samples: dict[str, Any] = {}
    for family in text_string_to_metric_families(reply.body.decode()):
        assert family.documentation
        for sample in family.samples:
            label = "".join(f"{{{value}}}" for value in sample.labels.values())
            samples[sample.name + label] = sample.value
    return samples
