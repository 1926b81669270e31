// What a page cannot do without script, and can do without: say that the connection is lost, look again after sleep, keep
// what is pressed until it is let go, and bring cards into the order of their urgency once the pointer rests, so that none
// moves away under a finger.
(function () {
  "use strict";
  var REST = 1500, moved = 0, waiting = false;
  var LONGEST_PRESS = 3000, CLICKED = 60; // milliseconds; a click comes a little after the press has ended
  var held = null, pressed = 0; // what has come while something is pressed: what is replaced then would not be clicked
  document.documentElement.classList.add("script");
  document.addEventListener("htmx:sseError", function () {
    document.body.classList.add("lost");
    fetch(location.href, { method: "HEAD", redirect: "manual" }).then(function (answer) {
      if (answer.type === "opaqueredirect" || answer.status === 404) { location.reload(); } // nobody is in; it was deleted
    }, function () {});
  });
  document.addEventListener("htmx:sseOpen", function () {
    document.body.classList.remove("lost");
    if (held) { held = []; } // all of it comes anew
  });
  document.addEventListener("htmx:sseBeforeMessage", function (event) {
    if (held) { event.preventDefault(); held.push(event.detail); }
  });
  document.addEventListener("pointerdown", function () {
    held = held || [];
    letGoIn(LONGEST_PRESS);
  }, { passive: true, capture: true });
  ["pointerup", "pointercancel"].forEach(function (name) {
    document.addEventListener(name, function () { letGoIn(CLICKED); }, { passive: true, capture: true });
  });
  function letGoIn(milliseconds) {
    clearTimeout(pressed);
    pressed = setTimeout(function () {
      var came = held || [];
      held = null;
      came.forEach(function (message) {
        message.target.dispatchEvent(
          new MessageEvent(message.type, { data: message.data, lastEventId: message.lastEventId })
        );
      });
    }, milliseconds);
  }
  document.addEventListener("visibilitychange", function () {
    if (!document.hidden && document.body.classList.contains("lost")) { location.reload(); }
  });
  ["pointermove", "pointerdown", "keydown", "scroll"].forEach(function (name) {
    document.addEventListener(name, function () { moved = Date.now(); }, { passive: true });
  });
  document.addEventListener("submit", function (sent) {  // a second click does nothing twice
    var form = sent.target;
    if (form.dataset.sent) { sent.preventDefault(); return; }
    form.dataset.sent = "yes";
    setTimeout(function () { delete form.dataset.sent; }, REST);
  });
  document.addEventListener("htmx:afterSettle", sortSoon);
  document.addEventListener("htmx:oobAfterSwap", sortSoon);
  function sortSoon() {
    if (!waiting) { waiting = true; setTimeout(sortAtRest, 120); }
  }
  function sortAtRest() {
    var grid = document.getElementById("tables");
    waiting = false;
    if (!grid) { return; }
    if (Date.now() - moved < REST) { waiting = true; setTimeout(sortAtRest, REST); return; }
    var cards = Array.from(grid.children), seen = {};
    cards.forEach(function (card) {
      if (seen[card.id]) { seen[card.id].remove(); }
      seen[card.id] = card;
    });
    cards = Array.from(grid.children);
    var wanted = cards.slice().sort(function (one, other) {
      return one.dataset.order < other.dataset.order ? -1 : one.dataset.order > other.dataset.order ? 1 : 0;
    });
    wanted.forEach(function (card, at) {
      if (grid.children[at] !== card) { grid.insertBefore(card, grid.children[at]); }
    });
  }
})();
