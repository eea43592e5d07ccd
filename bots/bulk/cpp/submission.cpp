// Linked into each compiled AI, so that memory from `new` is counted as that from malloc(), which the linker leads to the
// driver. A file in C also gets its SOLUTION registered here.
#include <cstdlib>
#include <new>

#include "tournament.h"

void *operator new(size_t size) {
    void *block = malloc(size ? size : 1);
    if (block == nullptr) throw std::bad_alloc();
    return block;
}
void *operator new[](size_t size) { return operator new(size); }
void operator delete(void *block) noexcept { free(block); }
void operator delete[](void *block) noexcept { free(block); }
void operator delete(void *block, size_t) noexcept { free(block); }
void operator delete[](void *block, size_t) noexcept { free(block); }

#ifdef SOLUTION_IN_C
// The same four members as in C++, which has a constructor beside them.
struct PlainSolution {
    const char *Name, *ShortName;
    void (*Init)();
    int (*AI)(int op, int b, int state, int d);
};
// Weak, so that a file without it can be loaded, and the driver tells its author in a sentence.
extern "C" __attribute__((weak)) PlainSolution solution;
__attribute__((constructor)) static void register_solution() {
    if (&solution == nullptr) return;
    static const SOLUTION registered(solution.Name, solution.ShortName, solution.Init, solution.AI);
}
#endif
