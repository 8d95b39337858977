"""Goals of the benchmarks."""


def met(is_met: bool) -> str:
    """Return the word for whether a goal is met."""
    return "met" if is_met else "NOT"
