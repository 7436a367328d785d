// The control room: clocks that run between two looks, and a socket that says when to look again.
const room = document.querySelector("[data-socket]");
const floor = document.querySelector("#floor");
const link = document.querySelector("#control-link");
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15000;
const SHORT_MS = 10000;
let wait = FIRST_WAIT;
let drawnAt = performance.now();

function minutes(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function tick() {
  const gone = performance.now() - drawnAt;
  for (const clock of floor.querySelectorAll("[data-left]")) {
    const left = Number(clock.dataset.left) - ("stands" in clock.dataset ? 0 : gone);
    clock.querySelector("output").textContent = minutes(Math.max(0, left));
    clock.classList.toggle("is-short", left < SHORT_MS);
  }
}

function isBusy() {
  return floor.querySelector("details[open]") !== null;
}

function look() {
  if (!isBusy()) window.htmx.trigger(floor, "changed");
}

function say(isLive) {
  link.textContent = isLive ? link.dataset.live : link.dataset.lost;
  link.classList.toggle("is-lost", !isLive);
}

function open() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(`${scheme}//${location.host}${room.dataset.socket}`);
  socket.addEventListener("open", () => { wait = FIRST_WAIT; say(true); look(); });
  socket.addEventListener("message", look);
  socket.addEventListener("close", () => {
    say(false);
    setTimeout(open, wait);
    wait = Math.min(LONGEST_WAIT, wait * 2);
  });
}

floor.addEventListener("htmx:afterSwap", () => { drawnAt = performance.now(); tick(); });
floor.addEventListener("toggle", () => { if (!isBusy()) look(); }, true);
tick();
setInterval(tick, 250);
open();
