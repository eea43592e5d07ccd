// Plays a dice tournament of compiled AIs, everybody against everybody, in one thread of a worker process.
// It counts for all of them what they allocate and how they use rand(): an index outside an array of an AI reaches that
// AI's library alone, and neither these counters nor the page.
#include <dlfcn.h>
#include <link.h>
#include <malloc.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "forbidden_calls.h"
#include "page.h"
#include "programs.h"
#include "tournament.h"

namespace {

using Decide = int (*)(int op, int b, int state, int d);
using Prepare = void (*)();

constexpr uint64_t GOLDEN = 0x9E3779B97F4A7C15u;  // SplitMix64 (Steele, Lea, Flood 2014)
constexpr size_t GAP = size_t{64} << 20;          // bytes without any memory between two AIs, and around the page

// A call in which an AI failed when this tournament was played before. It is not made again: the deal is void, and so
// are all later deals of this AI.
struct Failure {
    int64_t deal;
    int64_t state;
};

struct Pair {
    int first, second;
    uint64_t offset;  // number of the pair in a round, times GOLDEN
    int64_t number;
};

Page *page;
int players;
Decide decide[MAX_PLAYERS];
Prepare prepare[MAX_PLAYERS];
const SOLUTION *solution;  // the last one that the file that is loaded has registered
int solutions;             // so many; it should be one
Failure failures[MAX_PLAYERS];
int programs = -1;  // the socket on which programs over TCP are asked; -1 if none play
ActionCounts *actions;  // of all pairs in the part of the tournament that is played; null if nobody asked for them

bool ais_run = false;  // from the moment at which an AI's code may run: while its file is loaded, and in the tournament

// The worker sets a tournament up. An AI is linked with this library, so it could call the same functions.
void refuse_ais() {
    if (!ais_run) return;
    snprintf(page->error, sizeof page->error, "it called a function of the tournament that is not for AIs");
    _exit(1);
}

int64_t processor_time() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * int64_t{1000000000} + now.tv_nsec;
}

// Store without the compiler leaving it out: the watching process reads it when an AI has failed.
inline void note(int64_t &place, int64_t value) { *const_cast<volatile int64_t *>(&place) = value; }

template <bool timed>
inline int ask(int player, int opponent, int b, int state, int d) {
    note(page->call, 8 * player + state);
    if (!timed) return decide[player](opponent, b, state, d);
    int64_t start = processor_time();
    int answer = decide[player](opponent, b, state, d);
    int64_t end = processor_time();
    const int64_t taken = (end - start) - (processor_time() - end);  // less reading the clock
    page->players[player].timed_nanoseconds += taken;
    page->players[player].timed_calls += 1;
    page->players[player].slow_calls += taken > 1000;
    return answer;
}

int decide_by_program(int opponent, int b, int state, int d) {
    return call_program(programs, {page->deal, static_cast<int>(page->call / 8), opponent, b, state, d, 0});
}

void log_in_program() { call_program(programs, {-1, static_cast<int>(page->call / 8), 0, 0, LOG_IN, 0, 0}); }

inline uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

inline PlayerFacts &called() { return page->players[page->call / 8]; }

void count_memory(int64_t bytes) {
    PlayerFacts &facts = called();
    facts.heap += bytes;
    if (facts.heap > facts.heap_peak) facts.heap_peak = facts.heap;
}

inline int die(uint64_t bits) { return 1 + static_cast<int>(((bits & 0x3FFFFFFFu) * 6) >> 30); }

// The opening of one player can be replaced: its first decisions against each opponent are those of a coin, whatever it
// decides. So a tournament shows what others make of its own opening.
Decide own_decide;
uint64_t coin;
int64_t replaced_left[MAX_PLAYERS];

int decide_by_coin_first(int op, int b, int state, int d) {
    const int answer = own_decide(op, b, state, d);
    if (state > 1 || replaced_left[op] == 0) return answer;
    replaced_left[op] -= 1;
    coin += GOLDEN;
    return static_cast<int>(mix(coin) >> 63);
}

// Chips that the first player wins. The rules are those of protocol/dice.py; tests hold them equal.
template <bool timed>
inline int play_deal(int first, int second, uint64_t random) {
    const int b = 3 + static_cast<int>(random >> 60), own = die(random), other = die(random >> 30);
    if (!ask<timed>(first, second, b, 0, own)) {
        ask<timed>(second, first, b, 3, 0);
        return -1;
    }
    if (!ask<timed>(second, first, b, 1, other)) {
        ask<timed>(first, second, b, 2, 0);
        return 2;
    }
    ask<timed>(first, second, b, 4, other);
    ask<timed>(second, first, b, 5, own);
    return own > other ? b : own < other ? -b : 0;
}

