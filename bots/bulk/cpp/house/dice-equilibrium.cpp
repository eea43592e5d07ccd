// Bets as often as an exact equilibrium does: nobody wins more from it than the game is worth.
#include "tournament.h"

#include "equilibrium.h"

static int decide(int op, int b, int state, int d)
{
    (void)op;
    if (state >= 2) return 0;
    return rand() < EQUILIBRIUM[b - 3][state][d - 1] * RAND_NUMBERS;
}

SOLUTION equilibrium = {"dice-equilibrium", "equilib", NULL, decide};
