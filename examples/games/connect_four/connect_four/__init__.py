"""Connect Four: drop discs into columns; four in a row win, a full board is a draw."""

from importlib.resources import files

from connect_four.evaluation import evaluate
from connect_four.position import MINIMUM, ConnectFour
from core.game import Game, Parameter

GAME = Game(
    name="connect_four",
    title="Connect Four",
    parameters={
        "columns": Parameter("columns of the board", minimum=MINIMUM, usual=(7,)),
        "rows": Parameter("rows of the board", minimum=MINIMUM, usual=(6,)),
    },
    position=ConnectFour,
    board=ConnectFour,
    study=ConnectFour,
    evaluate=evaluate,
    page=files("connect_four") / "web",
)
