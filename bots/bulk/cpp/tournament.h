/* What an AI of the dice tournament includes. One file is one AI: it defines one SOLUTION.

   In C++ the SOLUTION may have any name. In C it must be called `solution`.

       SOLUTION mine = {"Ada Lovelace", "Lovelac", Init, AI};
*/
#ifndef TOURNAMENT_H
#define TOURNAMENT_H

#include <stdlib.h> /* rand; the tournament seeds it, so do not call srand */

/* The ids of opponents, `op`, are below this number. */
#define MAX_PLAYERS 256

#ifdef __cplusplus
struct SOLUTION;
extern "C" void tournament_register(const SOLUTION *solution);
#endif

typedef struct SOLUTION {
    /* The name of the strategy, for example your surname. */
    const char *Name;

    /* The name in at most 7 characters. */
    const char *ShortName;

    /* Called once before the first deal. NULL if there is nothing to prepare: all globals are zero. */
    void (*Init)(void);

    /* Called whenever you decide, and when you are told how a deal ended.

       op     the id of your opponent
       b      the value of B, from 3 to 18
       state  even: you are the first player (small blind); odd: you are the second player (big blind)
              0, 1: decide; 2, 3: your opponent has folded; 4, 5: showdown
       d      in states 0 and 1 your die; in states 4 and 5 your opponent's die; else 0

       Returns 0 to fold, anything else to bet or call. In states 2 to 5 the value is ignored, but return one. */
    int (*AI)(int op, int b, int state, int d);

#ifdef __cplusplus
    SOLUTION(const char *name, const char *short_name, void (*init)(), int (*ai)(int op, int b, int state, int d))
        : Name(name), ShortName(short_name), Init(init), AI(ai)
    {
        tournament_register(this);
    }
#endif
} SOLUTION;

#endif
