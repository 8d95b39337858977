"""Games for OpenSpiel: the import registers each game that has an encoding as `python_NAME`."""

from arena.integrations.encoded_game import encoded_games
from arena.integrations.openspiel.spiel_game import register

for _name in encoded_games():
    register(_name)
