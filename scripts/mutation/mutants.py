"""The mutants of a module: every small change of its syntax tree that a test ought to notice."""

from __future__ import annotations

import ast
import copy
import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitAnd,
}
_FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
_LOGS = {"log", "logger", "logging", "_log", "_logger", "warnings"}
_TYPE_MAKERS = {"cast", "NewType", "TypeVar", "TypeAlias", "ParamSpec", "isinstance", "issubclass"}
_DECLARATIONS = {"dataclass", "cache", "lru_cache", "overload", "runtime_checkable"}
_SEQUENCES = (ast.Tuple, ast.List)
_FUNCTION_KINDS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_LONGEST = 160

Step = tuple[str, int | None]


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one module. `path` is relative to the root of the project; lines count from 1.

    `before` and `after` are the change in its surroundings; with `path` and `function` they name the mutant however
    the lines move. `steps` lead from the module's tree to the changed node; `node` takes its place, None removes it.
    """

    path: str
    function: str
    operator: str
    before: str
    after: str
    lines: tuple[int, int]
    in_function: bool
    steps: tuple[Step, ...] = field(repr=False, compare=False)
    node: ast.AST | None = field(repr=False, compare=False)
    twin: int = 0

    @property
    def identity(self) -> str:
        """A short name for the results' file, the same for the same change in the same function."""
        parts = (self.path, self.function, self.operator, self.before, self.after, str(self.twin))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]

    def tree(self, source: str) -> ast.Module:
        """The module's syntax tree with this change; `source` is what the mutant was made from."""
        tree = ast.parse(source)
        *way, (name, index) = self.steps
        parent: ast.AST = tree
        for step in way:
            parent = _child(parent, step)
        if self.node is not None:
            ast.copy_location(self.node, _child(parent, (name, index)))
        if index is None:
            setattr(parent, name, self.node)
        else:
            getattr(parent, name)[index : index + 1] = [] if self.node is None else [self.node]
        return ast.fix_missing_locations(tree)


def mutants_of(source: str, path: str) -> list[Mutant]:
    """All mutants of a module in the order of its source; those that read alike are numbered by `twin`."""
    seen: dict[str, int] = {}
    found = []
    for mutant in _Walk(ast.parse(source), path).mutants():
        twin = seen.get(mutant.identity, 0)
        seen[mutant.identity] = twin + 1
        found.append(mutant if twin == 0 else replace(mutant, twin=twin))
    return found


def sample(by_file: dict[str, list[Mutant]], size: int, seed: int) -> list[Mutant]:
    """`size` mutants, from each file in proportion to how many it has and at least one; 0 takes all of them.

    The choice within a file depends on the seed and this file alone.
    """
    files = {path: mutants for path, mutants in sorted(by_file.items()) if mutants}
    total = sum(map(len, files.values()))
    if size <= 0 or size >= total:
        return [mutant for mutants in files.values() for mutant in mutants]
    shares = {path: max(1.0, size * len(mutants) / total) for path, mutants in files.items()}
    counts = {path: int(share) for path, share in shares.items()}
    by_remainder = sorted(files, key=lambda path: (counts[path] - shares[path], path))
    for path in by_remainder[: max(0, size - sum(counts.values()))]:
        counts[path] = min(counts[path] + 1, len(files[path]))
    chosen: list[Mutant] = []
    for path, mutants in files.items():
        order = random.Random(f"{seed} {path}").sample(range(len(mutants)), len(mutants))
        chosen += [mutants[index] for index in sorted(order[: counts[path]])]
    return chosen


def read_mutants(root: Path, paths: Sequence[str]) -> dict[str, list[Mutant]]:
    """The mutants of each of these files."""
    return {path: mutants_of((root / path).read_text(encoding="utf-8"), path) for path in paths}


def _child(parent: ast.AST, step: Step) -> ast.AST:
    name, index = step
    value = getattr(parent, name)
    return value if index is None else value[index]


