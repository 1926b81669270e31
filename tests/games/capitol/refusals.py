"""What the numbers and names in refusals must be, given the position as a document tells it."""

from collections.abc import Callable, Mapping
from typing import Any

from companion.games.capitol.cards import COPIES, DECK_OF
from tests.tables import before_the_mover

COPIES_OF_A_COLOUR = 8


def known(now: Mapping[str, Any], card: str) -> list[str]:
    """The cards of a position that are known to be this one, wherever they are."""
    piles = [pile for deck in now["decks"].values() for pile in (deck["pile"], deck["discard"])]
    hands = [player["hand"] for player in now["player"].values()]
    everywhere = (*piles, *hands, *now.get("auction", {}).get("bids", {}).values())
    return [each for pile in everywhere for each in pile if each == card]


def shapes_in(now: Mapping[str, Any], area: str) -> set[str]:
    """The shapes of the roofs in an area."""
    return {text.split()[-2].split("-")[1] for text in now["buildings"] if text.startswith(f"{area}/")}


HOLDS: dict[str, Callable[[Any, Mapping[str, Any], Mapping[str, Any]], bool]] = {
    "CAP-FLOOR-1": lambda state, now, facts: facts["due"] <= min(2, now["floors"]),
    "CAP-FLOOR-2": lambda state, now, facts: list(facts["heights"]) == before_the_mover(now)["unroofed"],
    "CAP-ROOF-1": lambda state, now, facts: before_the_mover(now)["roofs"][facts["shape"]] == 0,
    "CAP-ROOF-2": lambda state, now, facts: facts["height"] not in before_the_mover(now)["unroofed"],
    "CAP-PERMIT-5": lambda state, now, facts: list(facts["completed"]) == before_the_mover(now)["completed"],
    "CAP-BID-3": lambda state, now, facts: (
        facts["wording"] != "decided" or facts["seat"] == now["to_move"] == now["auction"]["winner"]
    ),
    "CAP-BID-2": lambda state, now, facts: facts["seat"] in now["auction"]["ready"],
    "CAP-CARD-1": lambda state, now, facts: all(
        DECK_OF[card] != facts["deck"] for card in before_the_mover(now)["hand"]
    ),
    "CAP-CARD-2": lambda state, now, facts: (
        state.is_untold is False
        if facts["wording"] == "which"
        else facts["card"] not in before_the_mover(now)["hand"]
        if facts["wording"] == "known"
        else facts["card"] not in COPIES and facts["highest"] in (7, 8)
        if facts["wording"] == "not_in_the_box"
        else facts["copies"] in (len(known(now, facts["card"])), COPIES_OF_A_COLOUR, 1)
    ),
    "CAP-DRAW-2": lambda state, now, facts: (
        bool(state.hands_untold) and facts["deck"] not in state.decks_untold
        if facts["wording"] == "hands_untold"
        else facts["deck"] in state.decks_untold
        if facts["wording"].endswith("untold")
        else [facts["top"]] == (now["decks"][facts["deck"]]["pile"] or [""])[:1]
    ),
    "CAP-PERMIT-1": lambda state, now, facts: state.board.colour[facts["area"]] == facts["colour"] != facts["permit"],
    "CAP-PERMIT-6": lambda state, now, facts: shapes_in(now, facts["area"]) == {facts["shape"]},
    "CAP-PERMIT-7": lambda state, now, facts: all(
        shapes_in(now, other) == {facts["shape"]} for other in facts["others"]
    ),
    "CAP-PERMIT-8": lambda state, now, facts: not shapes_in(now, facts["area"]),
    "CAP-TILE-3": lambda state, now, facts: facts["prize"] in ("amphitheatre", "temple"),
    "CAP-PERMIT-9": lambda state, now, facts: facts["taller"] == facts["tallest"] + 1,
}
"""check -> whether the facts of its refusal hold, of the state, the position and these facts"""
