"""A right solution, with the search as a recursive function."""

import sys
from math import inf

n, count, *numbers = map(int, sys.argv[1:])
start, limit = numbers[:count], numbers[-1]
visited = evaluated = deepest = 0


def moves(taken):
    if not taken:
        return [s for s in range(1, n, 2) if 2 * s < n]
    last = taken[-1]
    related = (s for s in range(1, n + 1) if s % last == 0 or last % s == 0)
    return [s for s in related if s not in taken]


def largest_prime(number):
    primes = (p for p in range(number, 1, -1) if number % p == 0)
    return next(p for p in primes if all(p % d for d in range(2, p)))


def evaluate(taken, legal):
    turn = 1 if len(taken) % 2 == 0 else -1
    if not legal:
        return -turn
    if 1 not in taken:
        return 0
    last = taken[-1]
    if last == 1:
        size, odd = 0.5, len(legal) % 2
    else:
        prime = largest_prime(last)
        size, odd = (0.7 if prime == last else 0.6), sum(s % prime == 0 for s in legal) % 2
    return turn * size * (1 if odd else -1)


def search(taken, alpha, beta, depth=0):
    global visited, evaluated, deepest
    visited += 1
    deepest = max(deepest, depth)
    legal = moves(taken)
    if not legal or (limit and depth == limit):
        evaluated += 1
        return evaluate(taken, legal), None
    is_max = len(taken) % 2 == 0
    best, best_move = (-inf if is_max else inf), None
    for move in legal:
        value, _ = search([*taken, move], alpha, beta, depth + 1)
        if value > best if is_max else value < best:
            best, best_move = value, move
        if best >= beta if is_max else best <= alpha:
            break
        if is_max:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
    return best, best_move


value, move = search(start, -inf, inf)
tenths = (20 * (visited - 1) + visited - evaluated) // (2 * (visited - evaluated))
print(f"Move: {move}")
print(f"Value: {value:.1f}")
print(f"Number of Nodes Visited: {visited}")
print(f"Number of Nodes Evaluated: {evaluated}")
print(f"Max Depth Reached: {deepest}")
print(f"Avg Effective Branching Factor: {tenths // 10}.{tenths % 10}")
