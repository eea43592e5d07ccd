// An AI for a bulk tournament of dice. Put your name below, and your strategy into decide().
//
//     casino round-robin dice dice-four dice-memory --native ai.cpp --rounds 1M
#include "tournament.h"

// What the AI remembers, by opponent. All globals are zero at the start.
static int folds[MAX_PLAYERS];    // how often the opponent has folded
static int showdowns[MAX_PLAYERS];
static int pips[MAX_PLAYERS];     // of all dice that the opponent has shown

// Called once before the first deal.
static void prepare()
{
}

static int decide(int op, int b, int state, int d)
{
    (void)b;  // not used yet: how many chips a bet is about
    switch (state) {
    case 0:  // you are the first player, and d is your die: bet or fold
        return d >= 4 || folds[op] > 2 * showdowns[op];
    case 1:  // the first player has bet, and d is your die: call or fold
        return showdowns[op] ? d * showdowns[op] >= pips[op] : d >= 4;
    case 2:  // you were first, and the opponent has folded
    case 3:  // you were second, and the opponent has folded
        folds[op]++;
        return 0;
    default:  // 4 (you were first) or 5 (second): the showdown, and d is the opponent's die
        showdowns[op]++;
        pips[op] += d;
        return 0;
    }
}

SOLUTION solution = {"My Name", "MyName", prepare, decide};
