// Calls to the table: a notification of the browser for who asked for it by a button, once a call.

const KEPT = "called";
const button = document.querySelector("[data-ask-notifications]");

function isWanted() {
  return "Notification" in window && Notification.permission === "granted";
}

function callOut() {
  if (!isWanted()) return;
  const told = new Set(JSON.parse(sessionStorage.getItem(KEPT) ?? "[]"));
  for (const link of document.querySelectorAll("[data-call]")) {
    if (told.has(link.dataset.call)) continue;
    told.add(link.dataset.call);
    const words = link.parentElement.firstChild.textContent.trim();
    const shown = new Notification(words, { tag: `call-${link.dataset.call}` });
    shown.addEventListener("click", () => {
      window.focus();
      window.location.assign(link.href);
    });
  }
  sessionStorage.setItem(KEPT, JSON.stringify([...told].slice(-50)));
}

if (button && "Notification" in window && Notification.permission === "default") {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await Notification.requestPermission();
    button.hidden = true;
  });
}
document.body.addEventListener("htmx:afterSettle", callOut);
