"""Where the rules of Capitol are collected, in rulebook order."""

from companion.games.capitol.actions import KINDS
from companion.games.capitol.state import step_of
from companion.rule_set import RuleCollector

RULES = RuleCollector(KINDS, step_of)
