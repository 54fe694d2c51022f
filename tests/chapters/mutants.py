"""Small changes to a right answer: each is wrong, or is listed with its reason."""

import ast
import copy
import difflib
import inspect
import textwrap

SWAPS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.Pow: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
COMPARISONS = {
    ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.GtE), ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),  # codespell:ignore notin
    ast.NotIn: (ast.In,),  # codespell:ignore notin
}  # fmt: skip
NAMES = {
    "minimum": "maximum", "maximum": "minimum", "min": "max", "max": "min",
    "zeros": "ones", "ones": "zeros", "sum": "mean", "mean": "sum", "cos": "sin",
    "exp": "expm1", "log": "log10", "sqrt": "square", "reversed": "list",
    "standard_normal": "standard_exponential", "random": "standard_normal",
}  # fmt: skip


def mutants(function):
    """Yield a key that names the change, and the changed function."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    before = ast.unparse(tree).splitlines()
    seen = {}
    nodes = list(ast.walk(tree))
    for number, node in enumerate(nodes):
        for change in changes(node):
            mutant = copy.deepcopy(tree)
            change(list(ast.walk(mutant))[number])
            ast.fix_missing_locations(mutant)
            after = ast.unparse(mutant).splitlines()
            if after == before:  # half of 0.0, for one
                continue
            key = f"{function.__name__}: {difference(before, after)}"
            seen[key] = seen.get(key, 0) + 1
            if seen[key] > 1:
                key += f" #{seen[key]}"
            namespace = dict(function.__globals__)
            exec(compile(mutant, "<mutant>", "exec"), namespace)
            yield key, namespace[function.__name__]


def difference(before, after):
    """Name the lines that differ, without their indentation."""
    changed = [
        line[2:].strip() for line in difflib.ndiff(before, after)
        if line[:2] in ("- ", "+ ")
    ]  # fmt: skip
    return " -> ".join(changed)


def changes(node):
    """List functions that change one node of a tree in place."""
    if isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp):
        if type(node.op) in SWAPS:
            yield setter("op", SWAPS[type(node.op)]())
    elif isinstance(node, ast.UnaryOp):
        yield setter("op", ast.UAdd())
    elif isinstance(node, ast.Compare):
        for other in COMPARISONS[type(node.ops[0])]:
            yield setter("ops", [other(), *node.ops[1:]])
    elif isinstance(node, ast.Constant):
        yield from _constants(node.value)
    elif isinstance(node, ast.Call):
        for k in range(len(node.keywords)):
            yield setter("keywords", node.keywords[:k] + node.keywords[k + 1 :])
    elif isinstance(node, ast.Attribute) and node.attr in NAMES:
        yield setter("attr", NAMES[node.attr])
    elif isinstance(node, ast.Name) and node.id in NAMES:
        yield setter("id", NAMES[node.id])


def _constants(value):
    if isinstance(value, bool):
        yield setter("value", not value)
    elif isinstance(value, int):
        yield setter("value", value + 1)
        yield setter("value", value - 1)
    elif isinstance(value, float):
        yield setter("value", 2 * value if value else 1.0)
        yield setter("value", value / 2)


def setter(name, value):
    """Make a change of a node: one of its fields gets a value."""

    def change(node):
        setattr(node, name, copy.deepcopy(value))

    return change
