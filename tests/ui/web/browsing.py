"""Real browsers as phones, and players who tap on them what simulated players choose."""

from __future__ import annotations

import re
import threading
import time
from collections import Counter
from random import Random
from typing import Any
from urllib.parse import urlsplit

import cv2

from companion.engine import actor_of, apply_unchecked
from companion.session.viewing import Viewer, ViewerKind
from tests.ui.web.visiting import PhoneTable
from ui.simulated_table.players import seated
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView

SIZES = ((360, 640), (412, 915))
PATIENCE = 60.0
"""seconds"""


class Browser:
    """What phones show in a Chromium on its thread, while the test's thread is the table's."""

    def __init__(self, table: PhoneTable, chromium: Any) -> None:
        self.table, self._chromium = table, chromium
        self.complaints: list[str] = []

    def phone(self, size: tuple[int, int] = SIZES[0], *, script: bool = True) -> Any:
        """A phone that scans the code."""
        context = self._chromium.new_context(
            viewport={"width": size[0], "height": size[1]}, java_script_enabled=script, has_touch=True, is_mobile=True
        )
        return self.page(context, self.table.service.url)

    def page(self, context: Any, address: str) -> Any:
        """One more page of a phone."""
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.on("console", self._complain)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(address)
        return page

    def _complain(self, message: Any) -> None:
        """Keep what a browser complains of, but for a post that a busy table does not answer: the page says so."""
        is_post = urlsplit(message.location["url"]).path == "/do"
        if not (is_post and "status of 503" in message.text):
            self.complaints.append(f"{message.text} {message.location['url']}")

    def at_table(self, function: Any) -> None:
        """Have something done on the table's thread."""
        self.table.service._jobs.put(function)


def sit(browser: Browser, page: Any, seat: int) -> None:
    """Touch a seat on a phone, and the tablet's yes."""
    page.locator(f'button[name=seat][value="{seat}"]').tap()
    page.locator(".asks").first.wait_for()
    question = next(iter(browser.table.presenter.questions))
    browser.at_table(lambda: browser.table.presenter.on_choice(f"asked yes {question}"))
    page.locator("button[name=button]").first.wait_for()


def seated_pair(browser: Browser, size: tuple[int, int]) -> list[Any]:
    """The pages of two phones at seats 1 and 2."""
    pages = [browser.phone(size), browser.phone(size)]
    for seat, page in enumerate(pages, 1):
        sit(browser, page, seat)
    return pages


def unfold_forbidden(page: Any) -> None:
    """Touch *why not?*, where something else may be done at the place."""
    folded = page.locator("details:not([open]) > summary", has_text="why not?")
    if folded.count():
        folded.first.tap()


def until(is_so: Any, what: str, seconds: float = PATIENCE) -> None:
    """Wait for something at the table; everything happens on other threads."""
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.01)


