"""A score sheet as one page to print: HTML that needs no other file, with a drawing of the board it was counted on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from companion.board.layout import Board, Spot
from companion.course import PLAIN, Course
from companion.engine import GameRules
from companion.report import score_document, score_heading
from companion.texts import game_texts

_STYLE = """
body { font: 11pt/1.4 Georgia, serif; color: #2b211a; max-width: 190mm; margin: 8mm auto; padding: 0 4mm; }
h1, h2 { font-weight: normal; } h1 { margin-bottom: 0; } h2 { margin: 6mm 0 2mm; break-after: avoid; }
table { border-collapse: collapse; width: 100%; } tr { break-inside: avoid; }
th, td { text-align: left; vertical-align: top; padding: 1mm 2mm; border-bottom: 0.3mm solid #cbbfae; }
td.points, th.points { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.total td { border-top: 0.5mm solid #2b211a; font-weight: bold; }
.pieces, .source { color: #6b5a4a; font-size: 9pt; } a { color: inherit; text-decoration-style: dotted; }
svg { width: 100%; break-inside: avoid; } svg text { font-family: sans-serif; text-anchor: middle; }
svg .name { font-size: 4px; fill: #6b5a4a; } svg .label { fill: #2b211a; }
svg circle { fill: none; } svg circle:target { stroke: #b3261e; stroke-width: 3; }
"""
_COLOURS = {
    "red": "#d98c80", "yellow": "#e8cf7a", "green": "#9dc08b", "blue": "#90b2d6", "grey": "#9a9a9a", "brown": "#a5764f",
    "white": "#ffffff", "black": "#555555", "purple": "#a587b8", "orange": "#e0a15c",
}  # fmt: skip


def score_page(game: GameRules[Any], state: Any, course: Course = PLAIN, *, played: str = "") -> str:
    """The page for a position and how the game went there. `played` is a date to show."""
    document = score_document(game, state, course)
    heading = score_heading(document)
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(game.info.title)}: {heading.lower()}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{escape(game.info.title)}</h1>",
        f"<p>{heading}{escape(f', {played}' if played else '')}.</p>",
        *_ranking(document),
        *(section for player in _ranked(document) for section in _player(document, player)),
        *_rules(game, document),
        "<h2>The board</h2>",
        *_drawings(state.table.board, game.appearance(state)),
        *_rulings(game, state),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _ranked(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return sorted(document["players"], key=lambda player: (player["rank"], player["seat"]))


def _ranking(document: Mapping[str, Any]) -> Iterable[str]:
    yield '<table><tr><th>Rank</th><th>Player</th><th>Colour</th><th class="points">Points</th></tr>'
    for player in _ranked(document):
        rank = "left" if player["left"] else player["rank"]
        yield (
            f"<tr><td>{rank}</td><td>{escape(player['name'])}</td><td>{escape(player['colour'])}</td>"
            f'<td class="points">{player["total"]}</td></tr>'
        )
    yield "</table>"
    for sentence in document["words"]:
        yield f"<p>{escape(sentence)}</p>"


def _player(document: Mapping[str, Any], player: Mapping[str, Any]) -> Iterable[str]:
    yield f"<h2>{escape(player['name'])} ({escape(player['colour'])})</h2>"
    yield '<table><tr><th>What</th><th>Pieces</th><th class="points">Points</th></tr>'
    for line in document["lines"]:
        if line["seat"] == player["seat"]:
            counted = f": {escape(line['counted'])}" if line["counted"] else ""
            pieces = " ".join(f'<a href="#{escape(site)}">{escape(site)}</a>' for site in line["sites"])
            yield (
                f'<tr><td><a href="#{line["rule"]}">{escape(line["title"])}</a>{counted}</td>'
                f'<td class="pieces">{pieces}</td><td class="points">{line["points"]}</td></tr>'
            )
    yield f'<tr class="total"><td>Total</td><td></td><td class="points">{player["total"]}</td></tr></table>'


def _rules(game: GameRules[Any], document: Mapping[str, Any]) -> Iterable[str]:
    yield "<h2>The rules that were counted by</h2><table>"
    used = [line["rule"] for line in document["lines"]] + [tie["rule"] for tie in document["tie_breaks"]]
    for rule in (game.rulebook.rules[name] for name in dict.fromkeys(used)):
        yield (
            f'<tr id="{rule.id}"><td>{escape(rule.title)}</td><td>{escape(rule.sentence)}<br>'
            f'<span class="source">{rule.id}, {escape(rule.source)}</span></td></tr>'
        )
    yield "</table>"


def _rulings(game: GameRules[Any], state: Any) -> Iterable[str]:
    if state.table.rulings:
        yield "<h2>What this table decided where the rulebook is silent</h2><table>"
    for name, reading in state.table.rulings.items():
        ruling = game.rulebook.rulings[name]
        yield f"<tr><td>{escape(ruling.question)}</td><td>{escape(ruling.readings[reading])}</td></tr>"
    if state.table.rulings:
        yield "</table>"


def _drawings(board: Board, look: Mapping[str, str]) -> Iterable[str]:
    """Each sheet, but those beside the board on which nothing lies."""
    for sheet in board.sheets:
        if sheet is board or not look.keys().isdisjoint(sheet.spots):
            yield _drawing(sheet, look)


def _drawing(board: Board, look: Mapping[str, str]) -> str:
    """The pieces on the board from above, each spot's site an anchor that a link to it marks."""
    texts = game_texts(board.game)
    width, height = board.size
    parts = [f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="The pieces on the board">']
    parts.append(f'<rect width="{width:g}" height="{height:g}" fill="#faf6ee" stroke="#cbbfae"/>')
    spots = sorted((spot for spot in board.spots.values() if spot.name in look), key=lambda spot: spot.base)
    for spot in spots:
        label = look[spot.name]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in spot.outline)
        title = escape(f"{texts.spot(spot.name)}: {label}")
        fill = _COLOURS.get(label, "#e9e2d6")
        parts.append(f'<polygon points="{points}" fill="{fill}" stroke="#6b5a4a"><title>{title}</title></polygon>')
        parts.append(_label(spot, label[:1].upper() if label in _COLOURS else label))
    for name, (x, y) in board.lattice.places.items():
        parts.append(f'<text class="name" x="{x:.1f}" y="{y + 1.5:.1f}">{name}</text>')
    for site, (x, y) in {spot.site: spot.centre for spot in spots}.items():
        parts.append(f'<circle id="{escape(site)}" cx="{x:.1f}" cy="{y:.1f}" r="12"/>')
    return "\n".join([*parts, "</svg>"])


def _label(spot: Spot, text: str) -> str:
    """What lies on a spot, as large as fits: a word, or the first letter of a colour; low where it may be covered."""
    x, y = spot.centre
    width = max(x for x, _ in spot.outline) - min(x for x, _ in spot.outline)
    size = min(5.0, 1.4 * width / max(1, len(text)))
    y += 0.4 * size if width < 10 else 0.8 * size + 1.5
    return f'<text class="label" x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}">{escape(text)}</text>'
