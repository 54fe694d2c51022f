"""What is public about a table: a Frictionless Table Schema with a unit of privacy."""

import codecs
import json
from collections import Counter
from dataclasses import dataclass, field
from math import isfinite, nan
from pathlib import Path
from typing import Any

from .. import checks

NUMBERS = ("number", "integer", "year")
TRUE = ("true", "True", "TRUE", "1")  # as Table Schema reads a boolean
FALSE = ("false", "False", "FALSE", "0")
NARROWEST = 1e-100  # limits that lie closer together lose all digits
# How every file is read: another word for one of these would be ignored.
FIXED = {
    "header": True,
    "quoteChar": '"',
    "doubleQuote": True,
    "skipInitialSpace": False,
    "escapeChar": None,
    "commentChar": None,
}


@dataclass(frozen=True)
class Column:
    """One column, as the schema declares it.

    Parameters
    ----------
    name : str
        What the header calls it.
    kind : {"number", "category", "ignored"}
        How it is encoded.
    low, high : float
        Limits of a number; what is beyond is moved to them.
    levels : tuple of str
        The categories, in the order of the schema.
    spellings : dict
        Which cell means which category, by its place in ``levels``.
    missing : frozenset of str
        Cells that mean "missing".
    required : bool
        Whether no value may be missing. Else a column of the encoding says so.
    decimal, group : str
        Decimal sign, and what separates thousands.
    """

    name: str
    kind: str
    low: float = 0.0
    high: float = 1.0
    levels: tuple[str, ...] = ()
    spellings: dict[str, int] = field(default_factory=dict)
    missing: frozenset[str] = frozenset({""})
    required: bool = False
    decimal: str = "."
    group: str = ""

    @property
    def width(self) -> int:
        """How many columns of the encoding it takes."""
        return (len(self.levels) if self.kind == "category" else 1) + (
            not self.required
        )


@dataclass(frozen=True)
class Schema:
    """A table's public description. Read one by ``Schema.read(path)``.

    Parameters
    ----------
    columns : tuple of Column
        Every column that is declared.
    unit : str
        Whose presence is hidden, in words, such as "one household".
    contributions : int
        How many rows one unit has at most: a public promise that no code can check.
    delimiter, encoding : str
        How the file is written.
    source : dict
        The JSON object that was read.

    Examples
    --------
    >>> schema = Schema.parse({"fields": [
    ...     {"name": "age", "type": "integer",
    ...      "constraints": {"minimum": 0, "maximum": 100}},
    ...     {"name": "smoker", "type": "string", "categories": ["no", "yes"]},
    ...     {"name": "name", "type": "string", "dpteach:use": "ignored"}]})
    >>> [(column.name, column.kind, column.width) for column in schema.columns]
    [('age', 'number', 2), ('smoker', 'category', 3), ('name', 'ignored', 2)]
    """

    columns: tuple[Column, ...]
    unit: str = "one row"
    contributions: int = 1
    delimiter: str = ","
    encoding: str = "utf-8"
    source: dict = field(default_factory=dict)

    @classmethod
    def read(cls, path: str | Path) -> "Schema":
        """Read a schema from a JSON file."""
        try:
            return cls.parse(json.loads(Path(path).read_text("utf-8-sig")))
        except UnicodeDecodeError:  # its words show a byte, perhaps of the table
            raise ValueError(f"The schema {path} is no JSON in UTF-8.") from None
        except (json.JSONDecodeError, RecursionError) as error:
            raise ValueError(f"The schema {path} is no JSON: {error}.") from None

    @classmethod
    def parse(cls, source: dict) -> "Schema":
        """Read a schema, or a resource that holds one, from a JSON object."""
        resource = source if isinstance(source, dict) else {}
        inner = resource.get("schema", resource)
        fields = inner.get("fields") if isinstance(inner, dict) else None
        if not isinstance(fields, list) or not fields:
            raise ValueError(
                "A schema is a JSON object with a list `fields`, as Table Schema says."
            )
        _require_json(source)
        columns, wrong = [], []
        for declared in fields:
            try:
                columns.append(column_of(declared, inner.get("missingValues", [""])))
            except _Unclear as error:
                wrong.append(str(error))
        times = Counter(column.name for column in columns)
        wrong += [f"{n}: declared twice" for n, count in times.items() if count > 1]
        if wrong:
            raise ValueError(
                "The schema leaves open what would then be read from the data:\n  "
                + "\n  ".join(wrong)
            )
        return cls(tuple(columns), **_privacy(inner), **_dialect(resource, inner),
                   source=source)  # fmt: skip

    def column(self, name: str) -> Column:
        """Return the column of this name; refuse what is unknown or ignored."""
        for column in self.columns:
            if column.name == name and column.kind != "ignored":
                return column
        usable = [c.name for c in self.columns if c.kind != "ignored"]
        raise ValueError(
            f"`target` must be a column of the schema that is not ignored, got "
            f"{name!r}. The schema has {', '.join(usable)[:200]}."
        )

    def features(self, target: str) -> tuple[Column, ...]:
        """Return the columns that predict the target; refuse where there are none."""
        goal = self.column(target)
        if goal.kind == "category" and len(goal.levels) < 2:
            raise ValueError(
                f"`target` must have at least two categories, got {target!r} with "
                f"{list(goal.levels)}."
            )
        features = tuple(c for c in self.columns if c.name != target)
        features = tuple(c for c in features if c.kind != "ignored")
        if not features:
            raise ValueError(
                f"`schema` must have a column beside the target, got {target!r} alone."
            )
        return features


