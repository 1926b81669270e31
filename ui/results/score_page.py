"""A score sheet as one page to print: HTML that needs no other file, with the board it was counted on."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

import cv2

from companion.board.layout import Board
from companion.engine import GameRules
from companion.errors import CompanionError
from companion.record_status import PLAIN, RecordStatus
from companion.scoring import ScoreSheet
from companion.table import Table
from companion.wording.texts import GameTexts
from ui.drawing.board_frame import shown_part
from ui.drawing.faces import outline_of
from ui.menus.rules_help import rule_view
from ui.printed.image import board_image
from ui.services.text import _, language_in_use, site_name, translated_texts
from ui.table.score_sheet import compose_score
from ui.view_models.play_view import ScoreView

_STYLE = """
body { font: 11pt/1.4 Georgia, serif; color: #2b211a; max-width: 190mm; margin: 8mm auto; padding: 0 4mm; }
h1, h2 { font-weight: normal; } h1 { margin-bottom: 0; } h2 { margin: 6mm 0 2mm; break-after: avoid; }
table { border-collapse: collapse; width: 100%; } tr { break-inside: avoid; }
th, td { text-align: left; vertical-align: top; padding: 1mm 2mm; border-bottom: 0.3mm solid #cbbfae; }
td.points, th.points { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.total td { border-top: 0.5mm solid #2b211a; font-weight: bold; }
.pieces, .source { color: #6b5a4a; font-size: 9pt; } a { color: inherit; text-decoration-style: dotted; }
svg { width: 100%; break-inside: avoid; box-shadow: 0 1mm 3mm #0004; } svg polygon { fill: transparent; }
svg polygon.bare { fill: #e9e2d6; stroke: #6b5a4a; }
svg circle { fill: none; } svg circle:target { stroke: #a31a10; stroke-width: 3; outline: 1.5mm solid #fff8; }
"""
PIXELS = 2.5
"""a millimetre of the board's picture"""
QUALITY = 82
"""of its WebP file, of 100"""


def score_page(game: GameRules[Any], state: Any, status: RecordStatus = PLAIN, *, played: str = "") -> str:
    """The page for a position and its record status, in the language in use. `played` is a date to show."""
    texts = translated_texts(game.info.id)
    score = compose_score(game, state, texts, status)
    parts = [
        "<!doctype html>",
        f'<html lang="{language_in_use()}"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(game.info.title)}: {escape(score.heading)}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{escape(game.info.title)}</h1>",
        f"<p>{escape(score.heading)}{escape(f', {played}' if played else '')}.</p>",
        *((f"<p>{escape(score.result)}</p>",) if score.result else ()),
        *_ranking(state.table, score),
        *(part for row in score.ranking for part in _player(state.table, score, texts, row[0], row[2])),
        *_rules(game, score, status.scores(game, state), state.table.rulings),
        f"<h2>{escape(_('The board'))}</h2>",
        *_drawings(state.table.board, game.appearance(state), texts),
        *_rulings(game, state),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _ranking(table: Table, score: ScoreView) -> Iterable[str]:
    yield _heads(_("Rank"), _("Player"), _("Colour"))
    for seat, name, points, rank in score.ranking:
        colour = _(table.players[seat - 1].colour)
        yield (
            f"<tr><td>{rank or '–'}</td><td>{escape(name)}</td><td>{escape(colour)}</td>"
            f'<td class="points">{points}</td></tr>'
        )
    yield "</table>"
    for note in score.notes:
        yield f"<p>{escape(note)}</p>"


def _player(table: Table, score: ScoreView, texts: GameTexts, seat: int, points: int) -> Iterable[str]:
    player = table.players[seat - 1]
    yield f"<h2>{escape(player.name)} ({escape(_(player.colour))})</h2>"
    yield _heads(_("What"), _("Pieces"))
    for line in score.lines:
        if line.seat == seat:
            counted = f": {escape(line.detail)}" if line.detail else ""
            pieces = " ".join(f'<a href="#{escape(site)}">{escape(site_name(texts, site))}</a>' for site in line.sites)
            yield (
                f'<tr><td><a href="#{line.rule}">{escape(line.title)}</a>{counted}</td>'
                f'<td class="pieces">{pieces}</td><td class="points">{line.points}</td></tr>'
            )
    yield f'<tr class="total"><td>{escape(_("Total"))}</td><td></td><td class="points">{points}</td></tr></table>'


def _heads(*heads: str) -> str:
    """The beginning of a table with points in its last column."""
    cells = "".join(f"<th>{escape(head)}</th>" for head in heads)
    return f'<table><tr>{cells}<th class="points">{escape(_("Points"))}</th></tr>'


def _rules(game: GameRules[Any], score: ScoreView, sheet: ScoreSheet, rulings: Mapping[str, str]) -> Iterable[str]:
    yield f"<h2>{escape(_('The rules that were counted by'))}</h2><table>"
    used = [line.rule for line in score.lines] + [tie.rule for tie in sheet.tie_breaks]
    for rule in (rule_view(game.rulebook.rules[name], rulings) for name in dict.fromkeys(used)):
        yield (
            f'<tr id="{rule.id}"><td>{escape(rule.title)}</td><td>{escape(rule.text)}<br>'
            f'<span class="source">{escape(rule.source)}</span></td></tr>'
        )
    yield "</table>"


def _rulings(game: GameRules[Any], state: Any) -> Iterable[str]:
    if state.table.rulings:
        yield f"<h2>{escape(_('What this table decided where the rulebook is silent'))}</h2><table>"
    for name, reading in state.table.rulings.items():
        ruling = game.rulebook.rulings[name]
        yield f"<tr><td>{escape(_(ruling.question))}</td><td>{escape(_(ruling.readings[reading]))}</td></tr>"
    if state.table.rulings:
        yield "</table>"


def _drawings(board: Board, look: Mapping[str, str], texts: GameTexts) -> Iterable[str]:
    """The board's sheets: the first one, and the others with pieces on them."""
    for sheet in board.sheets:
        if sheet is board or not look.keys().isdisjoint(sheet.spots):
            yield _drawing(sheet, look, texts)


def _drawing(board: Board, look: Mapping[str, str], texts: GameTexts) -> str:
    """The board as it lies; each spot's site is an anchor that links highlight."""
    left, top, right, bottom = shown_part(board)
    box = f"{left:g} {top:g} {right - left:g} {bottom - top:g}"
    parts = [f'<svg viewBox="{box}" role="img" aria-label="{escape(_("The board"))}">']
    picture = _picture(board, look)
    if picture:
        parts.append(
            f'<image x="{left:g}" y="{top:g}" width="{right - left:g}" height="{bottom - top:g}" '
            f'href="data:image/webp;base64,{b64encode(picture).decode()}"/>'
        )
    spots = sorted((spot for spot in board.spots.values() if spot.name in look), key=lambda spot: spot.base)
    for spot in spots:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in outline_of(board, spot))
        title = escape(f"{texts.spot(spot.name)}: {texts.label(look[spot.name])}")
        bare = "" if picture else ' class="bare"'
        parts.append(f'<polygon points="{points}"{bare}><title>{title}</title></polygon>')
    for site, (x, y) in {spot.site: spot.centre for spot in spots}.items():
        parts.append(f'<circle id="{escape(site)}" cx="{x:.1f}" cy="{y:.1f}" r="12"/>')
    return "\n".join([*parts, "</svg>"])


def _picture(board: Board, look: Mapping[str, str]) -> bytes:
    """The board as it lies as a WebP file; empty where its print cannot be drawn, which no score needs."""
    try:
        image = board_image(board, look, PIXELS)
    except CompanionError:
        return b""
    return cv2.imencode(".webp", image, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])[1].tobytes()
