"""Misreadings of the rules of moves, of the depth and of alpha-beta search."""

from arena.grading.diagnosis.reading import (
    Halves,
    Order,
    Parity,
    Recorded,
    Related,
    Side,
    Start,
    Update,
    by_side,
    variant,
)

CUTOFFS = (
    *by_side(
        "cutoff-beyond-bound",
        "The search skips successors only when a value is beyond the bound, not when it equals it.",
        "Figure 5.7 stops at v >= beta in MAX-VALUE and at v <= alpha in MIN-VALUE. Compare with"
        " >= and <=, or with beta <= alpha after the update, not with > and <.",
        lambda side: {"strict_cutoff": side},
        lambda side: {"strict_cutoff": side, "is_fail_hard": True},
    ),
    variant(
        "no-pruning",
        "The search never skips a successor: it is plain minimax.",
        "Stop the loop over the successors when v >= beta (Max) or v <= alpha (Min), and pass"
        " alpha and beta on to the successors.",
        {"no_cutoff": Side.BOTH},
    ),
    variant(
        "no-pruning-max",
        "On Max's turn, the search never skips a successor.",
        "Look at two places: Max stops when v >= beta, and Min lowers beta to the smallest value"
        " so far.",
        {"no_cutoff": Side.MAX},
    ),
    variant(
        "no-pruning-min",
        "On Min's turn, the search never skips a successor.",
        "Look at two places: Min stops when v <= alpha, and Max raises alpha to the largest value"
        " so far.",
        {"no_cutoff": Side.MIN},
    ),
    *by_side(
        "own-bound",
        "The search compares a value with the wrong one of alpha and beta.",
        "Max compares v with beta and raises alpha; Min compares v with alpha and lowers beta.",
        lambda side: {"own_bound": side},
    ),
    *by_side(
        "bound-overwritten",
        "The bound is overwritten by a value that may be worse.",
        "alpha = max(alpha, v) and beta = min(beta, v): alpha never falls, beta never rises.",
        lambda side: {"update": Update.NODE, "updated": side},
        lambda side: {"update": Update.CHILD, "updated": side},
    ),
    variant(
        "window-not-passed",
        "Each successor of the root is searched with the initial alpha and beta.",
        "Update alpha (or beta) at the root after each successor, and pass it on to the next one.",
        {"keeps_window": False},
    ),
    *by_side(
        "start-at-zero",
        "The best value of a node starts at 0, so that worse successors do not count.",
        "Start at minus infinity for Max and at plus infinity for Min. Double.MIN_VALUE of Java is"
        " the smallest number above 0.",
        lambda side: {"start": Start.ZERO, "started": side},
    ),
    *by_side(
        "start-at-loss",
        "The best value of a node starts at that of a lost game, so that no lost move is chosen.",
        "Start at minus infinity for Max and at plus infinity for Min.",
        lambda side: {"start": Start.LOSS, "started": side},
    ),
)

CHOICE = (
    *by_side(
        "last-of-equal-moves",
        "The last of several equal moves is chosen.",
        "Ties go to the smaller stone: replace the best move only if the new value is strictly"
        " better.",
        lambda side: {"takes_last": side},
        lambda side: {"takes_last": side, "is_fail_hard": True},
    ),
    variant(
        "move-of-deeper-node",
        "The best move is overwritten by nodes below the root.",
        "Store the best move only at the root: the search of a successor runs the same code.",
        {"recorded": Recorded.SAME_PLAYER},
        {"recorded": Recorded.ANY},
    ),
    variant(
        "move-by-position",
        "The move is looked up in a list that lacks the successors whose search was cut off.",
        "Store the move together with its value when the value is found, instead of looking for"
        " the value afterwards.",
        {"recorded": Recorded.UNCUT},
    ),
    variant(
        "last-move-visited",
        "The move is the last one that was visited, not the best one.",
        "Store the move only if its value is better than all before.",
        {"recorded": Recorded.LAST},
    ),
    variant(
        "first-move-visited",
        "The move is the first one that was visited, not the best one.",
        "Store the move whenever its value is better than all before.",
        {"recorded": Recorded.FIRST},
    ),
    variant(
        "descending-order",
        "The successors are visited from the largest stone to the smallest.",
        "Visit the successors in ascending order.",
        {"order": Order.DESCENDING},
        {"order": Order.DESCENDING, "takes_last": Side.BOTH},
    ),
    variant(
        "multiples-first",
        "The multiples of the last stone are visited before its factors.",
        "Visit the successors in ascending order: the factors come before the multiples.",
        {"order": Order.MULTIPLES_FIRST},
    ),
)

