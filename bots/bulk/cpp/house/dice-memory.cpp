// Remembers how often each opponent has folded, and the dice that it has shown after a bet of its own. As the first
// player it bets with a four or more, and always if the opponent mostly folds. As the second player it calls with the
// opponent's usual die or more.
#include "tournament.h"

static int bets[MAX_PLAYERS], folds[MAX_PLAYERS], shown[MAX_PLAYERS], pips[MAX_PLAYERS];

static int decide(int op, int b, int state, int d)
{
    (void)b;
    int answer = 0;
    switch (state) {
    case 0:
        answer = d >= 4 || 2 * folds[op] > bets[op];
        bets[op] += answer;
        break;
    case 1:
        answer = shown[op] ? d * shown[op] >= pips[op] : d >= 4;
        break;
    case 2:
        folds[op]++;
        break;
    case 5:
        shown[op]++;
        pips[op] += d;
        break;
    }
    return answer;
}

SOLUTION memory = {"dice-memory", "memory", NULL, decide};
