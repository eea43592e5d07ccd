// Learns how each opponent answers bets and with which dice it bets, and plays the best response to that. It is the
// same program as bots/strategies/dice/adaptive.py, which explains it; tests hold both equal.
#include "tournament.h"

#include <math.h>

#include "equilibrium.h"

#define OUTCOMES 7  // what a bet leads to: a fold (0), or a showdown with a die of 1 to 6
#define PLACES 8    // of a row: its outcomes, and one that is not used
#define BESIDE 4    // empty rows on both sides of those for B from 3 to 18
#define ROWS (16 + 2 * BESIDE)

static const double WEIGHTS[BESIDE] = {0.4, 0.16, 0.064, 0.0256};  // of a deal with a B that is 1 to 4 away
static const double PRIOR = 3.0;         // deals against the equilibrium player that are taken for granted
static const double NEIGHBOURS = 100.0;  // deals that count with other B, at most
static const double AGREEMENT = 0.25;    // the same where they differ from the own counts
static const double SURE = 0.3;          // how much a die is taken for one that is always bet, with 6 deals
static const double MARGIN = 0.02;       // chips a deal by which an answer must be better
static const int LIMIT = 4096;           // deals of a row after which its counts are halved

static int counts[MAX_PLAYERS][2][ROWS][PLACES];
static double prior[2][16][OUTCOMES];

static void prepare()
{
    for (int role = 0; role < 2; role++)
        for (int b = 0; b < 16; b++) {
            const double *bets = EQUILIBRIUM[b][1 - role];
            double stays = 0;
            for (int i = 0; i < 6; i++) stays += bets[i];
            const double folds = role ? 0 : 6 - stays, size = folds + stays;
            prior[role][b][0] = PRIOR * folds / size;
            for (int i = 0; i < 6; i++) prior[role][b][i + 1] = PRIOR * bets[i] / size;
        }
}

// The part of the counts with other B that is added to the own ones: less if they differ by more than chance explains.
static double share_of(const int *own, const double *near_by)
{
    int deals = 0;
    double others = 0, most = NEIGHBOURS;
    for (int i = 0; i < OUTCOMES; i++) {
        deals += own[i];
        others += near_by[i];
    }
    if (deals) {
        double spread = 1, distance = 0;
        for (int i = 0; i < OUTCOMES; i++) {
            const double part = near_by[i] / others, apart = (double)own[i] / deals - part;
            spread -= part * part;
            distance += apart * apart;
        }
        const double beyond = distance - spread / deals - spread / others;
        if (beyond * NEIGHBOURS > AGREEMENT * spread) most = AGREEMENT * spread / beyond;
    }
    return fmin(1, most / others);
}

// About exp(-z * z / 2) of the normal distribution.
static double closeness(double times, double expected)
{
    const double away = times - expected, fit = 1 + away * away / (8 * expected);
    return 1 / (fit * fit * fit * fit);
}

// How often a die was shown by a first player who always bets it: about the mean of the largest numbers.
static double usual(const double *sample)
{
    double largest = 0, total = 0, weights = 0;
    for (int i = 1; i < OUTCOMES; i++) largest = fmax(largest, sample[i]);
    for (int i = 1; i < OUTCOMES; i++) {
        const double weight = closeness(sample[i], largest);
        total += weight * sample[i];
        weights += weight;
    }
    return total / weights;
}

// Most opponents bet many dice always: move each number towards that of such a die, the closer the more.
static void sharpen(double *sample, int role, double never_played)
{
    double size = 0, stays = 0;
    for (int i = 0; i < OUTCOMES; i++) size += sample[i];
    const double always = role ? usual(sample) : size / 6;
    const double sure = SURE * sqrt(fmax(size - never_played, 0) / 6);
    for (int i = 1; i < OUTCOMES; i++) {
        const double weight = sure * closeness(sample[i], always);
        const double times = (sample[i] + weight * always) / (1 + weight);
        sample[i] = role ? times : fmin(times, always);
        stays += sample[i];
    }
    if (!role) sample[0] = size - stays;
}

// How often to bet: 0 or 1 where the counts say what is better, else as the equilibrium.
static double chance(int op, int b, int role, int d)
{
    const int (*row)[PLACES] = &counts[op][role][b - 3 + BESIDE];
    double sample[OUTCOMES];
    for (int i = 0; i < OUTCOMES; i++) sample[i] = prior[role][b - 3][i];
    for (int away = 1; away <= BESIDE; away++)
        for (int i = 0; i < OUTCOMES; i++) sample[i] += WEIGHTS[away - 1] * (row[-away][i] + row[away][i]);
    const double share = share_of(*row, sample);
    for (int i = 0; i < OUTCOMES; i++) sample[i] = (*row)[i] + share * sample[i];
    sharpen(sample, role, share * PRIOR);
    double size = 0, total = 0;
    for (int i = 0; i < OUTCOMES; i++) {
        const int won = i == 0 ? 2 : b * ((d > i) - (d < i));
        size += sample[i];
        total += sample[i] * (1 + role + won);
    }
    if (fabs(total) <= MARGIN * size) return EQUILIBRIUM[b - 3][role][d - 1];
    return total > 0;
}

static void count(int op, int b, int role, int outcome)
{
    int *row = counts[op][role][b - 3 + BESIDE], deals = 0;
    row[outcome]++;
    for (int i = 0; i < OUTCOMES; i++) deals += row[i];
    if (deals >= LIMIT)
        for (int i = 0; i < OUTCOMES; i++) row[i] /= 2;
}

static int decide(int op, int b, int state, int d)
{
    if (state < 2) return rand() < chance(op, b, state, d) * RAND_NUMBERS;
    if (state != 3) count(op, b, state % 2, d);  // d is 0 after a fold
    return 0;
}

SOLUTION adaptive = {"dice-adaptive", "adaptiv", prepare, decide};
