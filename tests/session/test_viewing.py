"""What each viewer may know of a game: closed pieces are told to their owner's view only."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest

from companion.engine import apply
from companion.errors import InvalidNotation
from companion.legality import Status
from companion.session.record import record_text
from companion.session.session import Session
from companion.session.viewing import ClosedPieces, Telling, Viewer, ViewerKind, known_to
from companion.wording.texts import game_texts
from tests.tables import table_of

REVEALING = {"stage": "reveal", "player": {"1": {"bridges": 1}, "2": {"bridges": 2}}}
HIDING = ("capitol", "thurn_and_taxis", "city_of_marble")
ALL_SEE = tuple(Viewer(kind) for kind in ViewerKind if kind is not ViewerKind.SEAT)


def session_of(game_id: str, seats: int = 2, start=None) -> Session:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    return Session.create(None, table_of(game_id, seats), start, clock=lambda: noon, game_id="game")


def dealt(game, state, seat: int, random: Random) -> tuple[str, ...] | None:
    """Whole names that the closed pieces of a seat can have, by lot; None where all are known."""
    pieces = game.closed_pieces(state, seat)
    if all(piece.is_known for piece in pieces):
        return None
    for _attempt in range(60):
        names = tuple(random.choice(piece.may_be) for piece in pieces)
        try:
            game.with_closed_pieces(state, seat, names)
        except ValueError:
            continue
        return names
    return None


def shown(log, viewer: Viewer) -> str:
    """What a viewer can be shown of a position: all of it, the choices in their order, words, what undo names."""
    game, texts = log.game, game_texts(log.header.table.game)
    legal = [] if log.is_over else [action.text for action in game.own_actions(log.state)]
    held = [[game.holdings(log.state, seat), game.secrets(log.state, seat)] for seat in log.header.table.seats]
    undo = log.done[-1].entry.summary if log.done else ""
    prompt = "" if log.is_over else texts.prompt(game, log.state)
    document = json.dumps(game.state_document(log.state), sort_keys=True)
    return "\n".join(map(str, (viewer.kind, document, legal, refusal(log), held, undo, prompt)))


def refusal(log) -> list[str]:
    """Why the game's most usual action that may be forbidden is refused, in words."""
    game, turn_end = log.game, log.game.info.turn_end
    verdict = Session(log).judge(turn_end()) if turn_end is not None else None
    return (
        [game.rulebook.sentence(violation, log.header.table.players) for violation in verdict.violations]
        if verdict
        else []
    )


def twin_evenings(game_id: str, seed: int) -> Iterator[tuple[ClosedPieces, ClosedPieces]]:
    """The same public game twice; only what seat 2 holds and tells of its closed pieces is another."""
    start = {"player": {"1": {"bridges": 1}, "2": {"bridges": 2}}} if game_id == "city_of_marble" else None
    sessions = session_of(game_id, start=start), session_of(game_id, start=start)
    hands = tuple(map(ClosedPieces, sessions))
    public, common = Random(seed), Random(seed + 1)
    own = Random(seed + 2), Random(seed + 3)
    game = sessions[0].game
    for _step in range(60):
        for world, pieces in enumerate(hands):
            viewer = Viewer(ViewerKind.SEAT, 2)
            told = dealt(game, pieces.known_to(viewer).state, 2, own[world])
            if told is not None:
                pieces.tell(2, told)
        first = dealt(game, hands[0].known_to(Viewer(ViewerKind.SEAT, 1)).state, 1, common)
        if first is not None:
            for pieces in hands:
                pieces.tell(1, first)
        yield hands
        if not sessions[0].actors:
            return
        seat = sessions[0].actors[0]
        options = [pieces.own_actions(seat) for pieces in hands]
        both = [action for action in options[0] if action in set(options[1])]
        if not both:
            return
        from_deck = [action for action in both if action.text == "take deck"]
        action = public.choice(from_deck if from_deck and public.random() < 0.4 else both)
        for session in sessions:
            assert session.submit(action, seat=seat).entry is not None


@pytest.mark.parametrize("game_id", HIDING)
@pytest.mark.parametrize("seed", range(2))
def test_every_byte_to_every_other_viewer_is_equal_whatever_a_closed_hand_holds(game_id, seed):
    others = (*ALL_SEE, Viewer(ViewerKind.SEAT, 1))
    differed = seen = 0
    for one, other in twin_evenings(game_id, seed):
        seen += 1
        for viewer in others:
            assert shown(one.known_to(viewer), viewer) == shown(other.known_to(viewer), viewer)
        own = Viewer(ViewerKind.SEAT, 2)
        differed += shown(one.known_to(own), own) != shown(other.known_to(own), own)
    for viewer in others:
        assert record_text(one.known_to(viewer)) == record_text(other.known_to(viewer))
    assert seen > 10
    assert differed > seen / 4


def capitol_hand(*names: str) -> ClosedPieces:
    pieces = ClosedPieces(session_of("capitol"))
    pieces.tell(1, names)
    return pieces


HAND = ("roof-1", "roof-2", "floor-3", "floor-4", "red-1", "red-2", "white-3", "permit")


