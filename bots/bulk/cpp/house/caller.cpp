// Bets and calls with any die.
#include "tournament.h"

static int decide(int op, int b, int state, int d)
{
    (void)op;
    (void)b;
    (void)state;
    (void)d;
    return 1;
}

SOLUTION caller = {"caller", "caller", NULL, decide};
