"""Random exercises on alpha-beta on sheets to print, `python -m core.alpha_beta.practice`.

A seed and the other options give the same exercises on every machine and in all later versions.
"""

from core.alpha_beta.practice.exercises import Exercise, NoExercise, exercises
from core.alpha_beta.practice.sheet import Sheet
from core.alpha_beta.practice.source import Positions, Trees

__all__ = ["Exercise", "NoExercise", "Positions", "Sheet", "Trees", "exercises"]
