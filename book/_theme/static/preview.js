// Previews: hover, focus or tap a link to a theorem, a term, a symbol, and see it here.
// What there is to show lies in previews.js, fetched at the first question.
"use strict";
(() => {
  const base = new URL(document.documentElement.dataset.content_root, location.href);
  const card = document.createElement("div");
  card.className = "preview";
  card.id = "preview";
  card.popover = "manual";
  card.role = "tooltip";
  let asked, owner, timer;

  const table = () => (asked ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = new URL("_static/previews.js", base);
    script.onload = () => done(window.dpteachPreviews);
    script.onerror = failed;
    document.head.append(script);
    if (document.querySelector("link[href*='katex']")) return;
    const sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = new URL("_static/vendor/katex/katex.min.css", base);
    document.head.append(sheet);
  }));
  const keys = (element) => {
    if (element.dataset.symbols) {
      return element.dataset.symbols.split(" ").map(
        (key) => `book/notation.html#symbol-${key.replaceAll("_", "-")}`);
    }
    const to = new URL(element.href);
    return [to.href.slice(base.href.length).replace(/\?[^#]*/, "")];
  };
  const place = (element) => {
    const box = element.getClientRects()[0] ?? element.getBoundingClientRect();
    const width = card.offsetWidth, height = card.offsetHeight;
    const left = Math.min(Math.max(12, box.left), innerWidth - width - 12);
    const above = box.bottom + height + 12 > innerHeight && box.top > height + 12;
    card.style.left = `${left + scrollX}px`;
    card.style.top = `${scrollY + (above ? box.top - height - 8 : box.bottom + 8)}px`;
  };
  const hide = () => {
    clearTimeout(timer);
    if (card.matches(":popover-open")) card.hidePopover();
    owner?.removeAttribute("aria-describedby");
    owner = undefined;
  };
  const show = async (element) => {
    const found = await table();
    const html = keys(element).map((key) => found[key]).filter(Boolean);
    if (!html.length || owner !== element) return;
    card.innerHTML = html.join("");
    // Of many symbols at once each says its name and its meaning alone.
    card.classList.toggle("many", html.length > 1);
    card.isConnected || document.getElementById("main").append(card);
    card.showPopover();
    place(element);
    element.setAttribute("aria-describedby", card.id);
  };
  const ask = (element, wait) => {
    if (owner === element) return;
    hide();
    owner = element;
    timer = setTimeout(() => show(element), wait);
  };
  const askable = (target) => target.closest?.(".live") // it shows what it means in its figure
    ? null : target.closest?.("main a.internal[href*='#'], main [data-symbols]");

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const element = askable(event.target);
    if (element) ask(element, 220);
    else if (!event.target.closest(".preview")) { clearTimeout(timer); timer = setTimeout(hide, 180); }
    else clearTimeout(timer);
  });
  document.addEventListener("focusin", (event) => {
    const element = askable(event.target);
    if (element) ask(element, 0);
    else if (!event.target.closest(".preview")) hide();
  });
  // The first tap shows, the second follows the link.
  let touched = false;
  document.addEventListener("pointerdown", (event) => { touched = event.pointerType === "touch"; });
  document.addEventListener("click", (event) => {
    const element = askable(event.target);
    if (!element) { if (!event.target.closest(".preview")) hide(); return; }
    if (!touched || (element === owner && card.matches(":popover-open"))) return;
    if (element.href) event.preventDefault();
    ask(element, 0);
  });
  addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
})();
