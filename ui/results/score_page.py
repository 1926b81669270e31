"""A score sheet as one page to print: HTML that needs no other file, with a drawing of the board it was counted on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from companion.board.layout import Board, Spot
from companion.engine import GameRules
from companion.record_status import PLAIN, RecordStatus
from companion.scoring import ScoreSheet
from companion.table import Table
from companion.wording.texts import GameTexts
from ui.drawing.board_drawing import ABOVE, area_of, drawing_of
from ui.menus.rules_help import rule_view
from ui.services.text import _, language_in_use, place_name, translated_texts
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
svg { width: 100%; break-inside: avoid; } svg text { font-family: sans-serif; text-anchor: middle; }
svg .name { font-size: 4px; fill: #6b5a4a; } svg .area { font-size: 6px; fill: #2b211a; } svg .label { fill: #2b211a; }
svg circle { fill: none; } svg circle:target { stroke: #b3261e; stroke-width: 3; }
"""
_COLOURS = {
    "red": "#d98c80", "yellow": "#e8cf7a", "green": "#9dc08b", "blue": "#90b2d6", "grey": "#9a9a9a", "brown": "#a5764f",
    "white": "#ffffff", "black": "#555555", "purple": "#a587b8", "orange": "#e0a15c",
}  # fmt: skip


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
            pieces = " ".join(f'<a href="#{escape(site)}">{escape(_named(texts, site))}</a>' for site in line.sites)
            yield (
                f'<tr><td><a href="#{line.rule}">{escape(line.title)}</a>{counted}</td>'
                f'<td class="pieces">{pieces}</td><td class="points">{line.points}</td></tr>'
            )
    yield f'<tr class="total"><td>{escape(_("Total"))}</td><td></td><td class="points">{points}</td></tr></table>'


def _named(texts: GameTexts, site: str) -> str:
    """A site as people call it."""
    known = texts.place(site)
    return known if known != site else texts.place(site.rpartition("/")[2])


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
    """The pieces on the board from above; each spot's site is an anchor that links highlight."""
    width, height = board.size
    parts = [f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(_("The board"))}">']
    parts.append(f'<rect width="{width:g}" height="{height:g}" fill="#faf6ee" stroke="#cbbfae"/>')
    parts += _grounds(board)
    spots = sorted((spot for spot in board.spots.values() if spot.name in look), key=lambda spot: spot.base)
    counts = {spot.site: look[spot.name] for spot in spots if look[spot.name].isdecimal()}  # may be covered
    for spot in spots:
        label = look[spot.name]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in spot.outline)
        title = escape(f"{texts.spot(spot.name)}: {texts.label(label)}")
        fill = _COLOURS.get(label, "#e9e2d6")
        parts.append(f'<polygon points="{points}" fill="{fill}" stroke="#6b5a4a"><title>{title}</title></polygon>')
        shown = f"{label[:1].upper()} {counts.get(spot.site, '')}" if label in _COLOURS else texts.place(label)
        parts.append(_label(spot, shown.strip()))
    parts += _place_names(board)
    for name, (x, y) in board.lattice.places.items():
        parts.append(f'<text class="name" x="{x:.1f}" y="{y + 1.5:.1f}">{name}</text>')
    for site, (x, y) in {spot.site: spot.centre for spot in spots}.items():
        parts.append(f'<circle id="{escape(site)}" cx="{x:.1f}" cy="{y:.1f}" r="12"/>')
    return "\n".join([*parts, "</svg>"])


def _grounds(board: Board) -> Iterable[str]:
    """The areas of a board in their colours, each with its name."""
    prefixes = {group.prefix for group in board.groups.values()}
    for kind, colour in drawing_of(board).grounds.items():
        for name, site in board.features.get(kind, {}).items():
            if site.partition("/")[0] in prefixes:
                left, top, right, bottom = area_of(board, site)
                fill = "#" + "".join(f"{round(255 * part):02x}" for part in colour)
                yield (
                    f'<rect x="{left:g}" y="{top:g}" width="{right - left:g}" height="{bottom - top:g}" '
                    f'fill="{fill}" fill-opacity="0.3" stroke="{fill}"/>'
                )
                caption = escape(f"{place_name(board.game, name)} ({_(kind)})")
                yield f'<text class="area" x="{(left + right) / 2:g}" y="{top + ABOVE - 4:g}">{caption}</text>'


def _place_names(board: Board) -> Iterable[str]:
    """What the places off the grid and the circles are called: a number in the corner, a name below all so called."""
    below: dict[str, list[tuple[float, float]]] = {}
    for group in board.groups.values():
        wide, high = group.size[0] / 2, group.size[-1] / 2
        for place, (x, y) in group.places.items():
            if place.isdecimal():
                yield f'<text class="name" x="{x - wide + 2:.1f}" y="{y - high + 4:.1f}">{place}</text>'
            elif len(place) > 1:
                below.setdefault(place, []).append((x, y + high + 4))
    for place, (x, y) in board.slots.items():
        below[place] = [(x, y + board.slot_diameter / 2 + 4)]
    for place, ends in below.items():
        middle, low = sum(x for x, _y in ends) / len(ends), max(y for _x, y in ends)
        name = escape(place_name(board.game, place))
        yield f'<text class="name" x="{middle:.1f}" y="{low:.1f}">{name}</text>'


def _label(spot: Spot, text: str) -> str:
    """The text of a piece, as large as fits: a word or a colour's first letter; lower if it may be covered."""
    x, y = spot.centre
    width = max(x for x, _ in spot.outline) - min(x for x, _ in spot.outline)
    size = min(5.0, 1.4 * width / max(1, len(text)))
    y += 0.4 * size if width < 10 else 0.8 * size + 1.5
    return f'<text class="label" x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}">{escape(text)}</text>'