// A deal in which a call failed before: play it up to that call.
void play_until(int failed, int64_t failed_state, int first, int second, uint64_t random) {
    const int b = 3 + static_cast<int>(random >> 60), own = die(random), other = die(random >> 30);
    auto fails = [&](int player, int state) { return player == failed && state == failed_state; };
    if (fails(first, 0)) return;
    if (!ask<false>(first, second, b, 0, own)) {
        if (!fails(second, 3)) ask<false>(second, first, b, 3, 0);
        return;
    }
    if (fails(second, 1)) return;
    if (!ask<false>(second, first, b, 1, other)) {
        if (!fails(first, 2)) ask<false>(first, second, b, 2, 0);
        return;
    }
    if (fails(first, 4)) return;
    ask<false>(first, second, b, 4, other);
    if (!fails(second, 5)) ask<false>(second, first, b, 5, own);
}

// Count what both players did in a deal, which the chips won tell: no showdown is about fewer than 3.
inline void count_actions(int first, int second, uint64_t random, int won) {
    const int b = static_cast<int>(random >> 60), own = die(random) - 1, other = die(random >> 30) - 1;
    ActionCounts &counts = actions[first * players + second];
    counts[won == -1 ? FIRST_FOLDS : FIRST_BETS][b][own] += 1;
    if (won != -1) counts[won == 2 ? SECOND_FOLDS : SECOND_CALLS][b][other] += 1;
}

// How a round is played: as fast as can be, with every call timed, or with every action counted.
enum Way { PLAIN, TIMED, COUNTED };

template <Way way>
void play_round(const std::vector<Pair> &pairs, uint64_t before, int64_t number, bool turned, int64_t *chips) {
    for (const Pair &pair : pairs) {
        note(page->deal, number + pair.number);
        const uint64_t random = mix(before + pair.offset);
        const int first = turned ? pair.second : pair.first, second = turned ? pair.first : pair.second;
        const int won = play_deal<way == TIMED>(first, second, random);
        chips[first * players + second] += won;
        if (way == COUNTED) count_actions(first, second, random, won);
    }
}

std::vector<Pair> all_pairs() {
    std::vector<Pair> pairs;
    for (int first = 0; first < players; ++first)
        for (int second = first + 1; second < players; ++second) {
            const int64_t number = static_cast<int64_t>(pairs.size());
            pairs.push_back({first, second, static_cast<uint64_t>(number) * GOLDEN, number});
        }
    return pairs;
}

// The pairs of players who have not failed before deal `number`.
std::vector<Pair> pairs_left(const std::vector<Pair> &pairs, int64_t number) {
    std::vector<Pair> left;
    for (const Pair &pair : pairs)
        if (failures[pair.first].deal >= number && failures[pair.second].deal >= number) left.push_back(pair);
    return left;
}

// A round in which a player fails that failed before, or in which a program may fail. Returns whether a program did.
template <bool timed>
bool play_careful_round(const std::vector<Pair> &pairs, uint64_t before, int64_t number, bool turned, int64_t *chips) {
    bool failed_now = false;
    for (const Pair &pair : pairs) {
        const int64_t deal = number + pair.number;
        const int64_t one = failures[pair.first].deal, other = failures[pair.second].deal;
        if (one < deal || other < deal) continue;
        note(page->deal, deal);
        const uint64_t random = mix(before + pair.offset);
        const int first = turned ? pair.second : pair.first, second = turned ? pair.first : pair.second;
        try {
            if (one == deal || other == deal) {
                const int failed = one == deal ? pair.first : pair.second;
                play_until(failed, failures[failed].state, first, second, random);
            } else {
                const int won = play_deal<timed>(first, second, random);
                chips[first * players + second] += won;
                if (actions != nullptr) count_actions(first, second, random, won);
            }
        } catch (const ProgramFailed &program) {
            failures[program.player] = {deal, program.state};
            failed_now = true;
        }
    }
    return failed_now;
}

void forbidden_call(int, siginfo_t *info, void *) {
    page->system_call = info->si_syscall;
    _exit(1);
}

// Find the parts of a loaded file, of which `inside` is an address.
struct Search {
    uintptr_t inside;
    int64_t bytes;
};

