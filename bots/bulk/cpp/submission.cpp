// Linked into each compiled AI: its SOLUTION, its own rand(), and a count of the memory that it allocates.
// The linker's --wrap leads the author's calls here. Only `tournament_submission` is visible from outside.
#include <malloc.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <new>

#include "submission.h"

namespace {

Submission submission;

void count_memory(int64_t bytes) {
    submission.heap += bytes;
    if (submission.heap > submission.heap_peak) submission.heap_peak = submission.heap;
}

}  // namespace

extern "C" {

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);

void tournament_register(const SOLUTION *solution) {
    submission.solution = solution;
    submission.solutions += 1;
}

Submission *tournament_submission() { return &submission; }

// SplitMix64 (Steele, Lea, Flood 2014), as in driver.cpp and dice_chance.py. RAND_MAX is 2^31 - 1.
int __wrap_rand() {
    submission.rand_state += 0x9E3779B97F4A7C15u;
    uint64_t z = submission.rand_state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return static_cast<int>((z ^ (z >> 31)) >> 33);
}

void __wrap_srand(unsigned) { submission.srand_calls += 1; }

long __wrap_random() { return __wrap_rand(); }

void __wrap_srandom(unsigned) { submission.srand_calls += 1; }

// Without the destructors of the worker's own libraries.
void __wrap_exit(int code) { _exit(code); }

void *__wrap_malloc(size_t size) {
    void *block = __real_malloc(size);
    count_memory(static_cast<int64_t>(malloc_usable_size(block)));
    return block;
}

void *__wrap_calloc(size_t count, size_t size) {
    void *block = __real_calloc(count, size);
    count_memory(static_cast<int64_t>(malloc_usable_size(block)));
    return block;
}

void *__wrap_realloc(void *block, size_t size) {
    int64_t before = static_cast<int64_t>(malloc_usable_size(block));
    void *moved = __real_realloc(block, size);
    if (moved != nullptr || size == 0) count_memory(static_cast<int64_t>(malloc_usable_size(moved)) - before);
    return moved;
}

void __wrap_free(void *block) {
    count_memory(-static_cast<int64_t>(malloc_usable_size(block)));
    __real_free(block);
}

}  // extern "C"

void *operator new(size_t size) {
    void *block = __wrap_malloc(size ? size : 1);
    if (block == nullptr) throw std::bad_alloc();
    return block;
}
void *operator new[](size_t size) { return operator new(size); }
void operator delete(void *block) noexcept { __wrap_free(block); }
void operator delete[](void *block) noexcept { __wrap_free(block); }
void operator delete(void *block, size_t) noexcept { __wrap_free(block); }
void operator delete[](void *block, size_t) noexcept { __wrap_free(block); }

#ifdef SOLUTION_IN_C
// The same four members as in C++, which has a constructor beside them.
struct PlainSolution {
    const char *Name, *ShortName;
    void (*Init)();
    int (*AI)(int op, int b, int state, int d);
};
extern "C" PlainSolution solution;
namespace {
const SOLUTION registered(solution.Name, solution.ShortName, solution.Init, solution.AI);
}
#endif
