"""The assignment's second written problem: greedy hill climbing for the shortest tour."""

from itertools import combinations, pairwise
from math import comb, factorial

DISTANCES = {"MW": 1.1, "ME": 1.4, "MS": 0.9, "WE": 0.6, "WS": 0.7, "ES": 0.5}


def length(tour: str) -> float:
    """Return the length of a tour, which does not return to its start."""
    legs = (DISTANCES.get(one + other) or DISTANCES[other + one] for one, other in pairwise(tour))
    return round(sum(legs), 6)  # sums of decimals that are equal must compare as equal


def neighbours(tour: str) -> list[str]:
    """Return the tours in which two places are swapped, in the order of the swaps."""
    found = []
    for i, j in combinations(range(len(tour)), 2):
        places = list(tour)
        places[i], places[j] = places[j], places[i]
        found.append("".join(places))
    return found


def climb(tour: str) -> list[str]:
    """Print the steps from a tour to a local optimum and return the tours on the way.

    The next tour is the shortest neighbour, the first of equally short ones; an equally short
    neighbour is no progress, or the climb could go on for ever.
    """
    path = [tour]
    while True:
        lengths = {other: length(other) for other in neighbours(tour)}
        best = min(lengths, key=lengths.__getitem__)
        print(f"{'-'.join(tour)} has length {length(tour)}. Its neighbours:")
        for other, found in lengths.items():
            print(f"  {'-'.join(other)}  {found}" + " shortest" * (found == lengths[best]))
        if lengths[best] >= length(tour):
            print(f"Stop: no neighbour is shorter than {length(tour)}.")
            return path
        tour = best
        path.append(tour)


if __name__ == "__main__":
    for n in (3, 4, 10):
        print(f"{n} places: n(n-1)/2 = {comb(n, 2)} neighbours, n! = {factorial(n):,} states")
    print(" > ".join("-".join(tour) for tour in climb("WMES")))