DEPTH = (
    variant(
        "one-ply-short",
        "The search stops one ply above the depth limit.",
        "The root is at depth 0, so a search to depth d evaluates nodes d moves below the root.",
        {"depth_offset": -1},
    ),
    variant(
        "one-ply-deep",
        "The search goes one ply below the depth limit.",
        "The root is at depth 0, so a search to depth d evaluates nodes d moves below the root.",
        {"depth_offset": 1},
        {"depth_offset": 1, "zero_limit": 1},
    ),
    variant(
        "zero-is-a-limit",
        "A depth limit of 0 is not taken for a search to the end of the game.",
        "With depth 0 there is no limit: search until the game is over.",
        {"zero_limit": 0},
        {"zero_limit": 1},
    ),
    variant(
        "limit-ignored",
        "The search goes to the end of the game, also with a depth limit.",
        "Stop at nodes whose depth equals the limit, unless the limit is 0. Check that each call"
        " adds 1 to the depth.",
        {"ignores_limit": True},
    ),
    variant(
        "cut-before-end",
        "At the depth limit the evaluation is used even if the game is over.",
        "Test first whether the game is over (1.0 or -1.0), then whether the depth limit is"
        " reached.",
        {"evaluates_cut_first": True},
    ),
)

MOVES = (
    variant(
        "whole-half",
        "The limit of the first move is n/2 in whole numbers.",
        "The first stone is odd and strictly less than n/2; for n = 7 that is 3.5, so that 3 is"
        " legal. Compare 2 * stone < n.",
        {"halves": Halves.WHOLE},
    ),
    variant(
        "up-to-half",
        "The first move may be equal to n/2.",
        "The first stone is strictly less than n/2.",
        {"halves": Halves.UP_TO},
    ),
    variant(
        "any-first-size",
        "The first move may be larger than n/2.",
        "The first stone is odd and strictly less than n/2.",
        {"halves": Halves.NONE},
        {"halves": Halves.BELOW_N},
    ),
    variant(
        "even-first-move",
        "The first move may be even.",
        "The first stone must be odd.",
        {"parity": Parity.ANY},
    ),
    variant(
        "only-even-first-move",
        "The first move is even instead of odd.",
        "The first stone must be odd.",
        {"parity": Parity.EVEN},
    ),
    variant(
        "any-first-move",
        "The first move may be any stone.",
        "The first stone is odd and strictly less than n/2.",
        {"halves": Halves.NONE, "parity": Parity.ANY},
        {"halves": Halves.BELOW_N, "parity": Parity.ANY},
    ),
    variant(
        "only-multiples",
        "Only multiples of the last stone are moves.",
        "A move is a multiple or a factor of the last stone.",
        {"related": Related.MULTIPLES},
    ),
    variant(
        "only-factors",
        "Only factors of the last stone are moves.",
        "A move is a multiple or a factor of the last stone.",
        {"related": Related.FACTORS},
    ),
    variant(
        "stone-1-not-moved",
        "Stone 1 is never a move.",
        "The stones are 1 to n: check where the loop over the stones begins.",
        {"skips_1": True},
        {"skips_1": True, "skips_first": False},
    ),
    variant(
        "largest-stone-not-moved",
        "Stone n is never a move.",
        "The stones are 1 to n, n included: check where the loop over the stones ends.",
        {"skips_largest": True},
        {"skips_largest": True, "skips_first": False},
    ),
    variant(
        "stones-not-put-back",
        "A stone that the search has taken is missing in the branches that follow.",
        "Undo the move after the search of a successor, or search a copy of the state.",
        {"keeps_taken": True},
    ),
)

PLAYERS = (
    variant(
        "root-always-max",
        "The search always maximises at the root, also if Min is to move.",
        "Max is to move after an even number of taken stones, Min after an odd number.",
        {"root_is_max": True},
    ),
    variant(
        "max-and-min-swapped",
        "The search minimises on Max's turn and maximises on Min's.",
        "Max takes the largest value of the successors, Min the smallest.",
        {"is_reversed": True},
    ),
    variant(
        "players-do-not-alternate",
        "All nodes are searched as if the player at the root were to move.",
        "The players alternate: a successor is searched for the other player.",
        {"is_fixed": True},
    ),
)

SEARCH = (*CUTOFFS, *CHOICE, *DEPTH, *MOVES, *PLAYERS)
