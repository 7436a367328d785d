// What pages of tournaments need of a script: times that count down, and an address to copy.
// A page works without it. Nothing here changes a place of anything.

import { timeLeft } from "./site.js";

const ahead = new WeakMap();

/** Milliseconds by which this machine's clock is before the server's, as a part said it. */
function clockAhead(part) {
  if (!ahead.has(part)) ahead.set(part, Date.now() - Date.parse(part.dataset.now));
  return ahead.get(part);
}

/** Each [data-until] shows what is left of the time till then, by the server's clock. */
function countDown() {
  for (const place of document.querySelectorAll("[data-until]")) {
    const part = place.closest("[data-now]");
    const now = Date.now() - (part ? clockAhead(part) : 0);
    const text = timeLeft((Date.parse(place.dataset.until) - now) / 1000);
    if (place.textContent !== text) place.textContent = text;
  }
}

for (const button of document.querySelectorAll("[data-copies]")) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).value);
    button.textContent = button.dataset.done;
  });
}

countDown();
setInterval(countDown, 1000);
document.body.addEventListener("htmx:afterSwap", countDown);
