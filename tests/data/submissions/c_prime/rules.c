/* Wrong: after a composite number, the prime factor itself is not counted. */
#include "rules.h"

int moves(const struct game *game, int *found)
{
    int count = 0;
    for (int stone = 1; stone <= game->n; stone++) {
        int is_left = !game->gone[stone];
        int is_first = game->last == 0 && stone % 2 && stone < game->n - stone;
        int divides = game->last && (stone % game->last == 0 || game->last % stone == 0);
        if (is_left && (is_first || divides)) found[count++] = stone;
    }
    return count;
}

struct game after(struct game game, int stone)
{
    game.gone[stone] = 1;
    game.last = stone;
    game.player = !game.player;
    return game;
}

double value_of(const struct game *game, const int *found, int count)
{
    int prime = 0, multiples = 0;
    double value;
    if (count == 0) return game->player ? 1.0 : -1.0;
    if (!game->gone[1]) return 0.0;
    for (int p = 2, rest = game->last; rest > 1; p++)
        for (; rest % p == 0; rest /= p) prime = p;
    for (int i = 0; i < count; i++)
        multiples += prime ? found[i] % prime == 0 && found[i] != prime : 1;
    value = prime == 0 ? 0.5 : prime == game->last ? 0.7 : 0.6;
    if (multiples % 2 == 0) value = -value;
    return game->player ? -value : value;
}
