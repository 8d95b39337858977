"""Wrong: the branching factor is rounded by Python, and the root is not counted."""

import sys


class Game:
    def __init__(self, n, depth):
        self.n, self.depth = n, depth
        self.nodes, self.leaves, self.bottom, self.choice = 0, 0, 0, None

    def legal(self, history):
        if not history:
            return range(1, (self.n + 1) // 2, 2)
        last, rest = history[-1], set(range(1, self.n + 1)) - set(history)
        return sorted(s for s in rest if max(s, last) % min(s, last) == 0)

    def static(self, history, options):
        last = history[-1]
        if 1 in self.unused(history):
            return 0.0
        if last == 1:
            return 0.5 if len(options) % 2 else -0.5
        factor, number = 2, last
        while factor < number:
            factor, number = (
                (factor, number // factor) if number % factor == 0 else (factor + 1, number)
            )
        total = len([s for s in options if s % number == 0])
        weight = 0.6 if number < last else 0.7
        return weight if total % 2 else -weight

    def unused(self, history):
        return set(range(1, self.n + 1)).difference(history)

    def negamax(self, history, low, high, level):
        """The value for the player to move."""
        self.bottom = max(self.bottom, level)
        options = self.legal(history)
        if not options:
            self.leaves += 1
            return -1.0
        if level == self.depth != 0:
            self.leaves += 1
            return self.static(history, options)
        best = float("-inf")
        for option in options:
            self.nodes += 1
            value = -self.negamax([*history, option], -high, -low, level + 1)
            if value > best:
                best = value
                self.choice = option if level == 0 else self.choice
            if best >= high:
                break
            low = max(low, best)
        return best


def main():
    n, taken, *rest = [int(word) for word in sys.argv[1:]]
    game = Game(n, rest[taken])
    value = game.negamax(rest[:taken], float("-inf"), float("inf"), 0)
    print("Move:", game.choice)
    print("Value:", f"{(value if taken % 2 == 0 else -value) + 0.0:.1f}")
    print("Number of Nodes Visited:", game.nodes)
    print("Number of Nodes Evaluated:", game.leaves)
    print("Max Depth Reached:", game.bottom)
    print("Avg Effective Branching Factor:", f"{game.nodes / (game.nodes + 1 - game.leaves):.1f}")


if __name__ == "__main__":
    main()
