"""How pages use htmx, and what they do without it."""

from __future__ import annotations

CONFIGURATION = (
    '{"allowEval":false,"includeIndicatorStyles":false,"selfRequestsOnly":true,"historyEnabled":false,'
    '"allowScriptTags":false,"attributesToSettle":["class","width","height"]}'
)
"""of htmx: nothing that a strict content security policy would refuse"""
SECONDS_WITHOUT_SCRIPT, SECONDS_TO_CHOOSE = "4", "60"
"""after which a page without script is loaded anew, and one on which something is filled in or chosen"""
