// What a page cannot do without script, and can do without: say that the connection is lost, look again after sleep, and
// stir once when it is this phone's turn.
(function () {
  "use strict";
  var isMine = document.querySelector("header.mine") !== null;
  document.addEventListener("htmx:sseError", function () { document.body.classList.add("lost"); });
  document.addEventListener("htmx:sseOpen", function () { document.body.classList.remove("lost"); });
  document.addEventListener("visibilitychange", function () {
    if (!document.hidden && document.body.classList.contains("lost")) { location.reload(); }
  });
  document.addEventListener("htmx:sseMessage", function () {
    var isMineNow = document.querySelector("header.mine") !== null;
    if (isMineNow && !isMine && navigator.vibrate) { navigator.vibrate(60); }
    isMine = isMineNow;
  });
})();