def _require_json(source: dict) -> None:
    """Refuse what could not be kept beside a model, before anything is spent."""
    try:
        json.dumps(source, ensure_ascii=False).encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"The schema cannot be written as JSON: {error}.") from None


class _Unclear(ValueError):
    """A field does not say what is needed."""


def column_of(declared: Any, table_missing: Any) -> Column:
    """Read one field of a Table Schema."""
    if not isinstance(declared, dict) or not isinstance(declared.get("name"), str):
        raise _Unclear("a field is no object with a `name`")
    name, kind = declared["name"].strip(), declared.get("type", "any")
    rule = declared.get("constraints", {})
    if not isinstance(rule, dict):
        raise _Unclear(f"{name}: `constraints` is no object")
    if declared.get("dpteach:use", "ignored") != "ignored":
        raise _Unclear(f'{name}: "dpteach:use" is "ignored" or absent')
    if "dpteach:use" in declared:
        return Column(name, "ignored")
    missing = _values(name, declared.get("missingValues", table_missing))
    required = rule.get("required") is True
    known: dict[str, Any] = {"missing": frozenset(missing), "required": required}
    listed = declared.get("categories", rule.get("enum"))
    if listed is not None:
        return _category(name, kind, _values(name, listed), known)
    if kind == "boolean":
        return _boolean(name, declared, known)
    if kind in NUMBERS:
        return _number(name, declared, rule, known)
    raise _Unclear(
        f"{name}: of type {kind}, with neither limits nor categories; list its "
        'categories, or say "dpteach:use": "ignored"'
    )


def _values(name: str, listed: Any) -> list[str]:
    """Read a list of texts, or of objects with a ``value``, as the standard allows."""
    if not isinstance(listed, list):
        raise _Unclear(f"{name}: categories and missing values are lists")
    values = [v.get("value") if isinstance(v, dict) else v for v in listed]
    if not all(isinstance(v, str | int | float) for v in values):
        raise _Unclear(f"{name}: a category or missing value is no text")
    return [_written(v) for v in values]


