"""A made-up table with words and gaps, as other tests use it."""

import numpy as np

from dpteach.tables import Schema

SOURCE = {
    "fields": [
        {
            "name": "rooms",
            "type": "integer",
            "constraints": {"minimum": 1, "maximum": 12},
        },
        {
            "name": "area",
            "type": "number",
            "constraints": {"minimum": 10, "maximum": 400},
        },
        {"name": "heating", "categories": ["gas", "oil", {"value": "heat pump"}]},
        {"name": "garden", "type": "boolean"},
        {"name": "remarks", "type": "string", "dpteach:use": "ignored"},
        {
            "name": "moved",
            "type": "string",
            "categories": ["no", "yes"],
            "constraints": {"required": True},
        },
    ],
    "missingValues": ["", "n/a"],
    "privacy": {"privacyUnit": "one household", "maxContributions": 1},
}
SCHEMA = Schema.parse(SOURCE)
FEATURES = SCHEMA.features("moved")
HEADER = "rooms,area,heating,garden,remarks,moved"
ROWS = (
    "3,80,gas,true,fine,no",
    "n/a,120.5,heat pump,false,,yes",
    '5,200,oil,1,"a, b",yes',
    "2,,wood,,x,no",
)
# One line each: whatever is in it, it must change its own row alone.
HOSTILE = (
    b"", b"\r", b'"1,2,3', b'1,"2', b'"', b"\0,\0,\0,\0,\0,\0",
    b"nan,inf,-inf,1e400,,yes", b"1e999,-1e400,gas,true,x,yes",
    b"\xff\xfe,\xc3,\xe9,1,2,no", b"1", b"," * 50,
    b"9" * 300_000, b"3,80,gas,true,fine", b"3,80,gas,true,fine,no,more,and,more",
    "٣,８０,gas,true,x,no".encode(), b"3\x0b4,80\r80,gas,true,x,no",
    b"n/a," * 5 + b"n/a",
    b'"' + b"x" * 200_000 + b'",1,gas,true,x,no', b"0x10,1_000,GAS,TRUE,x,YES",
    b"3;80;gas;true;fine;no", "3\u20284,\u00a05,gas,true,x,no".encode(),
    b"maybe,a,b,c,d,e",
)  # fmt: skip


def text_of(rows, header=HEADER):
    lines = [header.encode()] + [
        r if isinstance(r, bytes) else r.encode() for r in rows
    ]
    return b"\n".join(lines) + b"\n"


def write(folder, rows, name="table.csv", header=HEADER):
    path = folder / name
    path.write_bytes(text_of(rows, header))
    return path


def households(n, seed=0):
    """Draw rows of which ``moved`` depends on area, heating and garden."""
    rng = np.random.default_rng(seed)
    area, heating = rng.uniform(30, 200, n), rng.integers(3, size=n)
    garden = rng.integers(2, size=n)
    score = 2 * ((area - 100) / 40 + (heating == 1) - garden)
    moved = rng.random(n) < 1 / (1 + np.exp(-score))
    gap = rng.random(n) < 0.1
    return [
        f"{'n/a' if gap[i] else 1 + i % 7},{area[i]:.1f},"
        f"{('gas', 'oil', 'heat pump')[heating[i]]},{('false', 'true')[garden[i]]},"
        f'"so, so",{("no", "yes")[int(moved[i])]}'
        for i in range(n)
    ], moved


class Frame(dict):
    """What data frames of pandas and polars have in common, and no more."""

    @property
    def columns(self):
        return list(self)

    def __len__(self):
        return len(next(iter(self.values())))


SMALL = Frame(
    rooms=np.arange(200) % 7 + 1,
    area=np.linspace(30, 200, 200),
    heating=np.array(["gas", "oil", "heat pump", None] * 50, dtype=object),
    garden=np.arange(200) % 2 == 0,
    moved=np.array(["yes", "no"] * 100, dtype=object),
)
