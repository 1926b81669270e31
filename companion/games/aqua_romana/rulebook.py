"""Where the rules of Aqua Romana are collected, in rulebook order."""

from companion.games.aqua_romana.actions import KINDS_OF_ACTION
from companion.games.aqua_romana.state import step_of
from companion.rule_set import RuleCollector

RULES = RuleCollector(KINDS_OF_ACTION, step_of)
