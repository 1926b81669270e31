"""Questions about rules: `judge`, `legal` and `games`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.engine import Option, explain
from companion.errors import NotationError
from companion.exports.report import games_document, legal_document, ruling_text, verdict_document
from companion.registry import load_game
from ui.commands.terminal import DOES_NOT_HOLD, FINE, WrongUse, emit_json, parser, say, whole_number
from ui.services.files import read_game

_HEADLINES = {"legal": "legal", "illegal": "illegal", "not_checkable": "not checkable, accepted"}


def judge(words: Sequence[str]) -> int:
    """`companion judge POSITION ACTION`: exit code 1 for an illegal action."""
    options = parser("judge", "Say whether an action is legal in a position, by which rules not, and what follows.")
    options.add_argument("position", metavar="POSITION", help="a position or record file, or - for standard input")
    options.add_argument("action", metavar="ACTION", nargs="+", help="an action in the game's notation")
    options.add_argument("--seat", type=whole_number, metavar="N", help="who acts; without it whoever may")
    options.add_argument("--json", action="store_true", help="print a JSON document")
    chosen = options.parse_args(words)
    game = read_game(chosen.position)
    if game.ended:
        raise WrongUse(f"{chosen.position}: the game was ended early; nothing is judged after that")
    seats = game.state.table.seats
    if chosen.seat is not None and chosen.seat not in seats:
        raise WrongUse(f"--seat {chosen.seat}: the seats of this game are 1 to {len(seats)}")
    try:
        action = game.rules.parse_action(" ".join(chosen.action), game.state)
    except NotationError as error:
        raise WrongUse(str(error)) from error
    verdict = explain(game.rules, game.state, action, chosen.seat)
    document = verdict_document(game.rules, game.state, action, chosen.seat, verdict)
    if chosen.json:
        emit_json(document)
    else:
        for line in verdict_lines(document):
            say(line)
    return FINE if verdict.is_legal else DOES_NOT_HOLD


def verdict_lines(document: Mapping[str, Any]) -> Iterator[str]:
    """A verdict document for people."""
    yield f"{_HEADLINES[document['status']]}: {document['action']}"
    for violation in document["violations"]:
        spots = f" [{', '.join(violation['sites'])}]" if violation["sites"] else ""
        yield f"  {violation['rule']}: {violation['sentence']}{spots}"
        if violation["ruling"]:
            yield f"    ruling {ruling_text(violation['ruling'])}"
        yield f"    source: {violation['source']} (confidence {violation['confidence']})"
    if document["prompt"]:
        yield f"  now: {document['prompt']}"
    for consequence in document["consequences"]:
        rule = f" ({consequence['rule']})" if consequence["rule"] else ""
        yield f"  {consequence['sentence']}{rule}"
        if consequence["ruling"]:
            yield f"    ruling {ruling_text(consequence['ruling'])}"


def legal(words: Sequence[str]) -> int:
    """`companion legal POSITION`."""
    options = parser("legal", "List the legal actions of a position.")
    options.add_argument("position", metavar="POSITION", help="a position or record file, or - for standard input")
    options.add_argument("--json", action="store_true", help="print a JSON document")
    chosen = options.parse_args(words)
    game = read_game(chosen.position)
    document = legal_document(game.rules, game.state, ended=game.ended)
    if chosen.json:
        emit_json(document)
        return FINE
    say(document["prompt"])
    for entry in document["actions"]:
        say(f"  {entry['action']}")
    return FINE


def games(words: Sequence[str]) -> int:
    """`companion games`."""
    options = parser("games", "List the games, their rulings with all readings, and what is asked at set-up.")
    options.add_argument("--json", action="store_true", help="print a JSON document")
    chosen = options.parse_args(words)
    document = games_document()
    if chosen.json:
        emit_json(document)
        return FINE
    for game in document["games"]:
        players = load_game(game["id"]).info.seat_range
        say(f"{game['id']}: {game['title']}, {players} players, rules version {game['version']}")
        for option in game["options"]:
            names, count = tuple(option["names"]), option["count"]
            choices = Option(option["name"], count, names).choices
            say(f"  {option['name']}: {count} of {choices} (default {', '.join(names[:count])})")
        for ruling in game["rulings"]:
            say(f"  ruling {ruling['id']}: {ruling['question']} ({ruling['source']})")
            for name, sentence in ruling["readings"].items():
                say(f"    {name}: {sentence}{' (default)' if name == ruling['default'] else ''}")
    return FINE
