"""System calls that a program in the sandbox cannot make, as the filter that the kernel runs (seccomp).

They reach memory that no limit counts, keys of the user who runs the dealer, or parts of the kernel where most of its
faults of the last years were found, user namespaces among them. Sockets can only be of the usual families: a network
namespace does not hold back all others, such as those that lead from a virtual machine to its host (vsock). A forbidden
call fails as if the kernel had never had it (ENOSYS), which libraries that try such calls are prepared for.
"""

import errno
import platform
import struct

#: By name, the numbers on x86-64 (Linux: syscall_64.tbl) and on 64-bit ARM (Linux: asm-generic/unistd.h).
FORBIDDEN = {
    "shmget": (29, 194),  # memory that belongs to no process
    "semget": (64, 190),
    "msgget": (68, 186),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "vmsplice": (278, 75),  # a byte of a huge page in a pipe keeps all 2 MB of it
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "unshare": (272, 97),
    "setns": (308, 268),
    "clone3": (435, 435),  # its flags cannot be seen here; libraries fall back to clone
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
}

#: By machine, its column above and its name in the kernel (linux/audit.h).
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

#: Numbers from here on are x86-64's calls of 32-bit programs, the same calls under other numbers.
_X32 = 0x40000000

#: ``clone`` itself, which starts processes and threads, and its flag for a user namespace.
_CLONE, _NEW_USER_NAMESPACE = (56, 220), 0x10000000

#: ``socket``, and the families that it may ask for: Unix, IPv4, IPv6, and netlink, by which libraries list addresses.
_SOCKET, _FAMILIES = (41, 198), (1, 2, 10, 16)

_LOAD, _EQUAL, _AT_LEAST, _HAS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06  # BPF: ld [k]; jeq k; jge k; jset k; ret k
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000 | errno.ENOSYS


def call_filter(machine: str | None = None) -> bytes:
    """The filter as the kernel reads it; empty for a machine whose numbers are not known here.

    Args:
        machine: as ``platform.machine`` says it; by default this one.
    """
    column, name = _MACHINES.get(machine or platform.machine(), (0, 0))
    if not name:
        return b""
    numbers = [of_machines[column] for of_machines in FORBIDDEN.values()]
    fail = len(numbers) + len(_FAMILIES) + 9  # where the last two instructions are
    allow = fail + 1
    # Each jump has the places to which it leads, if its condition holds and if not; 0 for the next instruction.
    code = [
        (_LOAD, 0, 0, 4),  # the machine for which the call is made: 32-bit programs have other numbers
        (_EQUAL, 0, fail, name),
        (_LOAD, 0, 0, 0),  # the number of the call
        (_AT_LEAST, fail, 0, _X32),
        *((_EQUAL, fail, 0, number) for number in numbers),
        (_EQUAL, 0, len(numbers) + 7, _CLONE[column]),
        (_LOAD, 0, 0, 16),  # its flags
        (_HAS, fail, allow, _NEW_USER_NAMESPACE),
        (_EQUAL, 0, allow, _SOCKET[column]),
        (_LOAD, 0, 0, 16),  # its family
        *((_EQUAL, allow, 0, family) for family in _FAMILIES),
        (_RETURN, 0, 0, _FAIL),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(
        struct.pack("=HBBI", kind, *(place and place - at - 1 for place in places), operand)
        for at, (kind, *places, operand) in enumerate(code)
    )
