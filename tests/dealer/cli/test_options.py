"""Values of options: seeds and addresses."""

from ipaddress import IPv4Address

from dealer.cli.options import lan_addresses, seed_or_chance


def test_seed_is_given_or_random() -> None:
    assert seed_or_chance("casino day") == "casino day"
    assert seed_or_chance("") == ""
    first, second = seed_or_chance(None), seed_or_chance(None)
    assert first != second
    assert len(bytes.fromhex(first)) == 16


def test_addresses_are_ipv4_and_rarely_loopback() -> None:
    addresses = [IPv4Address(address) for address in lan_addresses()]
    assert addresses
    assert not any(address.is_loopback for address in addresses) or len(addresses) == 1
