"""What the tray and the menu of the tablet and the pages of phones show in the evenings of `evenings.py`.

After each gesture the cards of the tray are looked at in every way that a screen lays them out, a card is looked at,
and each phone's page is composed. `scripts/goldens` writes it, and a test compares.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from companion.registry import GAMES
from companion.session.viewing import ClosedPieces
from tests.every_game import folder_of_tests
from tests.ui.transcripts.evenings import Evening, Gesture, written
from tests.ui.transcripts.evenings import file_of as evening_of
from ui.table.cues import cues_of, gains
from ui.table.phone_views import PhoneState, PhoneViews
from ui.table.picking import CardView, Picking, place_looked_at
from ui.table.played_cards import by_card, cards_of, places_of
from ui.table.table_menu import TableMenu
from ui.view_models.form_view import Hidden, Note, Picks, Row, SectionHeading
from ui.view_models.phone_view import PhoneView
from ui.view_models.play_view import ChipView

GESTURES = 60
"""gestures of the evening that are made"""
SHOWN = 3
"""cards or choices of one kind that are written at most"""
ROOM = 8
"""cards for which the tray has room"""


def trays(game: str, gestures: Iterable[Gesture]) -> str:
    """What is shown during one evening, each line as it comes."""
    return "\n".join(_trays(Evening(game), gestures)) + "\n"


def _trays(evening: Evening, gestures: Iterable[Gesture]) -> Iterator[str]:
    picking, phones = Picking(), PhoneViews(evening.presenter, ClosedPieces(evening.table.session, []))
    before: list[str] = []
    view = evening.table.view
    for number, gesture in enumerate(gestures, 1):
        evening.make(*gesture)
        view, seen = evening.table.view, view
        now = [*tray(picking, evening), *pages(phones, evening), *reasons(phones, evening, number), *menu(evening)]
        now += [f"heard: {' '.join(cues_of(seen, view, has_clock=True))} {dict(gains(seen, view)) or ''}"]
        yield f"{number:3}  {gesture[0]} {' '.join(map(str, gesture[1:]))}"
        yield from (f"  {line}" for line in now if line not in before)
        before = now


def tray(picking: Picking, evening: Evening) -> Iterator[str]:
    """The tray as it comes, then with the first group open, the next place looked at, and another card."""
    view = evening.table.view
    picking.take(by_card(view.choices, view))
    picking.open("")
    yield f"the place looked at: {place_looked_at(view, evening.presenter.board)}"
    for card in cards_of(view, view.choices):
        touched = places_of(view, card.text)
        yield f"played {card.told}: {card.count}{f', on the board {touched.text}' if touched is not None else ''}"
    yield from _laid("tray", picking, evening)
    if len(picking.groups) > 1:
        picking.open(picking.groups[0])
        yield from _laid("group", picking, evening)
    if picking.looks_at_places:
        picking.next_place()
        yield from _laid("next", picking, evening)
        picking.look_at(picking.shown[-1].key)
        yield from _laid("last", picking, evening)


def _laid(name: str, picking: Picking, evening: Evening) -> Iterator[str]:
    number, count = picking.place
    yield f"{name}: place {number} of {count}, {len(picking.shown)} of {len(picking.choices)} choices"
    cards = picking.cards(ROOM)
    for card in cards[:SHOWN]:
        looks = " ".join((*map(_chip, card.faces), *(f"{piece.spot}={piece.label}" for piece in card.pieces)))
        marks = "selected" if card.selected else "by face" if card.is_told_by_face else ""
        yield f"{name} card {card.key}: {card.text} | {card.figure} | {card.told} | {looks} | {marks}"
    others = {
        "cards": cards,
        "folded": picking.cards_within(lambda cards: len(cards) <= ROOM),
        "with reasons folded": picking.cards_with_reasons_folded(),
    }
    if picking.has_swatches:
        others["beside swatches"] = picking.cards_beside_swatches()
    told = {way: f"{len(found)} {'; '.join(map(_in_short, found[:SHOWN]))}" for way, found in others.items()}
    yield from (f"{name} {way}: {words}" for way, words in told.items() if way == "cards" or words != told["cards"])
    if picking.chosen is not None:
        key, places = picking.chosen.key, picking.other_places(evening.presenter.board)
        ghost = " ".join(f"{piece.spot}={piece.label}" for piece in picking.ghost())
        looks = "looks" if picking.only_looks_at(key) else "does"
        yield f"{name} {looks}: {key} | {ghost} | places {' '.join(str(place.number) for place in places)}"


def _in_short(card: CardView) -> str:
    marks = (" forbidden" if card.forbidden else "") + (" beside" if card.is_beside else "")
    return f"{card.text}{f' x{card.count}' if card.count else ''}{marks}"


def _chip(chip: ChipView) -> str:
    return " ".join(filter(None, (chip.component, chip.kind, chip.words, chip.numbers, chip.top)))


def pages(phones: PhoneViews, evening: Evening) -> Iterator[str]:
    """The pages of a spectator's phone and of one at each seat."""
    seats = evening.table.session.table.seats
    for seat in (0, *seats):
        yield from _page(f"phone {seat}", phones.view(PhoneState(seat, "a note" if seat else ""), {1: 1}))


