// The larger B, the higher the die it wants: a three while B is at most 6, and one more for every 4 chips of B.
#include "tournament.h"

static int least_die[19];

static void prepare()
{
    for (int b = 3; b <= 18; b++) least_die[b] = 2 + (b + 1) / 4;
}

static int decide(int op, int b, int state, int d)
{
    (void)op;
    if (state >= 2) return 0;
    return d >= least_die[b];
}

SOLUTION price = {"dice-price", "price", prepare, decide};
