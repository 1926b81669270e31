"""What the schema of a game's positions allows in numbers, lengths and entries is what the reader takes, at the limits.

Only a number that other entries limit further, such as tiles in stock, may be refused below its limit in the schema.
"""

import json
import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest

from companion.engine import random_game
from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable
from companion.position import position_document, read_position
from companion.registry import load_game
from tests.conformance import few_outcomes, starting_state, zeal_of
from tests.every_game import EVERY_GAME
from tests.test_formats import position_schema

GAMES_EACH, LONGEST, EVERY = 3, 300, 3
"""Random games of each set-up, their actions at most, and of how many positions one is looked through."""
Place = tuple[str | int, ...]


class Entry(NamedTuple):
    """A list, a number or a table of a position, with the part of the schema that it stands under."""

    document: dict[str, Any]
    place: Place
    rule: Mapping[str, Any]

    def read_with(self, value: Any) -> str:
        """Why the position is refused when the entry has another value; "" where it is not."""
        changed = deepcopy(self.document)
        holder: Any = changed
        for key in self.place[:-1]:
            holder = holder[key]
        holder[self.place[-1]] = value
        try:
            read_position(DocumentTable(changed, "limits", ""))
        except InvalidDocument as error:
            return str(error)
        return ""


def resolved(schema: Mapping[str, Any], rule: Mapping[str, Any]) -> Mapping[str, Any]:
    while "$ref" in rule:
        rule = schema["$defs"][rule["$ref"].rpartition("/")[2]]
    return rule


def below(rule: Mapping[str, Any], key: str) -> tuple[str, Mapping[str, Any]] | None:
    """What the schema calls a key of a table, and the rule that its value stands under."""
    if key in rule.get("properties", {}):
        return key, rule["properties"][key]
    for pattern, inner in rule.get("patternProperties", {}).items():
        if re.search(pattern, key):
            return pattern, inner
    other = rule.get("additionalProperties")
    return ("*", other) if isinstance(other, dict) else None


def entries(
    schema: Mapping[str, Any], rule: Mapping[str, Any], value: Any, place: Place = (), name: Place = ()
) -> Iterator[tuple[Place, Place, Mapping[str, Any]]]:
    """Name in the schema, place in the document and rule of every list, number and table."""
    rule = resolved(schema, rule)
    if place and (type(value), rule.get("type")) in ((list, "array"), (int, "integer"), (dict, "object")):
        yield name, place, rule
    if isinstance(value, dict):
        for key, each in value.items():
            found = below(rule, key)
            if found is not None:
                yield from entries(schema, found[1], each, (*place, key), (*name, found[0]))
    elif isinstance(value, list) and "items" in rule:
        for index, each in enumerate(value):
            yield from entries(schema, rule["items"], each, (*place, index), (*name, "[]"))


@cache
def entries_in_games(game_id: str) -> dict[Place, Entry]:
    """One list, number or table for each name in the schema, from random games of the most players."""
    game, schema = load_game(game_id), position_schema(game_id).schema
    found: dict[Place, Entry] = {}
    for seed, outcomes in enumerate(few_outcomes(game_id) * GAMES_EACH):
        start = starting_state(game_id, game.info.seats[1], Random(seed), outcomes)
        played = random_game(game, start, Random(seed), zeal_of(game_id), limit=LONGEST)
        for number, (state, _, _) in enumerate(played):
            if number % EVERY == 0:
                document = json.loads(json.dumps(position_document(game, state)))
                own_entries = {key: value for key, value in document.items() if key in game.position_keys}
                for name, place, rule in entries(schema, schema, own_entries):
                    found.setdefault(name, Entry(document, place, rule))
    return found


def value_of(entry: Entry) -> Any:
    value: Any = entry.document
    for key in entry.place:
        value = value[key]
    return value


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_the_reader_takes_what_the_schema_allows_and_no_more(game_id: str) -> None:
    found = entries_in_games(game_id)
    for name, entry in found.items():
        if entry.rule["type"] == "object":
            refused = entry.read_with(value_of(entry) | {"no such": value_of(entry)})
            assert "no such" in refused, (
                f"{name} with an entry 'no such' is taken, or refused without its name: {refused!r}"
            )
        elif entry.rule["type"] == "array":
            assert "maxItems" in entry.rule, f"the schema limits no entries of {name}"
            most = entry.rule["maxItems"]
            one = (value_of(entry) or ["x"])[0]
            refused = entry.read_with([one] * (most + 1))
            assert f"has {most + 1} entries; at most {most} are allowed" in refused, (
                f"{name} has at most {most} entries by the schema, and the reader says of one more: {refused!r}; "
                "let the schema have the reader's limit (1000 for the lists of plain fields)"
            )
            assert "entries; at most" not in entry.read_with([one] * most), name
        else:
            assert {"minimum", "maximum"} <= entry.rule.keys(), f"the schema does not limit {name} on both sides"
            low, high = entry.rule["minimum"], entry.rule["maximum"]
            assert f"from {low} to" in entry.read_with(low - 1), name
            allowed = re.search(r"from -?\d+ to (\d+)", entry.read_with(high + 1))
            assert allowed is not None, f"{name}: {entry.read_with(high + 1)!r} should say 'from {low} to {high}'"
            assert int(allowed[1]) <= high, name