def test_what_was_not_checkable_is_checkable_for_the_owner_alone():
    pieces = capitol_hand(*HAND)
    session = pieces._session
    played = session.game.parse_action("floor-5 nothing", session.state)
    assert session.judge(played, 1).status is Status.NOT_CHECKABLE
    assert pieces.judge(played, 1).status is Status.ILLEGAL
    held = session.game.parse_action("floor-3 nothing", session.state)
    assert session.judge(held, 1).status is Status.NOT_CHECKABLE
    assert pieces.judge(held, 1).status is Status.LEGAL


def test_a_told_card_is_named_in_full_when_it_is_played_and_gone_then():
    pieces = capitol_hand(*HAND)
    texts = [action.text for action in pieces.own_actions(1)]
    assert "floor-3 nothing" in texts
    assert "floor nothing" not in texts
    pieces._session.submit(pieces._session.game.parse_action("floor-3 nothing", pieces._session.state), seat=1)
    known = pieces.known_to(Viewer(ViewerKind.SEAT, 1)).state
    assert known.holding(1).hand == tuple(sorted(set(HAND) - {"floor-3"}))
    assert pieces._session.state.holding(1).hand == ("floor", *("permit",) * 4, "roof", "roof")


def test_undoing_gives_the_told_hand_back():
    pieces = capitol_hand(*HAND)
    pieces._session.submit(pieces._session.game.parse_action("floor-3 nothing", pieces._session.state), seat=1)
    pieces._session.undo()
    assert pieces.known_to(Viewer(ViewerKind.SEAT, 1)).state.holding(1).hand == tuple(sorted(HAND))


def test_what_is_told_later_at_a_point_holds_for_what_is_done_again_after_it():
    pieces = capitol_hand(*HAND)
    session = pieces._session
    session.submit(session.game.parse_action("floor-3 nothing", session.state), seat=1)
    viewer = Viewer(ViewerKind.SEAT, 1)
    assert "floor-4" in pieces.known_to(viewer).state.holding(1).hand
    session.undo()
    pieces.tell(1, (*HAND[:3], "floor-8", *HAND[4:]))
    session.redo()
    assert "floor-8" in pieces.known_to(viewer).state.holding(1).hand
    assert "floor-4" not in pieces.known_to(viewer).state.holding(1).hand


def test_a_mistake_in_a_telling_is_put_right_by_telling_again():
    pieces = capitol_hand(*HAND)
    pieces.tell(1, (*HAND[:3], "floor-8", *HAND[4:]))
    pieces._session.submit(pieces._session.game.parse_action("pass", pieces._session.state), seat=1)
    pieces.tell(1, HAND)
    assert pieces.known_to(Viewer(ViewerKind.SEAT, 1)).state.holding(1).hand == tuple(sorted(HAND))


def test_a_telling_that_events_contradict_is_given_up():
    session = session_of("capitol")
    told = Telling(1, 0, ("floor-3", "floor-4", "red-1", "red-2", "roof-1", "roof-2", "white-3", "white-4"))
    pieces = ClosedPieces(session, [told])
    session.submit(session.game.parse_action("floor-8 nothing", session.state), seat=1)
    assert pieces.known_to(Viewer(ViewerKind.SEAT, 1)).state == session.state


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (HAND[:-1], "8 pieces are held, and 7 are named"),
        (("floor-5", *HAND[1:]), "roof is held"),
        (("roof-1", "roof-1", "roof-1", *HAND[3:]), "floor is held"),
        (("<b>", *HAND[1:]), "<b> is no card"),
        (("roof-1", "roof-2", "floor-3", "floor-4", "red-1", "red-1", "white-3", "permit"), "no more than 1 of red-1"),
    ],
)
def test_a_hand_that_cannot_be_is_refused(names, reason):
    with pytest.raises(ValueError, match=reason):
        capitol_hand(*names)


def test_a_drawn_card_is_public_as_one_of_its_stack():
    game = session_of("capitol").game
    state = session_of("capitol").state
    assert game.public_action(game.parse_action("draw white-3", state)).text == "draw permit"
    assert game.public_action(game.parse_action("draw floor", state)).text == "draw floor"
    with pytest.raises(InvalidNotation):
        game.parse_action("draw bread", state)


def test_only_the_noted_bridge_values_can_be_revealed_by_their_owner():
    start = {"stage": "reveal", "player": {"2": {"bridges": 2}}}
    session = session_of("city_of_marble", start=start)
    pieces = ClosedPieces(session)
    assert session.actors == (2,)
    pieces.tell(2, ("3", "bridge"))
    assert [action.values for action in pieces.own_actions(2)] == [(1, 3), (2, 3), (3, 3), (3, 4)]
    pieces.tell(2, ("3", "1"))
    assert [action.values for action in pieces.own_actions(2)] == [(1, 3)]
    other = session.game.parse_action("bridges 1 4", session.state)
    assert session.judge(other, 2).status is Status.LEGAL
    (violation,) = pieces.judge(other, 2).violations
    assert session.game.rulebook.sentence(violation, session.table.players) == (
        "These are not the values that you have noted; bridge tiles: 2."
    )