class TappingPlayers:
    """A browser's phone at each seat; what simulated players choose is tapped as a person would."""

    def __init__(self, browser: Browser, seed: int) -> None:
        self.browser, self.table, self.session = browser, browser.table, browser.table.session
        self.random = Random(seed)
        self.players = seated(self.session.game, self.session.state, self.random)
        self.pages: dict[int, Any] = {}
        self.taps = self.again = 0
        self.told = ""
        """why a photograph was of no use"""
        for seat in self.session.table.seats:
            self.pages[seat] = browser.phone(SIZES[seat % 2])
            sit(browser, self.pages[seat], seat)

    @property
    def actor(self) -> int:
        return self.session.actors[0]

    def turn(self) -> None:
        """Whoever acts taps what the simulated player chooses."""
        before = self.session.state
        action = self.players.choose(before, self.random)
        seat = actor_of(self.session.game, before, action, self.session.actors) or self.actor
        self.my_turn(seat)
        self.tell(seat)
        named = self.named(seat, action)
        if not self.is_tapped(self.pages[seat], named, before):  # the page was exchanged under the finger: once more
            self.again += 1
            self.my_turn(seat)
            self.tap_action(self.pages[seat], named)
        self.recorded(before, action)

    def is_tapped(self, page: Any, action: Any, before: Any) -> bool:
        """Tap an action; whether the table has taken it in soon."""
        from playwright.sync_api import TimeoutError as Missed

        try:
            self.tap_action(page, action)
            until(lambda: self.session.state is not before, "", PATIENCE / 4)
        except (Missed, TimeoutError):
            return False
        return True

    def recorded(self, before: Any, action: Any) -> None:
        """Wait until an action is in the record."""
        until(lambda: self.session.state is not before, f"{action.text} was not recorded")
        self.players = self.players.after(before, action, self.session.state)

    def my_turn(self, seat: int) -> None:
        """Wait until a phone shows the position as it is, and that it is its turn."""
        at = f'input[name=at][value="{self.session.state_id}"]'
        self.pages[seat].locator(f"main:has(header.mine) {at}").first.wait_for(state="attached")

    def named(self, seat: int, action: Any) -> Any:
        """An action as its phone names it: with the lowest card of its kind, as simulated players play it."""
        own = self.table.service._phones._views.closed.own_actions(seat)
        alike = [each for each in own if re.sub(r"-\d+\b", "", each.text) == action.text]
        if action.text.startswith("bridges "):  # their values are by lot: as the phone was told
            alike = [each for each in own if each.kind == action.kind]
        return action if action in own or not alike else min(alike, key=lambda each: each.text)

    def tap_action(self, page: Any, action: Any) -> None:
        button = f'button[name=choose][value="{action.text}"]'
        self.taps += 1
        named = self.table.presenter.texts.kind(action)
        done = page.locator("button[name=button][value=done]", has_text=re.compile(f"^{re.escape(named)}$"))
        if not page.locator(button).count() and done.count():
            done.tap()  # the press that the bar names after it
            return
        if not page.locator(button).count() and not self.looked_at(page, action, button):
            page.locator("button[name=button][value=help]").tap()
            self.taps += 1
            kind = page.locator("a.kind", has_text=named)
            page.locator(button).or_(kind).first.wait_for(state="attached")
            if not page.locator(button).count():
                kind.first.tap()
                self.taps += 1
                page.locator("a.kind.open").wait_for()
                if not page.locator(button).count():
                    self.looked_at(page, action, button)
        folded = page.locator(f"details.every:not([open]):has({button}) > summary")
        if folded.count():
            folded.first.tap()
            self.taps += 1
        soon = 250 * PATIENCE
        page.locator(button).first.evaluate("button => button.scrollIntoView({block: 'center'})", timeout=soon)
        page.locator(button).first.tap(timeout=soon)

    def looked_at(self, page: Any, action: Any, button: str) -> bool:
        """Follow the page's links that may lead to an action; whether its button is there then."""
        for link in self.ways_to(action):
            if page.locator(f'a[href="{link}"]').count():
                with page.expect_navigation(url=f"**{link}"):  # also where it is the address already
                    page.locator(f'a[href="{link}"]').first.dispatch_event("click")
                self.taps += 1
                if page.locator(button).count():
                    return True
        return False

    def ways_to(self, action: Any) -> list[str]:
        """The links that lead to an action: its card in the hand, the places it is about."""
        card = getattr(action, "card", "")
        own = [f"/?piece={card}", f"/?piece={card}#do"] if card else []
        sites = [site.replace(" ", "%20") for site in action.sites]
        there = [f"/?site={site}&piece={card}#do" for site in sites] if card else []
        return own + there + [f"/?site={site}#do" for site in sites]

    def tell(self, seat: int) -> None:
        """The owner of a seat says what its pieces are, where that is open."""
        page = self.pages[seat]
        selects = [(each, each.locator("option").all()) for each in page.locator("select[name=piece]").all()]
        if not selects:
            return
        left = Counter(self.hand(seat))
        left.subtract(each.get_attribute("value") for each in page.locator("input[name=piece]").all())
        for select, options in sorted(selects, key=lambda each: len(each[1])):
            names = [option.get_attribute("value") for option in options]
            name = next(name for name in names if left[name] > 0)
            select.select_option(name)
            left[name] -= 1
        self.taps += 1 + len(selects)
        page.locator("button[name=hand]").tap()
        page.locator("select[name=piece]").first.wait_for(state="detached")

    def hand(self, seat: int) -> tuple[str, ...]:
        """What the simulated player holds; where only the companion knows, anything that it can be."""
        log = self.table.service._phones._views.closed.known_to(Viewer(ViewerKind.SEAT, seat))
        pieces = log.game.closed_pieces(log.state, seat)
        if hasattr(self.players, "table"):
            return tuple(self.players.table.holding(seat).hand)
        if hasattr(self.players, "hidden"):
            return (*(piece.name for piece in pieces if piece.is_known), *self.players.hidden[seat - 1])
        while True:
            names = tuple(self.random.choice(piece.may_be) for piece in pieces)
            try:
                log.game.with_closed_pieces(self.session.state, seat, names)
            except ValueError:
                continue
            return names

    def refused(self) -> str:
        """Tap something forbidden on the phone of who acts; gives the headline of the refusal there."""
        page, seat = self.pages[self.actor], self.actor
        self.my_turn(seat)
        sites = [spot.site for spot in self.table.presenter.board.spots.values()]
        self.random.shuffle(sites)
        for site in sites[:20]:
            page.goto(f"http://{self.table.service.address}/?site={site.replace(' ', '%20')}")
            if page.locator("button.forbidden").count():
                unfold_forbidden(page)
                page.locator("button.forbidden").first.tap()
                page.locator(".card.refused").wait_for()
                self.taps += 2
                told = str(page.locator(".card.refused b").inner_text())
                page.locator("button[name=button][value=no]").tap()
                page.locator(".card.refused").wait_for(state="detached")
                return told
        return ""

    def photographed(self) -> bool:
        """Lay on the simulated table what a simulated player chooses, photograph it, and say yes; whether it could."""
        before, seat, game = self.session.state, self.actor, self.session.game
        legal = [each for each in self.session.legal_actions() if not isinstance(each, game.info.unseen)]
        action = next((each for each in legal if getattr(each, "card", "") == ""), None)
        if action is None:
            return False
        after = apply_unchecked(game, before, action).state
        scene = Scene(self.table.presenter.board, CameraView(width=1920, height=1080, tilt=25, distance=800))
        picture = bytes(cv2.imencode(".jpg", scene.frame(game.appearance(after)))[1])
        page = self.pages[seat]
        self.my_turn(seat)
        page.locator("#picture").set_input_files({"name": "board.jpg", "mimeType": "image/jpeg", "buffer": picture})
        self.taps += 1
        page.locator(".card.proposed, .card.refused, .asks:has-text('could not')").first.wait_for(
            timeout=3000 * PATIENCE
        )
        if not page.locator(".card.proposed").count():
            self.told = " ".join(page.locator(".card").all_inner_texts())[:200]
            return False
        page.locator("button[name=button][value=done]").tap()
        self.recorded(before, action)
        done = threading.Event()  # the same press may have ended the turn, too
        self.browser.at_table(done.set)
        done.wait(PATIENCE)
        return True

    def drop_out(self, seat: int) -> None:
        """A phone is closed, and comes back to its seat."""
        context = self.pages[seat].context
        self.pages[seat].close()
        self.pages[seat] = self.browser.page(context, f"http://{self.table.service.address}/")
