"""The end of a game on a page: who has won and by what, what each rule brought whom, and every line behind a touch."""

from __future__ import annotations

from collections.abc import Mapping

from ui.results.ending import compose_end, numeral
from ui.services.text import _
from ui.view_models.play_view import ScoreView
from ui.web.faces import Faces
from ui.web.markup import Html, element


def end_part(score: ScoreView, colours: Mapping[int, str], faces: Faces) -> Html:
    """The final score; `colours` are those of the seats."""
    end = compose_end(score)
    steps = [
        element("li", element("i", numeral(step.rank)), faces.seal(colours[step.seat]), element("span", step.name),
                element("b", str(step.points)), class_="first" if step.rank == 1 and score.decided else None)
        for step in end.steps
    ]  # fmt: skip
    seals = [element("th", faces.seal(colours[step.seat]), aria_label=step.name) for step in end.steps]
    rows = [
        element("tr", element("td", row.title),
                *(element("td", str(points) if points else "–", class_="decides" if at == row.decides else None)
                  for at, points in enumerate(row.points)))
        for row in end.rows
    ]  # fmt: skip
    names = {seat: name for seat, name, _points, _rank in score.ranking}
    lines = [
        element("tr", element("td", f"{names.get(line.seat, '')}: {line.detail or line.title}"),
                element("td", str(line.points)))
        for line in score.lines
    ]  # fmt: skip
    every = element("details", element("summary", _("Line by line")), element("table", *lines), data_seat="lines")
    return element(
        "div", element("h2", end.heading, class_="end"), element("p", end.told) if end.told else "",
        element("ol", *steps, class_="podium"), element("table", element("tr", element("th", ""), *seals), *rows),
        *(element("p", note) for note in score.notes), every if lines else "", class_="card",
    )  # fmt: skip