int visit_file(dl_phdr_info *info, size_t, void *wanted) {
    auto *search = static_cast<Search *>(wanted);
    int64_t bytes = 0;
    bool found = false;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto &part = info->dlpi_phdr[i];
        if (part.p_type != PT_LOAD) continue;
        bytes += static_cast<int64_t>(part.p_memsz);
        const uintptr_t start = info->dlpi_addr + part.p_vaddr;
        found = found || (search->inside >= start && search->inside < start + part.p_memsz);
    }
    if (!found) return 0;
    search->bytes = bytes;
    seal_file(info);
    return 1;
}

// The shared page, with nothing before and behind it.
Page *map_page(int file) {
    struct stat status;
    if (fstat(file, &status) != 0) return nullptr;
    const auto size = static_cast<size_t>(status.st_size);
    void *area = mmap(nullptr, size + 2 * GAP, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (area == MAP_FAILED) return nullptr;
    void *inside = static_cast<char *>(area) + GAP;
    if (mmap(inside, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) return nullptr;
    return static_cast<Page *>(inside);
}

void copy_name(char *to, const char *from) { snprintf(to, 64, "%s", from ? from : ""); }

// How a worker ends: an AI failed, or its file holds none at all (NO_AI in failures.py).
constexpr int FAILED = 1, NO_AI = 5;

int fail(const char *what, const char *why) {
    snprintf(page->error, sizeof page->error, "%s: %s", what, why);
    return FAILED;
}

int refuse(const char *why) {
    snprintf(page->error, sizeof page->error, "%s", why);
    return NO_AI;
}

}  // namespace

extern "C" {

int64_t tournament_page_size() { return sizeof(Page); }

// What the linker leads the calls of an AI to (--wrap).

void tournament_register(const SOLUTION *registered) {
    solution = registered;
    solutions += 1;
}

int __wrap_rand() {  // RAND_MAX is 2^31 - 1
    return static_cast<int>(mix(called().rand_state += GOLDEN) >> 33);
}

void __wrap_srand(unsigned) { called().srand_calls += 1; }

long __wrap_random() { return __wrap_rand(); }

void __wrap_srandom(unsigned) { called().srand_calls += 1; }

// Without the destructors of the worker's own libraries.
void __wrap_exit(int code) { _exit(code); }

void *__wrap_malloc(size_t size) {
    void *block = malloc(size);
    count_memory(static_cast<int64_t>(malloc_usable_size(block)));
    return block;
}

void *__wrap_calloc(size_t count, size_t size) {
    void *block = calloc(count, size);
    count_memory(static_cast<int64_t>(malloc_usable_size(block)));
    return block;
}

void *__wrap_realloc(void *block, size_t size) {
    const auto before = static_cast<int64_t>(malloc_usable_size(block));
    void *moved = realloc(block, size);
    if (moved != nullptr || size == 0) count_memory(static_cast<int64_t>(malloc_usable_size(moved)) - before);
    return moved;
}

void __wrap_free(void *block) {
    count_memory(-static_cast<int64_t>(malloc_usable_size(block)));
    free(block);
}

// Begin: `file` is that of the page, already zero; `deals` and `states` say which calls failed before (a deal beyond
// the last one if none did). Returns whether the page could be mapped.
int tournament_begin(int file, int count, const int64_t *deals, const int64_t *states) {
    refuse_ais();
    page = map_page(file);
    if (page == nullptr) return 0;
    page->system_call = -1;
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // no worker outlives the process that watches it
    players = count;
    for (int i = 0; i < count; ++i) failures[i] = {deals[i], states[i]};
    struct sigaction action {};
    action.sa_sigaction = forbidden_call;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSYS, &action, nullptr);
    page->stage = LOADING;
    return 1;
}

// Load a compiled AI as player number `player`; 0, or the exit code of the worker.
int tournament_load(int player, const char *path, uint64_t seed) {
    refuse_ais();
    note(page->call, 8 * player);
    // An index a little beyond a global array then meets no other AI's memory: the AI crashes instead.
    if (mmap(nullptr, GAP, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED)
        return fail(path, "no address space is left");
    solutions = 0;
    PlayerFacts &facts = page->players[player];
    facts.rand_state = seed;
    ais_run = true;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ais_run = false;
    link_map *file;
    if (library == nullptr || dlinfo(library, RTLD_DI_LINKMAP, &file) != 0) return fail(path, dlerror());
    if (solutions == 0) return refuse("it defines no SOLUTION; define one (in C with the name `solution`)");
    if (solutions > 1) return refuse("it defines several SOLUTIONs; leave one in the file, because a file is one player");
    if (solution->AI == nullptr) return refuse("the AI of its SOLUTION is NULL; name your function there");
    decide[player] = solution->AI;
    prepare[player] = solution->Init;
    copy_name(facts.name, solution->Name);
    copy_name(facts.short_name, solution->ShortName);
    Search search{reinterpret_cast<uintptr_t>(file->l_ld), 0};
    dl_iterate_phdr(visit_file, &search);
    facts.static_memory = search.bytes;
    return 0;
}

// A player that has no file to load, or whose file is loaded by the caller next.
void tournament_loading(int player) {
    refuse_ais();
    note(page->call, 8 * player);
}

void tournament_error(const char *what) { snprintf(page->error, sizeof page->error, "%s", what); }

// Take functions that are there already as player number `player`.
void tournament_take(int player, Decide its_decide, Prepare its_prepare) {
    refuse_ais();
    decide[player] = its_decide;
    prepare[player] = its_prepare;
}

// From now on programs over TCP are asked on this socket.
void tournament_connect(int socket) {
    refuse_ais();
    programs = socket;
}

// Take a program over TCP as player number `player`. It logs in when it is prepared.
void tournament_take_program(int player) { tournament_take(player, decide_by_program, log_in_program); }

// Replace the first decisions of a player against each opponent by those of a coin.
void tournament_replace_opening(int player, int64_t decisions, uint64_t seed) {
    refuse_ais();
    coin = seed;
    std::fill(replaced_left, replaced_left + MAX_PLAYERS, decisions);
    own_decide = decide[player];
    decide[player] = decide_by_coin_first;
}

// Call Init of everybody who has not failed before the first deal, then play.
// `parts` says in how many parts of the tournament actions are counted, behind the chips in the page; 0 for not at all.
void tournament_play(int64_t rounds, int64_t blocks, uint64_t key, int64_t stride, int64_t parts) noexcept {
    refuse_ais();
    ais_run = true;
    page->stage = PREPARING;
    for (int player = 0; player < players; ++player) {
        if (failures[player].deal < 0) continue;
        note(page->call, 8 * player);
        const int64_t start = processor_time();
        try {
            if (prepare[player] != nullptr) prepare[player]();
        } catch (const ProgramFailed &) {
            failures[player] = {-1, 0};
        }
        page->players[player].init_nanoseconds = processor_time() - start;
    }
    page->stage = PLAYING;
    const int64_t start = processor_time();
    const std::vector<Pair> pairs = all_pairs();
    const auto in_round = static_cast<int64_t>(pairs.size());
    std::vector<int64_t> failed_rounds;
    for (int player = 0; player < players; ++player)
        if (failures[player].deal >= 0) failed_rounds.push_back(failures[player].deal / in_round);
    std::vector<Pair> left = pairs_left(pairs, 0);
    for (int64_t block = 0; block < blocks; ++block) {
        int64_t *chips = page->chips + block * players * players;
        if (parts > 0)
            actions = reinterpret_cast<ActionCounts *>(page->chips + blocks * players * players) +
                      block * parts / blocks * players * players;
        const int64_t end = rounds * (block + 1) / blocks;
        for (int64_t round = rounds * block / blocks; round < end; ++round) {
            const int64_t number = round * in_round;
            const uint64_t before = key + static_cast<uint64_t>(number) * GOLDEN;
            const bool turned = round % 2;
            const bool timed = round % stride == stride - 1;
            const bool fails = std::find(failed_rounds.begin(), failed_rounds.end(), round) != failed_rounds.end();
            if (fails || programs >= 0) {
                const auto play = timed && !fails ? play_careful_round<true> : play_careful_round<false>;
                if (play(left, before, number, turned, chips) || fails) left = pairs_left(pairs, number + in_round);
            } else if (actions != nullptr) {
                play_round<COUNTED>(left, before, number, turned, chips);
            } else if (timed) {
                play_round<TIMED>(left, before, number, turned, chips);
            } else {
                play_round<PLAIN>(left, before, number, turned, chips);
            }
            note(page->round, round + 1);
        }
    }
    page->play_nanoseconds = processor_time() - start;
    note(page->stage, DONE);
}

}  // extern "C"
