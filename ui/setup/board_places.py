"""Which spots of the board the names of a set-up outcome stand for: found by what is laid out with each. No Kivy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from companion.engine import Option
from companion.frozen import FrozenDict
from companion.registry import load_game
from companion.table import Table


def places_of(table: Table, option: Option) -> Mapping[str, str]:
    """Name -> the spot where a piece lies with it and not without; nothing where not every name has one."""
    return _found(table, option, table.board.digest)


@lru_cache(maxsize=8)
def _found(table: Table, option: Option, _board: str) -> Mapping[str, str]:
    places: dict[str, str] = {}
    for name in option.names:
        others = [other for other in option.names if other != name]
        if len(others) < option.count:
            return FrozenDict()
        shared = tuple(others[: option.count - 1])
        laid = _laid(table, option, (name, *shared)).keys() - _laid(table, option, (*shared, others[-1])).keys()
        if len(laid) != 1:
            return FrozenDict()
        places[name] = next(iter(laid))
    return FrozenDict(places)


def _laid(table: Table, option: Option, names: tuple[str, ...]) -> Mapping[str, str]:
    """What lies on the board where an outcome is these names; others that are not complete are their first ones."""
    game, outcomes = load_game(table.game), dict(table.options)
    for each in game.options(table):
        if len(outcomes.get(each.name, ())) != each.count:
            outcomes[each.name] = each.names[: each.count]
    outcomes[option.name] = tuple(sorted(names, key=option.names.index))
    return game.appearance(game.setup(replace(table, options=FrozenDict(outcomes))))
