"""Verdicts, lists, scores and games as plain values for JSON, and tie-breaks in words.

Rule ids, notation and numbers are stable and the same in every language; `title`, `sentence`, `source`, `counted`,
`prompt` and `words` are for people and may be worded better at any time. docs/formats.md describes each document.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.engine import Consequence, GameRules, apply_unchecked, legal_actions, open_kinds
from companion.events import event_json
from companion.facts import fact_json
from companion.legality import Verdict, Violation
from companion.position import bare_table
from companion.record_status import PLAIN, RecordStatus
from companion.registry import GAMES, load_game, print_and_play_board
from companion.scoring import ScoreSheet
from companion.table import Table
from companion.wording.texts import game_texts

if TYPE_CHECKING:
    from companion.session.log import Log
    from companion.session.rejudging import Problem


def verdict_document(
    game: GameRules[Any], state: Any, action: Any, seat: int | None, verdict: Verdict
) -> dict[str, Any]:
    """A verdict on an action in a position, and what follows from it unless it is illegal."""
    consequences = apply_unchecked(game, state, action).consequences if verdict.is_legal else ()
    out_of_time = not verdict.is_legal and type(action) not in open_kinds(game, state)
    return {
        "game": game.info.id,
        "action": action.text,
        "seat": seat,
        "status": str(verdict.status),
        "violations": [violation_document(game, state.table, violation) for violation in verdict.violations],
        "prompt": game_texts(game.info.id).prompt(game, state) if out_of_time else "",
        "consequences": [consequence_document(game, state.table, consequence) for consequence in consequences],
    }


def violation_document(game: GameRules[Any], table: Table, violation: Violation) -> dict[str, Any]:
    """A broken rule, with the sites concerned and the facts of the case."""
    rule = game.rulebook.rules[violation.rule]
    return {
        "rule": rule.id,
        "sites": list(violation.sites),
        "facts": {name: fact_json(fact) for name, fact in violation.facts.items()},
        "certain": violation.certain,
        "title": rule.title,
        "sentence": game_texts(table.game).at(table).refusal(game.rulebook, violation),
        "ruling": ruling_document(game, table, game.rulebook.ruling_of(violation)),
        "source": rule.source,
        "confidence": str(rule.confidence),
    }


def ruling_document(game: GameRules[Any], table: Table, ruling: str) -> dict[str, str] | None:
    """A ruling as this table has it: its id, the id of its reading, and that reading in words; None for no ruling."""
    if not ruling:
        return None
    reading = table.rulings[ruling]
    return {"id": ruling, "reading": reading, "sentence": game.rulebook.rulings[ruling].readings[reading]}


def ruling_text(ruling: Mapping[str, str]) -> str:
    """A ruling of a document as the table has it."""
    return f"{ruling['id']} = {ruling['reading']}: {ruling['sentence']}"


def consequence_document(game: GameRules[Any], table: Table, consequence: Consequence) -> dict[str, Any]:
    """A fact, the rule that made it so ("" for the action itself) with the ruling it depends on, and a sentence."""
    ruling = game.rulebook.rules[consequence.rule].ruling if consequence.rule else ""
    return {
        "rule": consequence.rule,
        "event": event_json(consequence.event),
        "ruling": ruling_document(game, table, ruling),
        "sentence": game_texts(table.game).event(consequence.event, table),
    }


def legal_document(game: GameRules[Any], state: Any, *, ended: bool = False) -> dict[str, Any]:
    """The legal actions of a position and what the table waits for; none once the game was `ended` early."""
    texts, decision = game_texts(game.info.id).at(state.table), None if ended else game.decide(state)
    return {
        "game": game.info.id,
        "step": decision.step if decision else "over",
        "actors": list(decision.actors) if decision else [],
        "prompt": texts.prompts["over"] if ended else texts.prompt(game, state),
        "actions": [
            {"action": action.text, "kind": action.kind, "words": texts.action(action)}
            for action in ([] if ended else legal_actions(game, state))
        ],
    }


def score_document(game: GameRules[Any], state: Any, status: RecordStatus = PLAIN) -> dict[str, Any]:
    """The score sheet of a position; final at the end of the game, also of one that was ended early."""
    sheet, texts, players = status.scores(game, state), game_texts(game.info.id), state.table.players
    names = [player.name for player in players]
    later = filter(None, [texts.not_yet_counted(game, state)])
    return {
        "game": game.info.id,
        "final": sheet.final or status.ended,
        "ended_early": status.ended,
        "joined": status.joined,
        "players": [
            {
                "seat": seat,
                "name": player.name,
                "colour": player.colour,
                "total": sheet.totals[seat - 1],
                "rank": sheet.ranks[seat - 1],
                "left": seat in status.left,
            }
            for seat, player in enumerate(players, 1)
        ],
        "winners": list(sheet.winners),
        "lines": [
            {
                "seat": line.seat,
                "rule": line.rule,
                "points": line.points,
                "sites": list(line.sites),
                "facts": {name: fact_json(fact) for name, fact in line.facts.items()},
                "title": game.rulebook.rules[line.rule].title,
                "counted": texts.score_line(line),
                "ruling": ruling_document(game, state.table, line.ruling),
            }
            for line in sheet.lines
        ],
        "tie_breaks": [
            {"rule": tie.rule, "values": list(tie.values), "title": tie.name} for tie in sheet.tie_breaks
        ],
        "words": [*status_sentences(status, names), *later, *tie_break_sentences(sheet, names)],
    }  # fmt: skip


def score_heading(document: Mapping[str, Any]) -> str:
    """What a score document is called."""
    if document["ended_early"]:
        return "Score when the game was ended early"
    return "Final score" if document["final"] else "Score so far"


def status_sentences(status: RecordStatus, names: Sequence[str]) -> Iterator[str]:
    """Whether the game was joined under way, left by players or ended early, in sentences."""
    if status.joined:
        yield "Joined in progress: what was played before is not in the record."
    if status.left:
        yield f"Left before the end, and without a rank: {_and(names, [seat - 1 for seat in sorted(status.left)])}."
    if status.ended:
        yield "Ended early: the points are those of that moment, and nobody has won."


def tie_break_sentences(sheet: ScoreSheet, names: Sequence[str]) -> Iterator[str]:
    """For every total that several players share, how the tie was broken, or that it was not.

    Before the end of the game, or where it was ended early, no tie is broken. Who left is in none.
    """
    staying = [index for index in range(len(names)) if index + 1 not in sheet.left]
    for total in sorted({sheet.totals[index] for index in staying}, reverse=True):
        tied = [index for index in staying if sheet.totals[index] == total]
        if len(tied) > 1:
            told = f"{_and(names, tied)} have {total} {'point' if abs(total) == 1 else 'points'} each"
            parts = [told, *_steps(sheet, names, tied), *_places(sheet, names, tied)] if sheet.final else [told]
            yield f"{'; '.join(parts)}."


def _places(sheet: ScoreSheet, names: Sequence[str], tied: list[int]) -> Iterator[str]:
    """The ranks that players with equal totals get by the tie-breaks, where these separate any of them."""
    if len({sheet.ranks[index] for index in tied}) > 1:
        ranked = sorted(tied, key=lambda index: sheet.ranks[index])
        yield f"places: {', '.join(f'{sheet.ranks[index]}. {names[index]}' for index in ranked)}"


def _steps(sheet: ScoreSheet, names: Sequence[str], tied: list[int]) -> Iterator[str]:
    """What each tie-break in turn makes of players with equal totals, by their indices."""
    groups = [tied]
    for tie in sheet.tie_breaks:
        following = []
        for group in groups:
            values = sorted({tie.values[index] for index in group}, reverse=True)
            parts = [[index for index in group if tie.values[index] == value] for value in values]
            if len(parts) > 1 and tie.is_order:
                yield f"{tie.name} decides: {', then '.join(_and(names, part) for part in parts)}"
            elif len(parts) > 1:
                counts = ", ".join(f"{names[index]} {tie.values[index]}" for part in parts for index in part)
                yield f"{tie.name} decide: {counts}"
            elif len(group) > 1 and not tie.is_order:
                yield f"{_and(names, group)} have as many {tie.name} ({values[0]} each)"
            following.extend(parts)
        groups = following
    for group in groups:
        if len(group) > 1:
            rank = sheet.ranks[group[0]]
            prize = "the victory" if rank == 1 else f"rank {rank}"
            yield f"nothing tells {_and(names, group)} apart: they share {prize}"


def _and(names: Sequence[str], indices: Iterable[int]) -> str:
    *first, last = (names[index] for index in indices)
    return f"{', '.join(first)} and {last}" if first else last


def check_document(log: Log, problems: Iterable[Problem]) -> dict[str, Any]:
    """Whether a record holds, and where it does not."""
    found = [
        {
            "line": problem.number + 1,
            "entry": problem.number,
            "action": problem.action,
            "rules": list(problem.rules),
            "sentence": problem.sentence,
        }
        for problem in problems
    ]
    return {
        "id": log.header.id,
        "game": log.game.info.id,
        "version": log.header.version,
        "holds": not found,
        "over": log.is_over,
        "joined": log.record_status.joined,
        "ended_early": log.record_status.ended,
        "left": sorted(log.record_status.left),
        "entries": len(log.entries),
        "overrides": [entry.number for entry in log.entries if entry.kind == "override"],
        "words": list(status_sentences(log.record_status, [player.name for player in log.header.table.players])),
        "problems": found,
    }


def games_document() -> dict[str, Any]:
    """All games of this program with their rulings and what is asked at set-up."""
    return {"games": [game_document(load_game(game_id)) for game_id in GAMES]}


def game_document(game: GameRules[Any]) -> dict[str, Any]:
    """A game, its rulings with all readings, and what is asked at set-up."""
    return {
        "id": game.info.id,
        "title": game.info.title,
        "version": game.info.version,
        "seats": list(game.info.seats),
        "options": [
            {"name": option.name, "count": option.count, "names": list(option.names)}
            for option in game.options(bare_table(game.info.id, print_and_play_board(game.info.id)))
        ],
        "rulings": [
            {
                "id": ruling.id,
                "question": ruling.question,
                "default": ruling.default,
                "readings": dict(ruling.readings),
                "source": ruling.source,
                "confidence": str(ruling.confidence),
            }
            for ruling in game.rulebook.rulings.values()
        ],
    }
