"""What a position leaves out is untold where it lies open or hidden beside the board: no verdict of it contradicts the
whole position, and no true position is refused for what it leaves out.
"""

from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine import apply_unchecked, judge, legal_actions, random_game
from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable
from companion.legality import Status, Verdict
from companion.position import position_document, read_position
from companion.registry import load_game
from companion.wording.texts import game_texts
from tests.conformance import starting_state
from tests.every_game import EVERY_GAME, some_seats

TABLES, LONGEST, JUDGED = 3, 190, 8
Place = tuple[str, ...]


@cache
def whole_positions(game_id: str) -> tuple[tuple[Any, tuple[Any, ...]], ...]:
    """States of random games, each with actions that were legal in it or earlier."""
    game, found = load_game(game_id), []
    for seed in range(TABLES):
        start, some, tried = starting_state(game_id, some_seats(game_id, seed), Random(seed)), Random(seed), []
        for number, (state, _, _) in enumerate(random_game(game, start, Random(seed), limit=LONGEST)):
            if number % 5 == 0:
                legal = legal_actions(game, state)
                tried += some.sample(legal, min(JUDGED, len(legal)))
                found.append((state, tuple(tried)))
    return tuple(found)


def beside_the_board(game_id: str, document: dict[str, Any]) -> Iterator[Place]:
    """What lies open or hidden beside the board, or follows from the rest."""
    top: dict[str, Place] = {
        "thurn_and_taxis": ("display", "deck", "discards"), "capitol": ("decks",), "city_of_marble": ("stacks",),
        "aqua_romana": ("stock", "reserve"),
    }  # fmt: skip
    for key in top.get(game_id, ()):
        yield (key,)
    if game_id in ("thurn_and_taxis", "capitol"):
        for seat in document["player"]:
            yield "player", seat, "hand"
    for deck in document.get("decks", ()):
        for part in ("pile", "discard"):
            yield "decks", deck, part


def without(document: dict[str, Any], gone: list[Place]) -> dict[str, Any]:
    document = deepcopy(document)
    for *way, last in gone:
        holder = document
        for key in way:
            holder = holder.get(key, {})
        holder.pop(last, None)
    return document


def contradicts(whole: Verdict, partial: Verdict, gone: list[Place]) -> bool:
    if whole.status is not Status.ILLEGAL:
        return partial.status is Status.ILLEGAL
    rules = {violation.rule for violation in whole.violations}
    if ("display",) in gone and rules == {"TT-SHOW-2"}:  # what does not read the display is judged as usual
        return False
    if any(place[-1] in ("discard", "discards") for place in gone) and rules <= {"CAP-CARD-2", "TT-SHOW-3"}:
        return False  # discards that are left out are none, or nothing says which they are
    if ("decks",) in gone and rules == {"CAP-CARD-1"}:  # in the first phase hands are as dealt where nothing says more
        return False
    return partial.status is Status.LEGAL


@settings(max_examples=60)
@given(st.integers(0, 2**32).map(Random))
@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_a_partial_position_contradicts_the_whole_one_in_no_verdict(game_id: str, random: Random) -> None:
    game, (state, tried) = load_game(game_id), random.choice(whole_positions(game_id))
    document, share = position_document(game, state), random.choice((0.2, 0.5, 0.8))
    gone = [place for place in beside_the_board(game_id, document) if random.random() < share]
    partial = read_position(DocumentTable(without(document, gone), "partial", "")).state
    for action in {*random.sample(tried, min(12, len(tried))), *legal_actions(game, state)[:JUDGED]}:
        whole, of_part = judge(game, state, action), judge(game, partial, action)
        assert not contradicts(whole, of_part, gone), (action.text, gone, whole, of_part)


def test_how_many_cards_an_untold_hand_must_discard_is_not_said() -> None:
    game = load_game("thurn_and_taxis")
    partial = read_position(DocumentTable({"game": "thurn_and_taxis", "stage": "cut"}, "partial", "")).state
    texts = game_texts("thurn_and_taxis")
    assert texts.prompt(game, partial) == "Player 1: discard hand cards. Left to discard: ?."
    told = {"game": "thurn_and_taxis", "stage": "cut", "player": {"1": {"hand": ["Ulm", "Linz", "Lodz", "Basel"]}}}
    whole = read_position(DocumentTable(told, "whole", "")).state
    assert texts.prompt(game, whole) == "Player 1: discard hand cards. Left to discard: 1."


def test_a_card_that_is_said_to_lie_in_an_untold_display_takes_the_place_of_an_unseen_one() -> None:
    game = load_game("thurn_and_taxis")
    document = {"game": "thurn_and_taxis", "stage": "close", "player": {"1": {"route": ["Ulm", "Augsburg"]}}}
    partial = read_position(DocumentTable(document, "partial", "")).state
    action = game.parse_action("show Linz", partial)
    assert judge(game, partial, action).status is Status.NOT_CHECKABLE
    shown = apply_unchecked(game, partial, action).state
    assert shown.display.count("Linz") == 1
    assert len(shown.display) == len(partial.display) == 6
    assert shown.deck == partial.deck


def test_a_position_without_a_step_is_the_one_after_what_happens_by_itself() -> None:
    written = {"game": "aqua_romana", "builders": {"3": "curve"}, "step": "claim", "aqueducts": {"C1/S": "closed"},
               "claims": [1], "reserve": []}  # fmt: skip
    with pytest.raises(InvalidDocument, match="step: cannot be 'claim' here, for something follows at once: Player 2"):
        read_position(DocumentTable(written, "named", ""))
    untold = {"game": "thurn_and_taxis", "detail": "table", "player": {"1": {"route": ["Ulm"]}}}
    game = load_game("thurn_and_taxis")
    assert game.rules.follows(read_position(DocumentTable(untold, "unnamed", "")).state) is None
    with pytest.raises(InvalidDocument, match="stage: cannot be 'take' here, for something follows at once"):
        read_position(DocumentTable(untold | {"stage": "take"}, "named", ""))


@pytest.mark.parametrize(
    ("game_id", "entries", "said"),
    [
        ("capitol", {"round": 3}, "roof, floor, permit for a card of which nobody has seen more than its back"),
        ("thurn_and_taxis", {"to_move": 2}, "?"),
    ],
)
def test_how_what_is_left_out_may_be_told_is_said(game_id: str, entries: dict[str, Any], said: str) -> None:
    game, state = load_game(game_id), read_position(DocumentTable({"game": game_id, **entries}, "partial", "")).state
    left_out = game.left_out(state)
    assert {"player.1.hand", "player.2.hand"} <= left_out.keys()
    assert all(said in told for told in left_out.values())
