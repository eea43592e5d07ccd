// What the driver and a compiled AI know of each other.
#pragma once
#include <cstdint>

#include "tournament.h"

struct Submission {
    const SOLUTION *solution;  // the last one registered
    int64_t solutions;         // how many the file defines; it should be one
    uint64_t rand_state;
    int64_t srand_calls;
    int64_t heap, heap_peak;  // bytes
};

using SubmissionDoor = Submission *(*)();
