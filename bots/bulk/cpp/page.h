// The memory that a worker shares with the process that watches it. `shared_page.py` has the same layout.
#pragma once
#include <cstdint>

#include "tournament.h"

enum Stage : int64_t { STARTING = 0, LOADING = 1, PREPARING = 2, PLAYING = 3, DONE = 4 };

struct PlayerFacts {
    char name[64], short_name[64];
    int64_t static_memory;       // bytes of its code and globals
    int64_t heap, heap_peak;     // bytes allocated, now and at most
    uint64_t rand_state;         // of its rand()
    int64_t init_nanoseconds;    // processor time
    int64_t timed_calls;         // calls of AI that were timed
    int64_t timed_nanoseconds;   // processor time of those
    int64_t slow_calls;          // of those, that took more than a microsecond
    int64_t srand_calls;
};

// What two players did when one of them was first, by action, B less 3 and the die of the one who acted, less 1.
enum Action { FIRST_FOLDS = 0, FIRST_BETS = 1, SECOND_FOLDS = 2, SECOND_CALLS = 3, ACTIONS = 4 };
using ActionCounts = uint32_t[ACTIONS][16][6];

struct Page {
    int64_t stage;
    int64_t deal;     // the number of the deal that is played
    int64_t call;     // who is called in it: 8 * player + state
    int64_t round;    // rounds that are finished
    int64_t system_call;  // the forbidden call that ended the worker, or -1
    int64_t play_nanoseconds;  // processor time from the first deal to the last
    char error[4096];     // why the worker gave up, or what a Python player raised
    PlayerFacts players[MAX_PLAYERS];
    // By block, player and opponent: chips won by the player as the first to bet. Behind them, if that was asked for, the
    // ActionCounts by part of the tournament, first player and second player.
    int64_t chips[];
};
