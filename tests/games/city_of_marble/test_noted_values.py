"""What a player has noted of the own bridge tiles is compared with what is told at the end."""

from __future__ import annotations

import pytest

from companion.engine import judge
from companion.games.city_of_marble.game import GAME
from companion.legality import Status
from companion.position import parse_position


@pytest.mark.parametrize(("told", "status"), [("bridges 1 4", Status.LEGAL), ("bridges 2 4", Status.ILLEGAL)])
def test_values_that_were_noted_are_those_that_are_told(told: str, status: Status) -> None:
    text = 'game = "city_of_marble"\nstage = "reveal"\nplayer.1.bridges = 2\nplayer.2.bridges = 1'
    noted = GAME.with_closed_pieces(parse_position(text, "position").state, 1, ("1", "bridge"))
    verdict = judge(GAME, noted, GAME.parse_action(told, noted))
    assert verdict.status is status
    said = [GAME.rulebook.sentence(violation, noted.table.players) for violation in verdict.violations]
    refused = ["These are not the values that you have noted; bridge tiles: 2."]
    assert said == ([] if status is Status.LEGAL else refused)
