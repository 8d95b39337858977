#include <stdio.h>
#include <stdlib.h>
#include "rules.h"

static int limit, visited, evaluated, deepest, answer;

static double search(struct game game, int depth, double low, double high)
{
    int found[1001], count = moves(&game, found);
    double best = game.player ? 9 : -9;
    visited++;
    deepest = depth > deepest ? depth : deepest;
    if (count == 0 || (limit && depth == limit)) {
        evaluated++;
        return value_of(&game, found, count);
    }
    for (int i = 0; i < count; i++) {
        double value = search(after(game, found[i]), depth + 1, low, high);
        if (game.player ? value < best : value > best) {
            best = value;
            if (!depth) answer = found[i];
        }
        if (game.player ? best <= low : best >= high) return best;
        if (game.player) high = best < high ? best : high;
        else low = best > low ? best : low;
    }
    return best;
}

int main(int argc, char **argv)
{
    struct game game = {atoi(argv[1]), 0, 0, {0}};
    double value;
    int tenths;
    for (int i = 3; i < argc - 1; i++) game = after(game, atoi(argv[i]));
    limit = atoi(argv[argc - 1]);
    value = search(game, 0, -9, 9);
    tenths = (int)((visited - 1) * 10.0 / (visited - evaluated) + 0.5);
    printf("Move: %d\nValue: %.1f\nNumber of Nodes Visited: %d\n", answer, value, visited);
    printf("Number of Nodes Evaluated: %d\nMax Depth Reached: %d\n", evaluated, deepest);
    printf("Avg Effective Branching Factor: %d.%d\n", tenths / 10, tenths % 10);
    return 0;
}
