// Players that are programs over TCP. The process of a tournament may not open sockets, so it asks on one that it was
// given, at whose other end somebody holds the connections. The layout is that of protocol/wire/bulk.py.
#pragma once
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

struct ProgramCall {
    int64_t deal;
    int32_t player, opponent, b, state, d, unused;
};
static_assert(sizeof(ProgramCall) == 32, "as in protocol/wire/bulk.py");

constexpr int LOG_IN = -1;                          // the state before the first deal
constexpr unsigned char FAILED = 2;                 // the answer; 0 is a fold and 1 a bet
constexpr int LOST = 4;                             // exit code if nobody holds the other end any more

// Thrown when no acceptable reply came: the deal is void, and so are all later ones of this player.
struct ProgramFailed {
    int player;
    int state;
};

inline int call_program(int socket, const ProgramCall &call) {
    if (write(socket, &call, sizeof call) != static_cast<ssize_t>(sizeof call)) _exit(LOST);
    if (call.state > 1) return 0;
    unsigned char answer;
    if (read(socket, &answer, 1) != 1) _exit(LOST);
    if (answer == FAILED) throw ProgramFailed{call.player, call.state};
    return answer;
}
