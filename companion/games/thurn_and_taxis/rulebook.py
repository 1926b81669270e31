"""Where the rules of Thurn and Taxis are collected, in rulebook order."""

from companion.games.thurn_and_taxis.actions import KINDS
from companion.games.thurn_and_taxis.state import step_of
from companion.rule_set import RuleCollector

RULES = RuleCollector(KINDS, step_of)