def _called(node: ast.AST) -> str:
    """The name of what is called or decorates: `cast` of `typing.cast(...)`, but `log` of `log.debug(...)`."""
    if isinstance(node, ast.Call):
        return _called(node.func)
    if isinstance(node, ast.Attribute):
        root = _called(node.value)
        return root if root in _LOGS else node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


def _is_type_alias(node: ast.stmt) -> bool:
    """Whether a statement outside functions only gives a type another name."""
    if isinstance(node, ast.AnnAssign):
        return isinstance(node.annotation, ast.Name) and node.annotation.id == "TypeAlias"
    if not isinstance(node, ast.Assign):
        return False
    value = node.value
    if isinstance(value, ast.Call):
        return _called(value) in _TYPE_MAKERS
    kinds = (ast.Name, ast.Attribute, ast.Subscript, ast.BinOp, ast.BitOr, ast.Constant, ast.Tuple, ast.List, ast.Load)
    names_types = isinstance(value, ast.Subscript) or (isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr))
    return names_types and all(isinstance(part, kinds) for part in ast.walk(value))


def _header(node: ast.AST) -> str:
    """The text of a node; of a statement with a body only its head."""
    shown = copy.copy(node)
    for name in ("orelse", "finalbody", "handlers", "decorator_list"):
        if isinstance(getattr(shown, name, None), list):
            setattr(shown, name, [])
    if isinstance(getattr(shown, "body", None), list):
        shown.body = [ast.Pass()]  # type: ignore[attr-defined]
        if isinstance(shown, ast.Try):
            shown.finalbody = [ast.Pass()]
        return ast.unparse(ast.fix_missing_locations(shown)).rsplit("\n", 1)[0].strip()
    return ast.unparse(ast.fix_missing_locations(shown))


