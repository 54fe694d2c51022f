// What Python hands over as HTML is rebuilt from what may stand in a page: a text of
// somebody else may have written it. Nothing of it loads, leads away, or covers the page.
"use strict";
(() => {
  const TAGS = new Set([
    "a", "b", "br", "caption", "code", "dd", "details", "div", "dl", "dt", "em", "i", "li", "ol",
    "p", "pre", "small", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td", "th",
    "thead", "tr", "ul",
  ]);
  // A style without a bracket calls no function, so it names no address.
  const safeStyle = (css) => /^[-\w\s:;,.%#]*$/.test(css) && !/position|z-index/i.test(css);
  // A place of this page, or of another page of the book, followed only by a click.
  const safeLink = (to) => /^(\.\.\/)?[\w\/-]*(\.html)?(#[-\w.?=&]*)?$/.test(to) && !to.startsWith("/");
  const anything = () => true;
  const ATTRIBUTES = {
    href: safeLink, style: safeStyle, class: anything, role: anything, scope: anything,
    colspan: anything, rowspan: anything, title: anything, "aria-hidden": anything,
    "aria-label": anything, tabindex: (number) => number === "0",
  };

  const rebuilt = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
    if (!TAGS.has(node.localName)) return document.createTextNode("");
    const element = document.createElement(node.localName);
    for (const { name, value } of node.attributes) {
      if (Object.hasOwn(ATTRIBUTES, name) && ATTRIBUTES[name](value)) element.setAttribute(name, value);
    }
    element.append(...[...node.childNodes].map(rebuilt));
    return element;
  };

  window.sanitized = (html) => {
    const { body } = new DOMParser().parseFromString(html, "text/html"); // loads nothing, runs nothing
    const fragment = document.createDocumentFragment();
    fragment.append(...[...body.childNodes].map(rebuilt));
    return fragment;
  };
})();
