"""Where the rules of City of Marble are collected, in rulebook order."""

from companion.games.city_of_marble.actions import KINDS
from companion.games.city_of_marble.state import step_of
from companion.rule_set import RuleCollector

RULES = RuleCollector(KINDS, step_of)
