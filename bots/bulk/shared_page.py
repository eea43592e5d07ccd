"""The memory that a worker shares with the process that watches it, as ``cpp/page.h`` lays it out."""

import ctypes
import mmap
from typing import BinaryIO

MAX_PLAYERS = 256

#: Numbers that tell what two players did: ``ActionCounts``.
ACTION_COUNTS = 4 * 16 * 6

#: What a worker is doing: ``Page.stage``.
STARTING, LOADING, PREPARING, PLAYING, DONE = range(5)


class PlayerFacts(ctypes.Structure):
    """What a worker finds out about a player; sizes in bytes."""

    name: bytes
    short_name: bytes
    static_memory: int
    heap_peak: int
    init_nanoseconds: int
    timed_calls: int
    timed_nanoseconds: int
    slow_calls: int
    srand_calls: int

    _fields_ = (
        ("name", ctypes.c_char * 64),
        ("short_name", ctypes.c_char * 64),
        ("static_memory", ctypes.c_int64),
        ("heap", ctypes.c_int64),
        ("heap_peak", ctypes.c_int64),
        ("rand_state", ctypes.c_uint64),
        ("init_nanoseconds", ctypes.c_int64),
        ("timed_calls", ctypes.c_int64),
        ("timed_nanoseconds", ctypes.c_int64),
        ("slow_calls", ctypes.c_int64),
        ("srand_calls", ctypes.c_int64),
    )


class Page(ctypes.Structure):
    """The page without the chips behind it. The comments in ``cpp/page.h`` say what its fields mean."""

    stage: int
    deal: int
    call: int
    round: int
    system_call: int
    play_nanoseconds: int
    error: bytes
    players: ctypes.Array[PlayerFacts]

    _fields_ = (
        ("stage", ctypes.c_int64),
        ("deal", ctypes.c_int64),
        ("call", ctypes.c_int64),
        ("round", ctypes.c_int64),
        ("system_call", ctypes.c_int64),
        ("play_nanoseconds", ctypes.c_int64),
        ("error", ctypes.c_char * 4096),
        ("players", PlayerFacts * MAX_PLAYERS),
    )


class SharedPage:
    """The page and the chips behind it, in a file that both processes map.

    Attributes:
        page: its fields.
        chips: by block, player and opponent in one row: chips won by the player as the first to bet.
        actions: the memory of the numbers of actions, empty if they are not counted; ``cpp/page.h`` lays it out.
    """

    def __init__(self, file: BinaryIO, players: int, blocks: int, action_parts: int = 0) -> None:
        values = blocks * players * players
        behind = ctypes.sizeof(Page) + 8 * values
        size = behind + 4 * ACTION_COUNTS * action_parts * players * players
        file.truncate(size)
        memory = mmap.mmap(file.fileno(), size)
        self.page = Page.from_buffer(memory)
        self.chips = (ctypes.c_int64 * values).from_buffer(memory, ctypes.sizeof(Page))
        self.actions = memoryview(memory)[behind:]
