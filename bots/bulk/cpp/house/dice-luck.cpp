// Draws by chance, but a higher die bets more often: as often as it is not below another one.
#include "tournament.h"

static int decide(int op, int b, int state, int d)
{
    (void)op;
    (void)b;
    if (state >= 2) return 0;
    return rand() % 6 < d;
}

SOLUTION luck = {"dice-luck", "luck", NULL, decide};
