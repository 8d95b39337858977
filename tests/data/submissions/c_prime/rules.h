struct game {
    int n, last, player;          /* player 0 is Max */
    char gone[1001];              /* a flag for each stone */
};
int moves(const struct game *game, int *found);
struct game after(struct game game, int stone);
double value_of(const struct game *game, const int *found, int count);
