// Runs between Sphinx's settings and its search: from disk no page may fetch another,
// so results there come without an excerpt.
"use strict";
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
