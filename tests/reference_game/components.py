"""What never changes in number: discs and free cells together."""

from tests.reference_game.game import CELLS, State


def components(state: State) -> dict[str, int]:
    """The cells, whether free or not."""
    return {"cells": len(state.pieces) + sum(f"disc {cell}" not in state.pieces for cell in CELLS)}
