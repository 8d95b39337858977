/* A bot in C: it plays the move that leaves the opponent the fewest replies.
   cc -O2 -o mybot examples/bot.c && arena bot stdio:./mybot --games take_stones */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Return the text after a key, which is given with its space and =, such as " moves=". */
static char *value(char *line, const char *key)
{
    char *found = strstr(line, key);
    return found ? found + strlen(key) : "";
}

/* Return the next number of a list, or 0 at its end. */
static long next(char **list)
{
    long number = strtol(*list, list, 10);
    *list += **list == ',';
    return number;
}

/* Return the number of replies to a move. */
static int replies(char *line, long move)
{
    long stones = strtol(value(line, " stones="), NULL, 10), count = 0;
    for (long stone = 1; stone <= stones; stone++) {
        char *moves = value(line, " moves=");
        long taken = move;
        while (taken && taken != stone)
            taken = next(&moves);
        count += !taken && (stone % move == 0 || move % stone == 0);
    }
    return count;
}

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        char *legal = value(line, " legal=");
        long move, best = 0;
        int least = 0;
        while ((move = next(&legal)) != 0) {
            int count = replies(line, move);
            if (best == 0 || count < least)
                best = move, least = count;
        }
        printf("%ld\n", best);
        fflush(stdout);
    }
    return 0;
}
