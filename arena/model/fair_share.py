"""Fair shares of a limited number of places. Pure."""


def fair_share(limit: int, places: int, taken: int) -> int:
    """Return how many places one client may have.

    That is its limit while at least half of the places are free, and less in proportion to what is
    free after that: an attack on all places needs many times as many addresses, and as long as a
    place is free, a new client gets one.

    Args:
        limit: The highest number of places of one client.
        places: The number of all places.
        taken: The number of places that all clients have.
    """
    free = max(0, places - taken)
    return min(limit, -(-2 * limit * free // places))