def test_an_unseen_card_of_the_deck_is_known_to_its_holder_alone():
    start = {"stage": "play", "player": {"1": {"hand": ["?", "Mannheim"]}}}
    session = session_of("thurn_and_taxis", start=start)
    pieces = ClosedPieces(session)
    with pytest.raises(ValueError, match="Mannheim is held"):
        pieces.tell(1, ("Zuerich", "Ulm"))
    pieces.tell(1, ("Ulm", "Mannheim"))
    state = pieces.known_to(Viewer(ViewerKind.SEAT, 1)).state
    assert state.holding(1).hand == ("Mannheim", "Ulm")
    assert state.left["Ulm"] == session.state.left["Ulm"] - 1
    assert pieces.known_to(Viewer(ViewerKind.SEAT, 2)).state == session.state
    assert {action.card for action in pieces.own_actions(1) if hasattr(action, "end")} == {"Ulm", "Mannheim"}


@pytest.mark.parametrize(("game_id", "start"), [*((each, None) for each in HIDING), ("city_of_marble", REVEALING)])
def test_an_action_names_as_many_closed_pieces_as_leave_their_owner(game_id, start):
    session, random, named = session_of(game_id, start=start), Random(7), 0
    for _step in range(120):
        if not session.actors:
            break
        game, state, (seat, *_others) = session.game, session.state, session.actors
        pieces, legal = game.closed_pieces(state, seat), session.legal_actions()
        for action in random.sample(legal, min(len(legal), 40)):
            left = game.closed_pieces(apply(game, state, action).state, seat)
            assert len(game.pieces_named(action)) == max(0, len(pieces) - len(left)), action.text
            named += len(game.pieces_named(action))
        session.submit(random.choice(legal))
    assert named or (game_id, start) == ("city_of_marble", None)


@pytest.mark.parametrize(
    ("game_id", "start", "action", "is_unseen"),
    [
        ("capitol", None, "red-1 1-round Capitoline/1", True),
        ("capitol", None, "red 1-round Capitoline/1", True),
        ("capitol", None, "pass", False),
        ("capitol", {"player": {"1": {"hand": ["red-1", "roof"]}}}, "red-1 1-round Capitoline/1", False),
        ("capitol", {"player": {"1": {"hand": ["red-1", "roof"]}}}, "red 1-round Capitoline/1", True),
        ("capitol", {"player": {"1": {"hand": ["red-1"]}}}, "red 1-round Capitoline/1", False),
        ("thurn_and_taxis", {"player": {"1": {"hand": ["?", "Ulm"]}}}, "play Basel new", True),
        ("thurn_and_taxis", {"player": {"1": {"hand": ["?", "Ulm"]}}}, "play Ulm new", False),
        ("thurn_and_taxis", {"player": {"1": {"hand": ["?", "Ulm"]}}}, "take Basel", False),
        ("city_of_marble", REVEALING, "bridges 1 9", True),
    ],
)
def test_what_an_action_names_that_nobody_else_has_seen(game_id, start, action, is_unseen):
    session = session_of(game_id, start=start)
    pieces, (seat, *_others) = ClosedPieces(session), session.actors
    assert pieces.names_unseen(session.game.parse_action(action, session.state), seat) is is_unseen


def test_a_viewer_of_a_seat_is_no_other_viewer():
    with pytest.raises(ValueError, match="a seat belongs"):
        Viewer(ViewerKind.TABLET, 1)
    with pytest.raises(ValueError, match="a seat belongs"):
        Viewer(ViewerKind.SEAT)


def test_what_nobody_told_changes_nothing():
    session = session_of("capitol")
    assert known_to(Viewer(ViewerKind.SEAT, 1), session.log, {}) is session.log


def told_hand() -> tuple[Any, ClosedPieces]:
    """A game of Capitol after a pass, in which the first seat has told its hand."""
    session = session_of("capitol")
    session.submit(session.game.parse_action("pass", session.state), seat=1)
    pieces = ClosedPieces(session)
    pieces.tell(1, HAND)
    return session, pieces


def test_what_disproves_a_told_hand_is_known_with_the_piece_that_cannot_be():
    session, pieces = told_hand()
    assert pieces.disproof(1) is None
    shown = session.submit(session.game.parse_action("white-3 nothing", session.state), seat=2).entry
    session.submit(session.game.parse_action("pass", session.state))
    disproof = pieces.disproof(1)
    assert (disproof.move.entry, disproof.wrong) == (shown, ("white-3",))
    assert disproof.told == tuple(sorted(HAND))
    assert pieces.disproof(2) is None
    session.undo()
    session.undo()
    assert pieces.disproof(1) is None


def test_nothing_disproves_what_was_told_of_a_position_that_is_undone():
    session, pieces = told_hand()
    session.undo()
    assert pieces.known_to(Viewer(ViewerKind.SEAT, 1)).state == session.state
    assert pieces.disproof(1) is None


def test_a_changed_record_disproves_what_can_never_have_been():
    session, _pieces = told_hand()
    told = ClosedPieces(session, [Telling(1, 1, (*HAND[:-1], "roof-9"))])
    assert (told.disproof(1).move, told.disproof(1).wrong) == (None, ())
