// What a page cannot do without script, and can do without: say that the connection is lost, look again after sleep,
// stir once when it is this phone's turn, send a photograph as soon as it is taken, keep open what was unfolded.
(function () {
  "use strict";
  var isMine = document.querySelector("header.mine") !== null;
  var unfolded = [];
  document.documentElement.classList.add("script");
  document.addEventListener("htmx:sseError", function () { document.body.classList.add("lost"); });
  document.addEventListener("htmx:sseOpen", function () { document.body.classList.remove("lost"); });
  document.addEventListener("visibilitychange", function () {
    if (!document.hidden && document.body.classList.contains("lost")) { location.reload(); }
  });
  document.addEventListener("change", function (event) {
    if (event.target.id === "picture" && event.target.files.length) { event.target.form.requestSubmit(); }
  });
  document.addEventListener("htmx:beforeSwap", function () { unfolded = named("details[open]"); });
  document.addEventListener("htmx:sseBeforeMessage", function () { unfolded = named("details[open]"); });
  document.addEventListener("htmx:afterSettle", function () {
    unfolded.forEach(function (name) {
      var found = document.querySelector('details[data-seat="' + name + '"]');
      if (found) { found.open = true; }
    });
    var isMineNow = document.querySelector("header.mine") !== null;
    var mayStir = navigator.vibrate && navigator.userActivation && navigator.userActivation.hasBeenActive;
    if (isMineNow && !isMine && mayStir) { navigator.vibrate(60); }
    isMine = isMineNow;
  });
  function named(which) {
    return Array.from(document.querySelectorAll(which), function (each) { return each.dataset.seat; });
  }
})();
