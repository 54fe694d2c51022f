"""A schema from SmartNoise's YAML, which has limits but no categories."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from .schema import Schema

KINDS = {"int": "integer", "float": "number", "boolean": "boolean"}


def smartnoise_schema(
    path: str | Path,
    *,
    categories: Mapping[str, Iterable[str]] | None = None,
    ignored: Iterable[str] = (),
) -> Schema:
    """Read the metadata of one table that SmartNoise SQL uses.

    Parameters
    ----------
    path : path
        A YAML file: collections of schemas of tables of columns, with one table.
    categories : mapping, optional
        For each column of text its public categories, which that format cannot hold.
    ignored : iterable of str, optional
        Columns that are not used. That of the private identifier never is.

    Returns
    -------
    Schema
        With the most rows of one identifier as contributions.

    Raises
    ------
    ValueError
        If there are several tables, or a column is left open.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp(), "meta.yaml")
    >>> _ = path.write_text('''
    ... "":
    ...   clinic:
    ...     visits:
    ...       max_ids: 1
    ...       id: {type: int, private_id: True}
    ...       age: {type: int, lower: 0, upper: 100}
    ...       ward: {type: string}
    ... ''')
    >>> schema = smartnoise_schema(path, categories={"ward": ["A", "B"]})
    >>> [column.kind for column in schema.columns], schema.unit
    (['ignored', 'number', 'category'], 'all rows of one id')
    """
    table = _one_table(path)
    texts = {name: list(levels) for name, levels in (categories or {}).items()}
    columns = {name: v for name, v in table.items() if isinstance(v, dict)}
    unknown = [name for name in (*texts, *ignored) if name not in columns]
    if unknown:
        raise ValueError(
            f"`categories` and `ignored` must name columns, got {unknown}."
        )
    owners = [name for name, column in columns.items() if column.get("private_id")]
    unit = f"all rows of one {owners[0]}" if owners else "one row"
    skipped = {*ignored, *owners}
    return Schema.parse(
        {
            "fields": [
                {"name": name, "dpteach:use": "ignored"}
                if name in skipped
                else _field(name, column, texts.get(name))
                for name, column in columns.items()
            ],
            "privacy": {
                "privacyUnit": unit,
                "maxContributions": table.get("max_ids", 1) if owners else 1,
            },
        }
    )


def _one_table(path: str | Path) -> dict[str, Any]:
    try:
        import yaml
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "SmartNoise's YAML needs PyYAML. It comes with dpteach's extra `figures`."
        ) from None
    try:
        level = yaml.safe_load(Path(path).read_text("utf-8-sig"))
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError):
        raise ValueError(f"`path` must hold plain YAML in UTF-8, got {path}.") from None
    for part in ("collection", "schema", "table"):
        level = dict(level) if isinstance(level, dict) else {}
        level.pop("engine", None)
        if len(level) != 1:
            raise ValueError(
                f"`path` must hold one {part}, got {list(level)} in {path}. Leave the "
                "others out."
            )
        (level,) = level.values()
    if not isinstance(level, dict):
        raise ValueError(f"`path` must hold a table with columns, got {path}.")
    return level


def _field(name: str, column: dict[str, Any], levels: list[str] | None) -> dict:
    kind = KINDS.get(str(column.get("type")), "string")
    missing = [
        "",
        *([str(column["missing_value"])] if "missing_value" in column else []),
    ]
    rule = {"required": column.get("nullable") is False}
    for end, word in (("minimum", "lower"), ("maximum", "upper")):
        if word in column:
            rule[end] = column[word]
    field = {"name": name, "type": kind, "constraints": rule, "missingValues": missing}
    return field | ({"categories": levels} if levels is not None else {})
