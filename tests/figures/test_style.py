"""Colors are told apart by all eyes and on both pages; CSS and Python agree."""

import itertools
import re

import numpy as np
import pytest

from dpteach.figures._page import STATIC
from dpteach.figures.style import MARKERS, ROLES, write

# Machado, Oliveira and Fernandes (2009), severity 1, in linear RGB.
EYES = {
    "all cones": np.eye(3),
    "no L cones": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "no M cones": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "no S cones": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


def linear(color):
    c = np.array([int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    to_xyz = [
        [0.4124, 0.3576, 0.1805],
        [0.2126, 0.7152, 0.0722],
        [0.0193, 0.1192, 0.9505],
    ]
    xyz = np.array(to_xyz) @ np.clip(rgb, 0, 1) / [0.9505, 1, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def contrast(one, other):
    dark, light = sorted(
        np.dot([0.2126, 0.7152, 0.0722], linear(c)) for c in (one, other)
    )
    return (light + 0.05) / (dark + 0.05)


def closest(colors, eye):
    seen = {name: lab(np.array(EYES[eye]) @ linear(c)) for name, c in colors.items()}
    return min(
        (np.linalg.norm(seen[a] - seen[b]), a, b)
        for a, b in itertools.combinations(seen, 2)
    )


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("page", ["light", "dark"])
def test_roles_are_told_apart(eye, page):
    colors = {name: getattr(role, page) for name, role in ROLES.items()}
    assert closest(colors, eye)[0] > 18


def test_a_bad_palette_is_found():
    """Power: red and green of one lightness."""
    assert closest({"red": "#c0504d", "green": "#7f8a2c"}, "no M cones")[0] < 18


@pytest.mark.parametrize("page", ["light", "dark"])
def test_roles_stand_out_from_the_page(page):
    paper = {"light": "#ffffff", "dark": "#14181e"}[page]
    assert min(contrast(getattr(role, page), paper) for role in ROLES.values()) > 3.9


def test_no_two_roles_share_dash_and_marker():
    looks = [(role.dash, role.marker) for role in ROLES.values()]
    # Two roles are solid with a circle: what is private, and what was measured of it.
    assert len(set(looks)) == len(looks) - 1
    assert {role.marker for role in ROLES.values()} <= set(MARKERS)


def test_the_style_sheet_has_the_same_colors():
    css = (STATIC / "explore.css").read_text()
    for name, role in ROLES.items():
        found = re.findall(rf"--dpt-{name.replace('_', '-')}: (#\w+);", css)
        assert found == [role.light, role.dark, role.dark]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"), (-3, "−3"), (1024, "1,024"), (12345678, "1.23·10⁷"), (0.1, "0.1"),
        (0.123456, "0.123"), (99.96, "100"), (1234.5, "1,230"), (0.002, "0.002"),
        (2e-4, "2·10⁻⁴"), (-1e-7, "−1·10⁻⁷"), (1e-7, "10⁻⁷"), ("word", "word"),
        (np.float64(2.0), "2"), (float("inf"), "∞"), (9.999e6, "10⁷"),
    ],
)  # fmt: skip
def test_numbers_are_written_plainly(value, text):
    assert write(value) == text