class _Walk:
    """One pass over a module's tree; `_way` holds the nodes from the root to the present one with their steps."""

    def __init__(self, tree: ast.Module, path: str) -> None:
        self._tree = tree
        self._path = path
        self._way: list[tuple[ast.AST, Step]] = []
        self._names: list[str] = []
        self._depth = 0

    def mutants(self) -> Iterator[Mutant]:
        yield from self._visit(self._tree)

    def _visit(self, node: ast.AST) -> Iterator[Mutant]:
        named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        for name, value in ast.iter_fields(node):
            inside = name == "body" and isinstance(node, _FUNCTION_KINDS)
            self._depth += inside
            if named and name == "body":
                self._names.append(node.name)  # type: ignore[attr-defined]
            for index, child in enumerate(value) if isinstance(value, list) else ((None, value),):
                if isinstance(child, ast.AST) and not self._left_out(node, name, index, child):
                    self._way.append((node, (name, index)))
                    for operator, changed in self._changes(node, name, child):
                        yield self._mutant(child, operator, changed)
                    yield from self._visit(child)
                    self._way.pop()
            if named and name == "body":
                self._names.pop()
            self._depth -= inside

    def _left_out(self, parent: ast.AST, name: str, index: int | None, node: ast.AST) -> bool:
        if name in {"annotation", "returns", "type_params", "ctx", "op", "ops"} or isinstance(node, ast.expr_context):
            return True
        if isinstance(node, ast.Expr):
            value = node.value
            return isinstance(value, ast.Constant) or (isinstance(value, ast.Call) and _called(value) in _LOGS)
        if isinstance(node, ast.Assert | ast.Import | ast.ImportFrom) or isinstance(parent, ast.Raise):
            return True
        if isinstance(node, ast.Call) and _called(node) in _TYPE_MAKERS - {"isinstance", "issubclass"}:
            return True
        if name == "format_spec" or (isinstance(parent, ast.JoinedStr) and isinstance(node, ast.Constant)):
            return True
        if name == "decorator_list":
            return _called(node) in _DECLARATIONS
        if name == "bases" or (isinstance(node, ast.keyword) and isinstance(parent, ast.Call) and node.arg == "strict"):
            return True
        if isinstance(parent, ast.Call) and _called(parent) in {"isinstance", "issubclass"} and index == 1:
            return True
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Name) and target.id in {"__all__", "__slots__"} for target in targets):
                return True
            return self._depth == 0 and _is_type_alias(node)
        if isinstance(node, ast.If):
            test = ast.unparse(node.test)
            return test in {"TYPE_CHECKING", "typing.TYPE_CHECKING"} or "__name__" in test
        return False

    def _mutant(self, node: ast.AST, operator: str, changed: ast.AST | None) -> Mutant:
        before, after = self._shown(node, changed)
        statement = next((part for part in [node, *self._ancestors()] if isinstance(part, ast.stmt)), node)
        first = statement.lineno
        last = statement.end_lineno or first
        body = getattr(statement, "body", None)
        if isinstance(body, list) and body and changed is not None:
            last = max(first, body[0].lineno - 1)
        return Mutant(
            self._path,
            ".".join(self._names) or "<module>",
            operator,
            before,
            after,
            (first, last),
            self._depth > 0,
            tuple(step for _, step in self._way),
            changed,
        )

    def _ancestors(self) -> Iterator[ast.AST]:
        for node, _ in reversed(self._way):
            yield node

    def _shown(self, node: ast.AST, changed: ast.AST | None) -> tuple[str, str]:
        """The change within the largest part of its statement that still fits on a line or two."""
        shown = (_header(node) if node else "", "" if changed is None else _header(changed))
        inner, outer = node, changed
        for parent, (name, index) in reversed(self._way):
            if isinstance(inner, ast.stmt) or isinstance(parent, ast.Module):
                break
            around = copy.copy(parent)
            if index is None:
                setattr(around, name, outer)
            else:
                parts = list(getattr(around, name))
                parts[index : index + 1] = [] if outer is None else [outer]
                setattr(around, name, parts)
            if isinstance(parent, ast.expr | ast.stmt):
                wider = (_header(parent), _header(around))
                if max(map(len, wider)) > _LONGEST:
                    break
                shown = wider
            inner, outer = parent, around
        return shown

    def _changes(self, parent: ast.AST, name: str, node: ast.AST) -> Iterator[tuple[str, ast.AST | None]]:
        """What may be put in the place of a node: the operator's name and the other node, None to remove it."""
        if isinstance(node, ast.stmt):
            yield from _statement_changes(node)
        elif isinstance(node, ast.expr):
            if name in {"test", "guard"} and not isinstance(parent, ast.Assert):
                yield from _condition_changes(parent, node)
            if isinstance(parent, ast.comprehension) and name == "ifs":
                yield "filter dropped", None
            if isinstance(parent, ast.Slice) and name in {"lower", "upper"}:
                yield "slice bound dropped", None
            yield from self._expression_changes(parent, name, node)

    def _expression_changes(self, parent: ast.AST, name: str, node: ast.expr) -> Iterator[tuple[str, ast.AST | None]]:
        if isinstance(node, ast.Compare):
            yield from _compare_changes(node)
        elif isinstance(node, ast.BinOp):
            yield from _arithmetic_changes(node)
        elif isinstance(node, ast.BoolOp):
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield "and/or", ast.BoolOp(op=other, values=node.values)
            for index in range(len(node.values)):
                left = [value for place, value in enumerate(node.values) if place != index]
                yield "condition dropped", left[0] if len(left) == 1 else ast.BoolOp(op=node.op, values=left)
        elif isinstance(node, ast.UnaryOp):
            if isinstance(node.op, ast.Not):
                yield "not dropped", node.operand
            elif isinstance(node.op, ast.USub | ast.Invert) and not isinstance(node.operand, ast.Constant):
                yield "sign dropped", node.operand
        elif isinstance(node, ast.Constant):
            yield from _constant_changes(node)
        elif isinstance(node, ast.JoinedStr):
            yield "constant", ast.Constant(value="")
        elif isinstance(node, _SEQUENCES):
            is_unpacked = isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Tuple)
            if node.elts and isinstance(node.ctx, ast.Load) and name != "slice" and not is_unpacked:
                yield "emptied", type(node)(elts=[], ctx=ast.Load())
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS:
            other_name = ast.Name(id=_FUNCTIONS[node.func.id], ctx=ast.Load())
            yield "min/max, any/all", ast.Call(func=other_name, args=node.args, keywords=node.keywords)
        elif isinstance(node, ast.IfExp):
            yield "branch taken always", node.body
            yield "branch taken never", node.orelse


