/* Flip 7, rules fr-2.0, in straightforward C: the speed limit that the engine is measured against.
 *
 *   gcc -O3 -march=native -o flip7_ref flip7_ref.c
 *   ./flip7_ref GAMES T0 T1 T2 ...      one stop threshold per seat
 *
 * Every seat hits while it would bank fewer than T points (stop-at(score=T)), and aims Freeze and Flip Three at the
 * other active seat with the highest total (ties: the first of them clockwise), at itself only when alone; an extra Second
 * Chance goes to the first seat clockwise that may have it. One thread. Prints one JSON line: games per second of
 * processor time, and means to compare with.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ADD0 = 13, X2 = 18, FREEZE = 19, FLIP3 = 20, SECOND = 21, DONE = 22, NONE = -1, MAXSEATS = 32, CAP = 256 };
enum { ACTIVE, STAYED, BUST };

typedef struct { uint16_t numbers; uint8_t doubled, second, status, count; int sum, plus, total, threshold; } Seat;

static uint64_t rng;
static uint8_t draw_pile[CAP], discard_pile[CAP], table[CAP];
static int drawn_left, discarded, on_table, n, active;
static Seat seat[MAXSEATS];
static long draws, rounds, busts, flips;
static double points;

static inline uint32_t bounded(uint32_t bound) {
    rng += 0x9E3779B97F4A7C15ull;
    uint64_t z = rng;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    z ^= z >> 31;
    return (uint32_t)(((z >> 32) * (uint64_t)bound) >> 32);
}

static inline void discard(int card) { discard_pile[discarded++] = card; }

static inline int draw(void) {
    if (!drawn_left) {
        if (!discarded) return NONE;
        memcpy(draw_pile, discard_pile, discarded);
        drawn_left = discarded;
        discarded = 0;
    }
    draws++;
    uint32_t j = bounded(drawn_left);
    int card = draw_pile[j];
    draw_pile[j] = draw_pile[--drawn_left];
    return card;
}

static inline int score(const Seat *s) { return (s->sum << s->doubled) + s->plus; }

/* Give a number or modifier card; true if it completes seven numbers. */
static inline int give(Seat *s, int card) {
    if (card < ADD0) {
        if (s->numbers >> card & 1) {
            if (s->second) { s->second = 0; discard(card); discard(SECOND); return 0; }
            table[on_table++] = card; s->status = BUST; active--; busts++;
            return 0;
        }
        table[on_table++] = card;
        s->numbers |= 1 << card; s->sum += card;
        return ++s->count == 7;
    }
    table[on_table++] = card;
    if (card == X2) s->doubled = 1; else s->plus += 2 * (card - ADD0 + 1);
    return 0;
}

static inline int leader_but(int me) {
    int best = -1, who = me;
    for (int k = 1, i = me; k < n; k++) {
        if (++i >= n) i = 0;
        if (seat[i].status == ACTIVE && seat[i].total > best) { best = seat[i].total; who = i; }
    }
    return who;
}

static inline int heir_of(int me) {
    if (seat[me].status == ACTIVE && !seat[me].second) return me;
    for (int k = 1, i = me; k < n; k++) {
        if (++i >= n) i = 0;
        if (seat[i].status == ACTIVE && !seat[i].second) return i;
    }
    return NONE;
}

static int play(const uint8_t *deck) {
    memcpy(draw_pile, deck, 94); drawn_left = 94; discarded = 0;
    for (int i = 0; i < n; i++) seat[i].total = 0;
    int dealer = bounded(n);
    for (;; dealer = (dealer + 1) % n) {
        rounds++;
        for (int i = 0; i < n; i++) {
            int total = seat[i].total, threshold = seat[i].threshold;
            memset(&seat[i], 0, sizeof(Seat)); seat[i].total = total; seat[i].threshold = threshold;
        }
        on_table = 0; active = n;
        int turn = dealer, flip7 = NONE;
        while (active && flip7 == NONE) {
            if (++turn >= n) turn = 0;
            Seat *s = &seat[turn];
            if (s->status != ACTIVE) continue;
            int card = score(s) < s->threshold ? draw() : NONE;
            if (card == NONE) { s->status = STAYED; active--; continue; }
            if (card < FREEZE) { if (give(s, card)) flip7 = turn; continue; }
            int owner[64], waiting[64], depth = 1;               /* a stack: what is revealed last is resolved first */
            owner[0] = turn; waiting[0] = card;
            while (depth && flip7 == NONE) {
                int from = owner[--depth]; card = waiting[depth];
                if (card == DONE) { discard(FLIP3); continue; }
                if (card == SECOND) { int heir = heir_of(from); if (heir == NONE) discard(card); else seat[heir].second = 1; continue; }
                int to = leader_but(from);
                if (seat[to].status != ACTIVE) { discard(card); continue; }
                if (card == FREEZE) { table[on_table++] = card; seat[to].status = STAYED; active--; continue; }
                int aside[3], set = 0;
                for (int i = 0; i < 3 && flip7 == NONE && seat[to].status == ACTIVE; i++) {
                    int taken = draw();
                    if (taken == NONE) { seat[to].status = STAYED; active--; break; }
                    if (taken >= FREEZE) aside[set++] = taken;
                    else if (give(&seat[to], taken)) flip7 = to;
                }
                waiting[depth++] = DONE;                        /* the Flip Three lies on the table until then (B16) */
                while (set) { owner[depth] = to; waiting[depth++] = aside[--set]; }
            }
            while (depth) { card = waiting[--depth]; discard(card == DONE ? FLIP3 : card); }
        }
        int best = -1, second = -1, who = 0;
        for (int i = 0; i < n; i++) {
            int got = seat[i].status == BUST ? 0 : score(&seat[i]) + (i == flip7 ? 15 : 0);
            points += got; seat[i].total += got;
            if (seat[i].second) discard(SECOND);
            if (seat[i].total > best) { second = best; best = seat[i].total; who = i; }
            else if (seat[i].total > second) second = seat[i].total;
        }
        flips += flip7 != NONE;
        memcpy(discard_pile + discarded, table, on_table); discarded += on_table;
        if (best >= 200 && best > second) return who;
    }
}

int main(int argc, char **argv) {
    if (argc < 3) { fprintf(stderr, "usage: flip7_ref GAMES T0 [T1 ...]\n"); return 2; }
    long games = atol(argv[1]), wins[MAXSEATS] = {0};
    n = argc - 2;
    for (int i = 0; i < n; i++) seat[i].threshold = atoi(argv[2 + i]);
    uint8_t deck[94]; int k = 0;
    for (int v = 0; v <= 12; v++) for (int i = 0; i < (v ? v : 1); i++) deck[k++] = v;
    for (int c = ADD0; c <= X2; c++) deck[k++] = c;
    for (int c = FREEZE; c <= SECOND; c++) for (int i = 0; i < 3; i++) deck[k++] = c;
    clock_t start = clock();
    for (long g = 0; g < games; g++) { rng = (uint64_t)g * 0xD1342543DE82EF95ull + 1; wins[play(deck)]++; }
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("{\"games\": %ld, \"games_per_cpu_second\": %.0f, \"rounds_per_game\": %.5f, \"cards_per_game\": %.4f, "
           "\"round_score\": %.5f, \"bust\": %.6f, \"flip7_per_round\": %.6f, \"wins\": [", games, games / seconds,
           (double)rounds / games, (double)draws / games, points / (rounds * (double)n), busts / (rounds * (double)n),
           (double)flips / rounds);
    for (int i = 0; i < n; i++) printf("%s%.6f", i ? ", " : "", (double)wins[i] / games);
    puts("]}");
    return 0;
}
