"""The filter of system calls, run as the kernel runs it."""

import struct

import pytest

from dealer.sandbox.forbidden_calls import FORBIDDEN, call_filter

ALLOWED, ENOSYS = 0x7FFF0000, 0x00050000 | 38
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}


def verdict(code: bytes, machine: int, call: int, first: int = 1) -> int:
    """What the filter returns for a call: the five instructions that it uses, as the kernel defines them.

    Args:
        first: the first argument of the call.
    """
    steps, data, value, at = list(struct.iter_unpack("=HBBI", code)), {0: call, 4: machine, 16: first}, 0, 0
    while True:
        kind, yes, no, operand = steps[at]
        at += 1
        if kind == 0x20:
            value = data[operand]
        elif kind == 0x15:
            at += yes if value == operand else no
        elif kind == 0x35:
            at += yes if value >= operand else no
        elif kind == 0x45:
            at += yes if value & operand else no
        else:
            assert kind == 0x06
            return int(operand)


@pytest.mark.parametrize("name", MACHINES)
def test_forbidden_calls_fail_and_all_others_work(name: str) -> None:
    column, machine = MACHINES[name]
    code = call_filter(name)
    forbidden = {numbers[column] for numbers in FORBIDDEN.values()}
    assert len(forbidden) == len(FORBIDDEN)
    for call in range(1000):
        assert verdict(code, machine, call) == (ENOSYS if call in forbidden else ALLOWED)


@pytest.mark.parametrize(("name", "clone"), [("x86_64", 56), ("aarch64", 220)])
def test_threads_can_be_made_and_user_namespaces_cannot(name: str, clone: int) -> None:
    code, machine = call_filter(name), MACHINES[name][1]
    assert verdict(code, machine, clone, 0x003D0F00) == ALLOWED
    assert verdict(code, machine, clone, 0x10000011) == ENOSYS
    assert verdict(code, machine, 1, 0x10000000) == ALLOWED


@pytest.mark.parametrize(("name", "socket"), [("x86_64", 41), ("aarch64", 198)])
def test_sockets_are_of_families_that_a_network_namespace_holds_back(name: str, socket: int) -> None:
    code, machine = call_filter(name), MACHINES[name][1]
    unix, ipv4, ipv6, netlink = 1, 2, 10, 16
    allowed = [family for family in range(256) if verdict(code, machine, socket, family) == ALLOWED]
    assert allowed == [unix, ipv4, ipv6, netlink]


def test_calls_of_other_kinds_of_programs_fail() -> None:
    code = call_filter("x86_64")
    assert verdict(code, 0x40000003, 29) == ENOSYS  # a 32-bit program
    assert verdict(code, MACHINES["x86_64"][1], 0x40000000 + 1) == ENOSYS


def test_unknown_machine_has_no_filter() -> None:
    assert call_filter("riscv64") == b""
