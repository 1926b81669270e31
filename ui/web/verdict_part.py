"""What a phone's page says of the latest action, or of one that was refused or is proposed."""

from __future__ import annotations

from urllib.parse import urlencode

from ui.view_models.phone_view import PhoneView
from ui.view_models.play_view import MoveView, PieceState, SourceView, VerdictKind, VerdictView
from ui.web.faces import Faces
from ui.web.icons import icon
from ui.web.markup import Html, element, joined

SAID = "said"
"""name of what has come of a tap, which the page is brought to"""
MOST_PIECES = 4
"""that stand for an action"""
_SIGNS = {
    VerdictKind.ACCEPTED: ("check", "accepted"),
    VerdictKind.PROPOSED: ("asks", "proposed"),
    VerdictKind.REFUSED: ("cross", "refused"),
    VerdictKind.NOT_CHECKABLE: ("unsure", "unsure"),
    VerdictKind.NOTE: ("note", "note"),
}


def verdict_part(view: PhoneView, faces: Faces, own_colour: str) -> Html:
    """The verdict in words; what another seat did is told as pictures."""
    verdict, latest = view.verdict, view.latest
    if verdict is None:
        return Html("")
    is_accepted = verdict.kind is VerdictKind.ACCEPTED
    if is_accepted and latest is not None and not (view.is_mine and latest.seat == view.seat):
        return _move(latest, view, faces)
    sign, kind = _SIGNS[verdict.kind]
    sentences = [joined(element("p", text), _source(source)) for text, source in verdict.sentences]
    heading = element(
        "div", element("span", icon(sign), class_="sign"), element("b", verdict.headline),
        _pieces(verdict, view, faces, own_colour), class_="headline",
    )  # fmt: skip
    return element("div", heading, *sentences, class_=f"card {kind}", role="status", id=None if view.note else SAID)


def _move(move: MoveView, view: PhoneView, faces: Faces) -> Html:
    """Whose move was the latest and what it laid or took, as pictures, with the points it brought."""
    colour = next((each.colour for each in view.players if each.seat == move.seat), "")
    heading = element(
        "div", element("span", icon("check"), class_="sign"), faces.seal(colour),
        _shown(move, faces, colour), element("b", move.text) if not move.pieces else "",
        element("strong", f"{move.points:+}") if move.points else "", class_="headline",
    )  # fmt: skip
    return element(
        "div", heading, class_="card accepted", role="status", aria_label=move.text, id=None if view.note else SAID
    )


def _pieces(verdict: VerdictView, view: PhoneView, faces: Faces, own_colour: str) -> Html:
    """The pieces that a verdict is about; none for an action that is not the latest move."""
    latest = view.latest
    if verdict.kind is VerdictKind.PROPOSED:
        seen = [(each.spot, each.label) for each in view.pieces if each.state is PieceState.PROPOSED]
        return faces.laid(seen[:MOST_PIECES])
    if verdict.kind is VerdictKind.ACCEPTED and latest is not None and verdict.entry == latest.number:
        return _shown(latest, faces, own_colour)
    return Html("")


def _shown(move: MoveView, faces: Faces, colour: str) -> Html:
    """What a move laid, else what stands for it."""
    laid = faces.laid([(piece.spot, piece.label) for piece in move.pieces[:MOST_PIECES]])
    return laid or faces.standing_for(move.faces, colour)


def _source(source: SourceView | None) -> Html:
    """Where a rule stands, as the way to the whole of it."""
    if source is None:
        return Html("")
    return element("a", f"{source.title} ›", href=f"/rules?{urlencode({'words': source.rule})}", class_="source")
