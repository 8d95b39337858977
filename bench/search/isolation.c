/*
 * The search of Figure 5.7 for Isolation, hand-written: the reference of core/search.
 *
 *     isolation <depth>
 *
 * searches the initial position and prints on one line
 *
 *     move value visited evaluated max-depth seconds
 *
 * It has no exact endings (core/isolation/ending.pxd), which the project's search uses from 20
 * squares occupied besides a piece: down to 18 plies both visit the same nodes.
 *
 * Depth 0 is the end of the game. The seconds are processor time of the search alone.
 *
 * Two functions call each other, Max's for x and Min's for o, and pass the board as one word. Squares are numbered from 0, row by row.
 */
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LOSS 1000.0
#define WEIGHT 2.5
#define BIT(square) (UINT64_C(1) << (square))

struct line {
    uint64_t before, after, both;
};
static struct line lines[64][4];

/* The sum of the distances from a square to the occupied squares of one row. */
static uint8_t distances[8][15][256];

static int depth_limit;
static int64_t visited;
static int64_t evaluated;
static int deepest;

static inline int count(uint64_t word)
{
    word -= word >> 1 & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (int)(word * UINT64_C(0x0101010101010101) >> 56);
}

/* The free squares that a queen on a square can go to. */
static inline uint64_t reach(int square, uint64_t occupied)
{
    uint64_t found = 0;
    for (int i = 0; i < 4; i++) {
        const struct line *line = &lines[square][i];
        uint64_t before = line->before & occupied;
        uint64_t after = line->after & occupied;
        found |= line->both & (after ^ (after - BIT(63 ^ __builtin_clzll(before | 1))));
    }
    return found & ~occupied;
}

/* The evaluation of x on a square with a number of moves. */
static inline double safety(int square, uint64_t moves, uint64_t occupied, int others)
{
    uint8_t (*rows)[256] = &distances[square & 7][7 - (square >> 3)];
    int total = 0;
    for (int i = 0; i < 8; i++)
        total += rows[i][occupied >> 8 * i & 255];
    return count(moves) + WEIGHT * total / others;
}

static inline void count_visit(int depth)
{
    visited++;
    if (depth > deepest)
        deepest = depth;
}

static double min_value(int x, int o, uint64_t occupied, int others, int depth,
                        double alpha, double beta);

static double max_value(int x, int o, uint64_t occupied, int others, int depth,
                        double alpha, double beta)
{
    count_visit(depth);
    uint64_t moves = reach(x, occupied);
    if (!moves) {
        evaluated++;
        return -LOSS;
    }
    if (depth == depth_limit) {
        evaluated++;
        return safety(x, moves, occupied, others);
    }
    double best = -INFINITY;
    for (; moves; moves &= moves - 1) {
        int move = __builtin_ctzll(moves);
        double value =
            min_value(move, o, occupied | BIT(move), others + 1, depth + 1, alpha, beta);
        if (value > best)
            best = value;
        if (best >= beta)
            return best;
        if (best > alpha)
            alpha = best;
    }
    return best;
}

static double min_value(int x, int o, uint64_t occupied, int others, int depth,
                        double alpha, double beta)
{
    count_visit(depth);
    uint64_t moves = reach(o, occupied);
    if (!moves) {
        evaluated++;
        return LOSS;
    }
    if (depth == depth_limit) {
        evaluated++;
        return safety(x, reach(x, occupied), occupied, others);
    }
    double best = INFINITY;
    for (; moves; moves &= moves - 1) {
        int move = __builtin_ctzll(moves);
        double value =
            max_value(x, move, occupied | BIT(move), others + 1, depth + 1, alpha, beta);
        if (value < best)
            best = value;
        if (best <= alpha)
            return best;
        if (best < beta)
            beta = best;
    }
    return best;
}

/* The root: x stands top left, o bottom right, and the first of the best moves counts. */
static int search(double *value)
{
    uint64_t occupied = BIT(0) | BIT(63);
    int best_move = -1;
    *value = -INFINITY;
    count_visit(0);
    for (uint64_t moves = reach(0, occupied); moves; moves &= moves - 1) {
        int move = __builtin_ctzll(moves);
        double child = min_value(move, 63, occupied | BIT(move), 2, 1, *value, INFINITY);
        if (child > *value) {
            *value = child;
            best_move = move;
        }
    }
    return best_move;
}

static uint64_t line_from(int square, int down, int right)
{
    uint64_t line = 0;
    for (int row = square / 8 + down, column = square % 8 + right;
         row >= 0 && row < 8 && column >= 0 && column < 8; row += down, column += right)
        line |= BIT(8 * row + column);
    return line;
}

static void set_up(void)
{
    static const int steps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (int square = 0; square < 64; square++)
        for (int i = 0; i < 4; i++) {
            struct line *line = &lines[square][i];
            line->before = line_from(square, -steps[i][0], -steps[i][1]);
            line->after = line_from(square, steps[i][0], steps[i][1]);
            line->both = line->before | line->after;
        }
    for (int column = 0; column < 8; column++)
        for (int down = -7; down <= 7; down++)
            for (int row = 0; row < 256; row++)
                for (int other = 0; other < 8; other++)
                    if (row >> other & 1)
                        distances[column][7 + down][row] +=
                            abs(down) > abs(other - column) ? abs(down) : abs(other - column);
}

static double cpu_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

int main(int argc, char **argv)
{
    if (argc != 2 || (depth_limit = atoi(argv[1])) < 0) {
        fprintf(stderr, "usage: isolation <depth>\n");
        return 2;
    }
    if (depth_limit == 0)
        depth_limit = INT_MAX;
    set_up();
    double value;
    double start = cpu_seconds();
    int move = search(&value);
    double seconds = cpu_seconds() - start;
    printf("%d %.17g %lld %lld %d %.9f\n",
           move, value, (long long)visited, (long long)evaluated, deepest, seconds);
    return 0;
}
