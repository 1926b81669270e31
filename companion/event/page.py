"""An event as one page to print that needs no other file: standings, then the tables of each round."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape

from companion.event.event import ClubEvent
from companion.event.exports import decimal
from companion.event.results import ranks_in_line
from companion.event.standings import standings

_STYLE = """
body { font: 11pt/1.4 Georgia, serif; color: #2b211a; max-width: 190mm; margin: 8mm auto; padding: 0 4mm; }
h1, h2 { font-weight: normal; } h1 { margin-bottom: 0; } h2 { margin: 6mm 0 2mm; break-after: avoid; }
table { border-collapse: collapse; width: 100%; } tr { break-inside: avoid; } thead { display: table-header-group; }
th, td { text-align: left; vertical-align: top; padding: 1mm 2mm; border-bottom: 0.3mm solid #cbbfae; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.note { color: #6b5a4a; font-size: 9pt; }
"""
Translate = Callable[[str], str]


def event_page(event: ClubEvent, title: str, language: str, translate: Translate = str) -> str:
    """The page; `title` is the game's title. Words are translated by `translate`."""
    parts = [
        "<!doctype html>",
        f'<html lang="{escape(language)}"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(event.settings.name)}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{escape(event.settings.name)}</h1>",
        f"<p>{escape(title)}, {escape(event.created[:10])}</p>",
        *_standings(event, "." if language == "en" else ",", translate),
        *_rounds(event, translate),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def tie_break_words(translate: Translate = str) -> str:
    """By what the standings are ordered."""
    return translate(
        "Table points: 12 for the first, 0 for the last, evenly between, shared by who ties; a bye counts 6. Then game "
        "points in per cent of the table's average, then the average table points of opponents."
    )


def _standings(event: ClubEvent, point: str, translate: Translate) -> Iterator[str]:
    yield f"<h2>{escape(translate('Standings'))}</h2><table><thead><tr>"
    heads = (
        translate("Rank"), translate("Player"), translate("Table points"), translate("Game points"),
        translate("Opponents"), translate("Won"), *(str(drawn.round) for drawn in event.rounds),
    )  # fmt: skip
    for at, head in enumerate(heads):
        yield f"<th{'' if at == 1 else NUMBER}>{escape(head)}</th>"
    yield "</tr></thead>"
    for row in standings(event):
        name = _isolated(row.name) + (f' <span class="note">{escape(translate("left"))}</span>' if row.has_left else "")
        rounds = ("–" if points is None else str(points) for points in row.by_round)
        means = (decimal(each).replace(".", point) for each in (row.game_points, row.opponents_points))
        cells = (str(row.table_points), *means, str(row.wins), *rounds)
        yield f"<tr><td{NUMBER}>{row.rank}</td><td>{name}</td>{''.join(map(_number, cells))}</tr>"
    yield f'</table><p class="note">{escape(tie_break_words(translate))}</p>'


def _rounds(event: ClubEvent, translate: Translate) -> Iterator[str]:
    for drawn in event.rounds:
        yield f"<h2>{escape(translate('Round {number}').format(number=drawn.round))}</h2><table>"
        for number, table in enumerate(drawn.tables, 1):
            result = event.results.get((drawn.round, number))
            names = event.names(table)
            shown = map(_isolated, names)
            told = shown if result is None else map("{} {}".format, shown, result.points)
            ranks = ranks_in_line(result) if result else ""
            notes = [f"{translate('ranks')} {ranks}"] if ranks else []
            notes += [translate("by hand")] if result and not result.record else []
            note = escape(" · ".join(notes))
            yield f'<tr><td{NUMBER}>{number}</td><td>{", ".join(told)}</td><td class="note">{note}</td></tr>'
        yield "</table>"
        if drawn.byes:
            names = event.names(drawn.byes)
            byes = escape(translate("Bye: {names}")).format(names=", ".join(map(_isolated, names)))
            yield f'<p class="note">{byes}</p>'


def _isolated(name: str) -> str:
    """A name that changes places with nothing beside it, whichever way it is written."""
    return f"<bdi>{escape(name)}</bdi>"


NUMBER = ' class="number"'


def _number(text: str) -> str:
    return f"<td{NUMBER}>{text}</td>"