def _statement_changes(node: ast.stmt) -> Iterator[tuple[str, ast.AST | None]]:
    removable = isinstance(node, ast.Expr | ast.AugAssign | ast.Delete | ast.Raise) or (
        isinstance(node, ast.Assign) and all(isinstance(t, ast.Attribute | ast.Subscript) for t in node.targets)
    )
    if removable:
        yield "statement removed", ast.Pass()
    if isinstance(node, ast.Return) and node.value is not None:
        if not (isinstance(node.value, ast.Constant) and node.value.value is None):
            yield "returns None", ast.Return(value=ast.Constant(value=None))
        if isinstance(node.value, ast.Compare | ast.BoolOp | ast.Call) and not _is_constructor(node.value):
            yield "return negated", ast.Return(value=ast.UnaryOp(op=ast.Not(), operand=node.value))
    if isinstance(node, ast.AugAssign) and type(node.op) in _ARITHMETIC:
        other = _ARITHMETIC[type(node.op)]()
        yield "arithmetic", ast.AugAssign(target=node.target, op=other, value=node.value)
    if isinstance(node, ast.Continue):
        yield "continue/break", ast.Break()
    if isinstance(node, ast.Break):
        yield "continue/break", ast.Continue()


def _is_constructor(node: ast.expr) -> bool:
    """Whether a returned call is plainly no truth value: of a class, or of a builtin that makes a container."""
    called = _called(node) if isinstance(node, ast.Call) else ""
    return called[:1].isupper() or called in {"tuple", "list", "dict", "set", "frozenset", "sorted", "str", "replace"}


def _condition_changes(parent: ast.AST, node: ast.expr) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(parent, ast.If):
        yield "branch taken never", ast.Constant(value=False)
        if parent.orelse:
            yield "branch taken always", ast.Constant(value=True)
    if not isinstance(node, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Constant):
        yield "condition negated", ast.UnaryOp(op=ast.Not(), operand=node)


def _compare_changes(node: ast.Compare) -> Iterator[tuple[str, ast.AST]]:
    for index, operator in enumerate(node.ops):
        for other in _COMPARISONS[type(operator)]:
            ops = [*node.ops[:index], other(), *node.ops[index + 1 :]]
            yield "comparison", ast.Compare(left=node.left, ops=ops, comparators=node.comparators)


def _arithmetic_changes(node: ast.BinOp) -> Iterator[tuple[str, ast.AST]]:
    """Another operator; of texts and sequences put together, which have no other, one side is dropped instead."""
    parts = (node.left, node.right)
    if isinstance(node.op, ast.Add) and any(_is_text(part) or isinstance(part, _SEQUENCES) for part in parts):
        yield "addition dropped", node.left
        yield "addition dropped", node.right
    elif isinstance(node.op, ast.Mod) and _is_text(node.left):
        return
    elif type(node.op) in _ARITHMETIC:
        yield "arithmetic", ast.BinOp(left=node.left, op=_ARITHMETIC[type(node.op)](), right=node.right)


def _constant_changes(node: ast.Constant) -> Iterator[tuple[str, ast.AST]]:
    value = node.value
    if isinstance(value, bool):
        yield "constant", ast.Constant(value=not value)
    elif isinstance(value, int | float):
        yield "constant", ast.Constant(value=value + 1)
        yield "constant", ast.Constant(value=value - 1)
    elif isinstance(value, str | bytes):
        yield "constant", ast.Constant(value=type(value)() if value else ("mutant" if value == "" else b"mutant"))
