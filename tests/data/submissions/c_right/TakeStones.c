/* A right solution in one file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int n, limit, visited, evaluated, deepest, best_move;
static char gone[10001];

static int legal(int last, int stone)
{
    if (last == 0) return stone % 2 == 1 && 2 * stone < n;
    return !gone[stone] && (stone % last == 0 || last % stone == 0);
}

static int largest_prime(int number)
{
    int divisor = 2;
    while (divisor < number) {
        if (number % divisor == 0) number /= divisor;
        else divisor++;
    }
    return number;
}

static double evaluate(int last, int is_max)
{
    double size = 0.5;
    int count = 0, step = 1;
    if (!gone[1]) return 0.0;
    if (last > 1) {
        step = largest_prime(last);
        size = step == last ? 0.7 : 0.6;
    }
    for (int stone = step; stone <= n; stone += step) count += legal(last, stone);
    return (count % 2 == 1) == is_max ? size : -size;
}

static double search(int last, int is_max, int depth, double alpha, double beta)
{
    double best = is_max ? -INFINITY : INFINITY;
    int moves = 0;
    visited++;
    if (depth > deepest) deepest = depth;
    for (int stone = 1; stone <= n; stone++) moves += legal(last, stone);
    if (moves == 0 || depth == limit) {
        evaluated++;
        return moves ? evaluate(last, is_max) : is_max ? -1.0 : 1.0;
    }
    for (int stone = 1; stone <= n; stone++) {
        double value;
        if (!legal(last, stone)) continue;
        gone[stone] = 1;
        value = search(stone, !is_max, depth + 1, alpha, beta);
        gone[stone] = 0;
        if (is_max ? value > best : value < best) {
            best = value;
            if (depth == 0) best_move = stone;
        }
        if (is_max ? best >= beta : best <= alpha) break;
        if (is_max && best > alpha) alpha = best;
        if (!is_max && best < beta) beta = best;
    }
    return best;
}

int main(int argc, char **argv)
{
    int taken = atoi(argv[2]), last = 0, inner;
    double value;
    n = atoi(argv[1]);
    for (int i = 0; i < taken; i++) gone[last = atoi(argv[3 + i])] = 1;
    limit = atoi(argv[argc - 1]);
    if (limit == 0) limit = -1;
    value = search(last, taken % 2 == 0, 0, -INFINITY, INFINITY);
    inner = visited - evaluated;
    printf("Move: %d\nValue: %.1f\n", best_move, value);
    printf("Number of Nodes Visited: %d\nNumber of Nodes Evaluated: %d\n", visited, evaluated);
    printf("Max Depth Reached: %d\n", deepest);
    printf("Avg Effective Branching Factor: %d.%d\n",
           (20 * (visited - 1) + inner) / (2 * inner) / 10,
           (20 * (visited - 1) + inner) / (2 * inner) % 10);
    return 0;
}