def reasons(phones: PhoneViews, evening: Evening, number: int) -> Iterator[str]:
    """Why whoever acts may not do something at one place of the board, or with a piece of the hand."""
    sites = sorted({spot.site for spot in evening.presenter.board.spots.values()})
    site = sites[7 * number % len(sites)]
    for seat in evening.table.session.actors:
        held = [piece.name for piece in phones.hand(seat)]
        piece = held[number % len(held)] if held else ""
        for name, found in (
            (f"at {site}", phones.forbidden_at(site, seat)),
            (f"at {site} with {piece}", phones.forbidden_at(site, seat, piece) if piece else ()),
            (f"with {piece}", phones.forbidden_with(piece, seat)),
        ):
            for choice in found[:SHOWN]:
                yield f"phone {seat} not {name}: {choice.key} | {choice.text} | {choice.group} | {choice.why}"


def _page(name: str, page: PhoneView) -> Iterator[str]:
    yield f"{name}: {page.prompt} | {page.what} | {page.waited_for}{' mine' if page.is_mine else ''}"
    for button in page.buttons:
        marks = ("" if button.enabled else " off") + (" strong" if button.strong else "")
        yield f"{name} button {button.intent}: {button.text} | {button.does} | {button.said}{marks}"
    yield f"{name} choices: {len(page.choices)}"
    for choice in page.choices[:SHOWN]:
        laid = " ".join(f"{spot}={label}" for spot, label in choice.laid)
        marks = ("" if choice.is_usual else " unusual") + (f" forbidden: {choice.why}" if choice.forbidden else "")
        faces = " ".join(map(_chip, choice.faces))
        yield f"{name} choice {choice.key}: {choice.group} | {choice.text} | {laid} | {faces}{marks}"
    if page.verdict is not None:
        yield f"{name} verdict {page.verdict.kind}: {page.verdict.headline}"
    if page.latest is not None:
        yield f"{name} latest: {page.latest.text} | {' '.join(map(_chip, page.latest.faces))}"
    yield f"{name} undo: {page.undo}{' as a wish' if page.undo_is_wish else ''}; {page.hand_name} {page.hand_problem}"
    yield f"{name} hand: {', '.join(piece.text for piece in page.hand)}; may be {sum(len(p.may_be) for p in page.hand)}"
    for line in page.log[:2]:
        yield f"{name} log: {line.text}"
    if page.asked is not None:
        yield f"{name} asked: {page.asked}"
    for seat in page.seats:
        yield f"{name} seat: {seat}"
    yield f"{name} {page.note or 'no note'}; score {page.score is not None}; photographs {page.photographs}"


def menu(evening: Evening) -> Iterator[str]:
    """All pages of the table's menu, of a table that has everything."""

    def nothing() -> None:
        return

    shown = TableMenu(
        evening.presenter, nothing, nothing, rules=nothing, phones=nothing, organiser=nothing, home=nothing,
        score=nothing, count=nothing,
    )  # fmt: skip
    for page in ("", "open", "history", "secrets", "detail", "leave", "end"):
        shown.touch("page", page)
        yield from (f"menu {shown.heading()}: {line}" for row in shown.rows() for line in _row(row))


def _row(row: Row) -> Iterator[str]:
    match row:
        case SectionHeading(text) | Note(text):
            yield text
        case Hidden(label, text):
            yield f"{label} {' / '.join(text.splitlines())}"
        case Picks(key, picks):
            for each in picks:
                yield f"{key} {each.key}: {each.text} | {each.detail}{' chosen' if each.chosen else ''}"
        case _:
            raise AssertionError(row)


def file_of(game: str) -> Path:
    """Where the trays of a game's evening are kept."""
    return folder_of_tests(game) / "trays.txt"


def gestures_of(game: str) -> list[Gesture]:
    """The first gestures of a game's evening."""
    return written(evening_of(game).read_text(encoding="utf-8"))[:GESTURES]


if __name__ == "__main__":
    for each in sys.argv[1:] or GAMES:
        file_of(each).write_text(trays(each, gestures_of(each)), encoding="utf-8")
