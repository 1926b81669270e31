// What a page cannot do without script, and can do without: say that the connection is lost or the table has closed it,
// that the phone has no key any more, or why the table refused a post or its events, look again after sleep, stir once
// when it is this phone's turn, send a photograph as soon as it is taken, keep open what was unfolded, bring what has
// come of a tap into view, show the head of the page when a turn begins or ends or the phone sits down, look at a place
// once more though the address is the same, or at what is near a touch, and show no page again over a newer one: the
// answer to a post and the stream of events may overtake each other.
(function () {
  "use strict";
  var FINGER = 22; // pixels around a touch that it may mean
  var isMine = document.querySelector("header.mine") !== null;
  var part = partInPlay(), hasTurned = false, tapped = "";
  var isClosed = false; // by the table, on purpose
  var unfolded = [];
  var gone = document.querySelector(".gone"), lost = gone.textContent;
  var moved = null; // where the board was moved to by a finger, before the page is exchanged
  document.documentElement.classList.add("script");
  lookNear();
  document.addEventListener("htmx:sseError", function (event) {
    var source = event.detail.source, isRefused = source.readyState === EventSource.CLOSED;
    document.body.classList.add("lost");
    fetch(isRefused ? source.url : location.href).then(function (answer) {
      if (answer.status === 403) { location.reload(); }
      if (answer.ok) { return answer.body.cancel(); }
      return answer.text().then(function (page) {
        var sentence = document.body.classList.contains("lost") && sentenceOf(page);
        if (sentence) { gone.textContent = sentence; }
      });
    }).catch(function () {});
  });
  document.addEventListener("htmx:sseOpen", function () {
    document.body.classList.remove("lost");
    gone.textContent = lost;
    if (isClosed) { location.reload(); }
  });
  document.addEventListener("visibilitychange", function () {
    if (!document.hidden && !isClosed && document.body.classList.contains("lost")) { location.reload(); }
  });
  document.addEventListener("click", function (event) {
    var place = event.target.closest ? event.target.closest('a[href$="#do"]') : null;
    var address = place ? new URL(place.getAttribute("href"), location.href).href : "";
    if (place && address === location.href) { event.preventDefault(); location.reload(); }
    var sheet = event.target.closest ? event.target.closest(".sheet[data-at]") : null;
    if (sheet && !event.target.closest("a")) { lookWhereTouched(sheet, event); }
  });
  document.addEventListener("change", function (event) {
    if (event.target.id === "picture" && event.target.files.length) { event.target.form.requestSubmit(); }
  });
  document.addEventListener("submit", function (event) {
    tapped = event.submitter ? event.submitter.name : "";
    hasTurned = false;
  }, true);
  document.addEventListener("htmx:sendError", function () { // what was tapped has not reached the table
    tell(gone.dataset.tap);
    bringWhatWasSaid();
  });
  document.addEventListener("htmx:afterOnLoad", function (event) {
    if (event.detail.xhr.status >= 400) { return; }
    document.querySelectorAll(".told").forEach(function (each) {
      if (each.textContent === gone.dataset.tap) { each.remove(); }
    });
  });
  document.addEventListener("htmx:beforeSwap", function (event) {
    if (event.detail.xhr.status >= 400) {
      event.detail.isError = false; // it is told
      tell(sentenceOf(event.detail.serverResponse) || gone.dataset.tap);
      return;
    }
    var number = /name="number" value="([^"]*)"/.exec(event.detail.serverResponse);
    var ahead = number ? aheadOfShown(number[1]) : 1;
    if (ahead < 0 || (ahead === 0 && !location.search)) {
      event.detail.shouldSwap = false;
      bringWhatWasSaid(); // the form that was sent may be gone, and then nothing tells of its answer
    }
    keepLook();
  });
  document.addEventListener("htmx:sseBeforeMessage", function (event) {
    if (event.detail.type === "closed") {
      isClosed = true;
      document.body.classList.add("lost");
      return;
    }
    if (aheadOfShown(event.detail.lastEventId) <= 0) { event.preventDefault(); }
    keepLook();
  });
  document.addEventListener("htmx:afterRequest", function (event) {
    if (event.detail.requestConfig && event.detail.requestConfig.verb === "post") { bringWhatWasSaid(); }
  });
  document.addEventListener("htmx:afterSettle", function (event) {
    var speaks = document.querySelector("header").lang;
    if (speaks && speaks !== document.documentElement.lang) { location.reload(); } // the table speaks another language
    lookNear();
    if (partInPlay() !== part) {
      part = partInPlay();
      hasTurned = true;
      window.scrollTo(0, 0);
    } else if (event.detail.requestConfig && event.detail.requestConfig.verb === "post") { bringWhatWasSaid(); }
    unfolded.forEach(function (name) {
      var found = document.querySelector('details[data-seat="' + name + '"]');
      if (found) { found.open = true; }
    });
    var isMineNow = document.querySelector("header.mine") !== null;
    var mayStir = navigator.vibrate && navigator.userActivation && navigator.userActivation.hasBeenActive;
    if (isMineNow && !isMine && mayStir) { navigator.vibrate(60); }
    isMine = isMineNow;
  });
  // How far a page is ahead of the one that is shown; 1 where they cannot be compared. Numbers are "run-common-own".
  function aheadOfShown(number) {
    var shown = document.querySelector("input[name=number]");
    var here = shown ? shown.value.split("-") : [], there = number.split("-");
    if (here.length !== 3 || there.length !== 3 || here[0] !== there[0]) { return 1; }
    return there[1] - here[1] || there[2] - here[2];
  }
  // What this phone is in the game now: whether it has a seat, and whether that is waited for.
  function partInPlay() {
    var isSeated = document.querySelector('button[name="seat"][value="0"]') !== null;
    return isSeated + " " + (document.querySelector("header.mine") !== null);
  }
  // A finger is wider than many a place, and where nothing may be done the table says why.
  function lookWhereTouched(sheet, event) {
    var units = sheet.querySelector("svg").getScreenCTM().inverse();
    var point = new DOMPoint(event.clientX, event.clientY).matrixTransform(units);
    var at = [point.x, point.y, FINGER * units.a].map(function (each) { return each.toFixed(1); });
    location.href = sheet.dataset.at + at.join(",") + "#do";
  }
  // The sentence of a page that says no more, "" for any other page.
  function sentenceOf(page) {
    var body = page.slice(page.indexOf("<body")); // its style is not this page's, and would be complained of
    var said = new DOMParser().parseFromString(body, "text/html").querySelector(".said");
    return said ? said.textContent : "";
  }
  // Why a post came to nothing, above what was said before it, until the page is exchanged.
  function tell(sentence) {
    var told = document.querySelector(".told") || document.createElement("p");
    var said = document.getElementById("said");
    told.className = "card asks told";
    told.setAttribute("role", "status");
    told.textContent = sentence;
    if (said) { said.before(told); } else { document.querySelector("#page header").after(told); }
  }
  function bringWhatWasSaid() {
    if (hasTurned) { return; }
    var said = document.querySelector(".told, #said"), hand = tapped === "hand" ? document.getElementById("hand") : null;
    if (said) { said.scrollIntoView({ block: "nearest" }); } else if (hand) { hand.scrollIntoView(); }
  }
  // What a page that is exchanged keeps: what was unfolded, and where a board that is larger than its frame was moved.
  function keepLook() {
    var near = document.querySelector("[data-near]");
    unfolded = named("details[open]");
    moved = near ? [near.scrollLeft, near.scrollTop] : null;
  }
  // Such a board shows most of what is marked, or stays where it was; a card that is chosen is within its hand.
  function lookNear() {
    var near = document.querySelector("[data-near]"), card = document.querySelector(".row .chosen");
    if (near) {
      var share = near.dataset.near.split(" ");
      near.scrollLeft = moved ? moved[0] : share[0] * near.scrollWidth - near.clientWidth / 2;
      near.scrollTop = moved ? moved[1] : share[1] * near.scrollHeight - near.clientHeight / 2;
    }
    if (card) { card.closest(".row").scrollLeft = card.parentNode.offsetLeft - 120; }
  }
  function named(which) {
    return Array.from(document.querySelectorAll(which), function (each) { return each.dataset.seat; });
  }
})();
