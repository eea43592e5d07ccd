// Bets and calls with a four or more.
#include "tournament.h"

static int decide(int op, int b, int state, int d)
{
    (void)op;
    (void)b;
    if (state >= 2) return 0;
    return d >= 4;
}

SOLUTION four = {"dice-four", "four", NULL, decide};
