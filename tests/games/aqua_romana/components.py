"""What is in the box of Aqua Romana and never changes in number."""

from companion.games.aqua_romana.state import BUILDERS, CLOSED, State

PRINTED = {"A1", "K1", "A8", "K8"}


def components(state: State) -> dict[str, int]:
    """Tiles and builders by kind, workers by colour: where they are, added up."""
    counts: dict[str, int] = {}
    for kind, left in state.stock.items():
        laid = [drawing for cell, drawing in state.tiles.items() if cell not in PRINTED]
        counts[f"{kind} tiles"] = left + sum(drawing.rpartition(" ")[0] == kind for drawing in laid)
        assert left >= 0
    held = [builder for own in state.held for builder in own]
    for builder in BUILDERS:
        on_path = list(state.builders.values()).count(builder)
        waiting = state.unplaced.get(builder, 0) + state.reserve.count(builder)
        counts[f"{builder} builders"] = on_path + waiting + held.count(builder)
    standing = [colour for there in state.podiums.values() for colour in there]
    for colour in {aqueduct.colour for aqueduct in state.aqueducts.values()}:
        on_field = [each for each in state.aqueducts.values() if each.colour == colour and each.status != CLOSED]
        counts[f"{colour} workers"] = len(on_field) + standing.count(colour)
    assert all(len(there) <= (2 if podium in (3, 7) else 1) for podium, there in state.podiums.items() if podium)
    return counts
