// The yardstick of the bulk tournaments: a plain round robin of the five simple AIs in one file, as an author might
// write it. With -DFAST it takes all chance from SplitMix64 instead of rand().
//
//     plain_driver ROUNDS      prints deals, seconds of processor time, and the chips of each AI
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "tournament.h"

#ifdef FAST
static uint64_t state = 1;
static uint64_t next_number()
{
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
static int fast_rand() { return next_number() >> 33; }
#define rand fast_rand
#endif

static const SOLUTION *solutions[5];
static int players;

void tournament_register(const SOLUTION *solution) { solutions[players++] = solution; }

namespace four_one {
#include "house/dice-four.cpp"
}
namespace luck_one {
#include "house/dice-luck.cpp"
}
namespace price_one {
#include "house/dice-price.cpp"
}
namespace caller_one {
#include "house/caller.cpp"
}
namespace memory_one {
#include "house/dice-memory.cpp"
}

static long chips[5];

static void play(int first, int second)
{
#ifdef FAST
    uint64_t bits = next_number();
    int b = 3 + (bits >> 60), own = 1 + ((bits & 0x3FFFFFFF) * 6 >> 30), other = 1 + ((bits >> 30 & 0x3FFFFFFF) * 6 >> 30);
#else
    int b = 3 + rand() % 16, own = 1 + rand() % 6, other = 1 + rand() % 6;
#endif
    int won = 0;
    if (!solutions[first]->AI(second, b, 0, own)) {
        solutions[second]->AI(first, b, 3, 0);
        won = -1;
    } else if (!solutions[second]->AI(first, b, 1, other)) {
        solutions[first]->AI(second, b, 2, 0);
        won = 2;
    } else {
        solutions[first]->AI(second, b, 4, other);
        solutions[second]->AI(first, b, 5, own);
        won = own > other ? b : own < other ? -b : 0;
    }
    chips[first] += won;
    chips[second] -= won;
}

int main(int, char **words)
{
    const long rounds = atol(words[1]);
    for (int i = 0; i < players; i++)
        if (solutions[i]->Init) solutions[i]->Init();
    const clock_t start = clock();
    for (long round = 0; round < rounds; round++)
        for (int i = 0; i < players; i++)
            for (int j = i + 1; j < players; j++) {
                if (round % 2) play(j, i);
                else play(i, j);
            }
    const double seconds = double(clock() - start) / CLOCKS_PER_SEC;
    printf("%ld %.6f %ld %ld %ld %ld %ld\n", rounds * players * (players - 1) / 2, seconds, chips[0], chips[1], chips[2],
           chips[3], chips[4]);
}
