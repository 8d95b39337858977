/*
 * The search of Figure 5.7 for Take-Stones, hand-written: the reference of core/search.
 *
 *     take_stones <n> <depth>
 *
 * searches the initial position with the stones 1 to n and prints on one line
 *
 *     move value visited evaluated max-depth seconds
 *
 * Depth 0 is the end of the game. The seconds are processor time of the search alone.
 *
 * It is written for a known maximum n: two functions that call each other, one board on which moves
 * are made and undone, and arrays of a fixed size. Compile with -DWORDS=w for up to 64 w stones. A
 * set of stones is an array of w words. The moves are the remaining stones within a mask of the last
 * stone's neighbours; with -DLISTS they are found in a list of the neighbours instead. The benchmark
 * compares both for large boards.
 *
 * Stones are numbered from 0 here, so that the stone s of the game is the bit s - 1.
 */
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef WORDS
#define WORDS 1
#endif
#define STONES (64 * WORDS)

static int n;
static int depth_limit;

static uint64_t remaining[WORDS];
static double values[STONES][2];    /* of the evaluation, for an even and for an odd count */

static int64_t visited;
static int64_t evaluated;
static int deepest;

static inline bool remains(int stone)
{
    return remaining[stone >> 6] >> (stone & 63) & 1;
}

/* Takes a stone, or puts it back. */
static inline void flip(int stone)
{
    remaining[stone >> 6] ^= UINT64_C(1) << (stone & 63);
}

/*
 * The two representations. Each brings: connect(), which makes a stone another's neighbour;
 * has_move(); odd_count(), the parity that decides the evaluation; and FOR_EACH_MOVE, which hands
 * out the legal moves in ascending order.
 */

#ifdef LISTS

struct list {
    int length;
    int16_t stones[STONES];
};
static struct list neighbours[STONES];  /* factors and multiples, ascending */
static struct list counted[STONES];     /* those that the evaluation counts */

static void append(struct list *list, int stone)
{
    list->stones[list->length++] = (int16_t)stone;
}

static void connect(int stone, int other, bool counts)
{
    append(&neighbours[stone], other);
    if (counts)
        append(&counted[stone], other);
}

static inline bool has_move(int last)
{
    for (int i = 0; i < neighbours[last].length; i++)
        if (remains(neighbours[last].stones[i]))
            return true;
    return false;
}

static inline bool odd_count(int last)
{
    bool odd = false;
    for (int i = 0; i < counted[last].length; i++)
        odd ^= remains(counted[last].stones[i]);
    return odd;
}

#define FOR_EACH_MOVE(move, last)                                                   \
    for (int i_ = 0, move; i_ < neighbours[last].length; i_++)                      \
        if (remains(move = neighbours[last].stones[i_]))

#else

static uint64_t neighbours[STONES][WORDS];  /* factors and multiples */
static uint64_t counted[STONES][WORDS];     /* those that the evaluation counts */

static void connect(int stone, int other, bool counts)
{
    neighbours[stone][other >> 6] |= UINT64_C(1) << (other & 63);
    if (counts)
        counted[stone][other >> 6] |= UINT64_C(1) << (other & 63);
}

static inline bool has_move(int last)
{
    for (int word = 0; word < WORDS; word++)
        if (neighbours[last][word] & remaining[word])
            return true;
    return false;
}

static inline bool odd_count(int last)
{
    /* The parity of a sum is the parity of the words' exclusive or. */
    uint64_t words = 0;
    for (int word = 0; word < WORDS; word++)
        words ^= counted[last][word] & remaining[word];
    return __builtin_parityll(words);
}

#define FOR_EACH_MOVE(move, last)                                                   \
    for (int word_ = 0, move; word_ < WORDS; word_++)                               \
        for (uint64_t moves_ = neighbours[last][word_] & remaining[word_];          \
             moves_ && (move = 64 * word_ + __builtin_ctzll(moves_), true);         \
             moves_ &= moves_ - 1)

#endif

/* The assignment's static evaluation for Max on his turn; on Min's it is the negative. */
static inline double evaluate(int last)
{
    if (remains(0))
        return 0.0;
    return values[last][odd_count(last)];
}

static inline void count_visit(int depth)
{
    visited++;
    if (depth > deepest)
        deepest = depth;
}

static double min_value(int last, int depth, double alpha, double beta);

static double max_value(int last, int depth, double alpha, double beta)
{
    count_visit(depth);
    if (!has_move(last)) {
        evaluated++;
        return -1.0;
    }
    if (depth == depth_limit) {
        evaluated++;
        return evaluate(last);
    }
    double best = -INFINITY;
    FOR_EACH_MOVE(move, last) {
        flip(move);
        double value = min_value(move, depth + 1, alpha, beta);
        flip(move);
        if (value > best)
            best = value;
        if (best >= beta)
            return best;
        if (best > alpha)
            alpha = best;
    }
    return best;
}

static double min_value(int last, int depth, double alpha, double beta)
{
    count_visit(depth);
    if (!has_move(last)) {
        evaluated++;
        return 1.0;
    }
    if (depth == depth_limit) {
        evaluated++;
        return 0.0 - evaluate(last);    /* never minus zero */
    }
    double best = INFINITY;
    FOR_EACH_MOVE(move, last) {
        flip(move);
        double value = max_value(move, depth + 1, alpha, beta);
        flip(move);
        if (value < best)
            best = value;
        if (best <= alpha)
            return best;
        if (best < beta)
            beta = best;
    }
    return best;
}

/* The root: the first move is an odd stone below n/2, and the first of the best counts. */
static int search(double *value)
{
    int best_move = 0;
    *value = -INFINITY;
    count_visit(0);
    for (int number = 1; 2 * number < n; number += 2) {
        flip(number - 1);
        double child = min_value(number - 1, 1, *value, INFINITY);
        flip(number - 1);
        if (child > *value) {
            *value = child;
            best_move = number;
        }
    }
    return best_move;
}

static int largest_prime_factor(int number)
{
    int largest = 1;
    for (int divisor = 2; number > 1; divisor++)
        while (number % divisor == 0) {
            largest = divisor;
            number /= divisor;
        }
    return largest;
}

static void set_up(void)
{
    for (int number = 1; number <= n; number++) {
        int prime = largest_prime_factor(number);
        double magnitude = number == 1 ? 0.5 : number == prime ? 0.7 : 0.6;
        values[number - 1][0] = -magnitude;
        values[number - 1][1] = magnitude;
        flip(number - 1);
        for (int other = 1; other <= n; other++)
            if (other != number && (other % number == 0 || number % other == 0))
                connect(number - 1, other - 1, other % prime == 0);
    }
}

static double cpu_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

int main(int argc, char **argv)
{
    if (argc != 3 || (n = atoi(argv[1])) < 3 || n > STONES || (depth_limit = atoi(argv[2])) < 0) {
        fprintf(stderr, "usage: search <n> <depth>, n from 3 to %d\n", STONES);
        return 2;
    }
    if (depth_limit == 0)
        depth_limit = INT_MAX;
    set_up();
    double value;
    double start = cpu_seconds();
    int move = search(&value);
    double seconds = cpu_seconds() - start;
    printf("%d %.1f %lld %lld %d %.9f\n",
           move, value, (long long)visited, (long long)evaluated, deepest, seconds);
    return 0;
}
