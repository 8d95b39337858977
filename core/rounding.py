"""Rounding of the numbers that programs print."""


def one_decimal(numerator: int, denominator: int) -> str:
    """Return the exact quotient, rounded half up to one decimal as Java's %.1f does."""
    tenths = (20 * numerator + denominator) // (2 * denominator)
    return f"{tenths // 10}.{tenths % 10}"
