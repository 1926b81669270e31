"""What never changes in number: the pieces on the board and those taken."""

from companion.engine import scores
from tests.capturing_game.game import GAME, State


def components(state: State) -> dict[str, int]:
    """The pieces of both colours, wherever they are, and the cells."""
    return {"pieces": len(state.pieces) + sum(scores(GAME, state).totals)}