def _written(value: Any) -> str:
    """Write a value of JSON as a table does: true, and 1 for 1.0."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _category(name: str, kind: str, levels: list[str], known: dict) -> Column:
    if not levels or len(set(levels)) < len(levels):
        raise _Unclear(f"{name}: its categories are empty, or one comes twice")
    if kind in NUMBERS and not all(_is_number(level) for level in levels):
        raise _Unclear(f"{name}: declared as {kind}, but a category is a word")
    spellings = {level: k for k, level in enumerate(levels)}
    if kind in NUMBERS:  # a column of ints with a gap is often written 1.0, 2.0
        for k, level in enumerate(levels):
            spellings.setdefault(str(float(level)), k)
    known["missing"] -= set(levels)
    return Column(name, "category", levels=tuple(levels), spellings=spellings, **known)


def _boolean(name: str, declared: dict, known: dict) -> Column:
    true = _values(name, declared.get("trueValues", list(TRUE)))
    false = _values(name, declared.get("falseValues", list(FALSE)))
    if not true or not false or set(true) & set(false):
        raise _Unclear(f"{name}: `trueValues` and `falseValues` are empty or overlap")
    spellings = dict.fromkeys(false, 0) | dict.fromkeys(true, 1)
    levels = (false[0], true[0])
    return Column(name, "category", levels=levels, spellings=spellings, **known)


def _number(name: str, declared: dict, rule: dict, known: dict) -> Column:
    # A limit that is excluded limits as well: what is beyond is moved to it.
    low = _real(rule.get("minimum", rule.get("exclusiveMinimum")))
    high = _real(rule.get("maximum", rule.get("exclusiveMaximum")))
    signs = declared.get("decimalChar", "."), declared.get("groupChar", "")
    if not high - low >= NARROWEST:  # nor if one is NaN
        raise _Unclear(f"{name}: a number needs `minimum` below `maximum`")
    if declared.get("bareNumber") is False:
        raise _Unclear(f"{name}: numbers with units (bareNumber) are not read")
    if not all(isinstance(sign, str) for sign in signs) or len(signs[0]) != 1:
        raise _Unclear(f"{name}: `decimalChar` is one character, `groupChar` a text")
    marks = signs[0] + signs[1]
    if len(set(marks)) < len(marks) or any(m.isalnum() or m in "+-" for m in marks):
        raise _Unclear(
            f"{name}: `decimalChar` and `groupChar` differ, and are no digit, letter "
            "or sign of a number"
        )
    return Column(name, "number", low, high, decimal=signs[0], group=signs[1], **known)


def _real(value: Any) -> float:
    """Read a limit, which the standard allows to be written as a text, too."""
    if isinstance(value, str):
        value = float(value) if _is_number(value) else None
    if not isinstance(value, int | float) or isinstance(value, bool):
        return nan
    return float(value) if abs(value) <= 1e100 else nan


def _is_number(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return False


def _privacy(inner: dict) -> dict:
    """Read the unit of privacy, in the words of CSVW-EO."""
    stated = inner.get("privacy", {})
    if not isinstance(stated, dict):
        raise ValueError("The schema's `privacy` is an object with a `privacyUnit`.")
    unit = stated.get("privacyUnit", "one row")
    if not isinstance(unit, str) or not unit.strip():
        raise ValueError(f"The schema's `privacyUnit` is a text, got {unit!r:.60}.")
    most = checks.count(maxContributions=stated.get("maxContributions", 1))
    return {"unit": unit, "contributions": most}


# A byte of 10 ends a line in these, and no byte before it can take it along.
ENCODINGS = ("utf-8", "ascii", "iso8859", "cp", "koi8", "mac", "euc", "gb", "big5")


def _keeps_lines(encoding: Any) -> bool:
    try:
        known = codecs.lookup(encoding).name
        return known.startswith(ENCODINGS) and "\n".encode(encoding) == b"\n"
    except (LookupError, TypeError, ValueError):
        return False


def _dialect(resource: dict, inner: dict) -> dict:
    """Read how the file is written. A line must end where a byte says so."""
    dialect = resource.get("dialect", inner.get("dialect", {}))
    delimiter = dialect.get("delimiter", ",") if isinstance(dialect, dict) else None
    if not isinstance(delimiter, str) or len(delimiter) != 1 or delimiter in '"\r\n':
        raise ValueError(
            f"The schema's `delimiter` is one character, got {delimiter!r}."
        )
    other = [key for key, word in FIXED.items() if dialect.get(key, word) != word]
    if other:
        raise ValueError(
            f"The schema's `dialect` may name a delimiter; {other} cannot be other "
            f"than {[FIXED[key] for key in other]}. Write the file so."
        )
    encoding = resource.get("encoding", "utf-8")
    if not _keeps_lines(encoding):
        raise ValueError(
            f"The schema's `encoding` must keep a line end as one byte, got "
            f"{encoding!r:.60}. Convert the file to UTF-8."
        )
    return {"delimiter": delimiter, "encoding": encoding}
