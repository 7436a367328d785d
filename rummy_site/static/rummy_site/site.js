// What every page needs of a script: light or dark, and times that count down.
// A page works without it; nothing here knows the game.

const YEAR_SECONDS = 31_536_000;

/** Light, dark or as the system has it: at once here, by cookie on the next page. */
function chooseTheme(event) {
  const button = event.target.closest("button[value]");
  if (!button) return;
  const theme = button.value;
  document.cookie = `theme=${theme}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const other of button.parentElement.children) {
    other.setAttribute("aria-pressed", String(other === button));
  }
}

/** "3 hr" in the language of the page. */
function inUnits(n, unit) {
  return new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit }).format(n);
}

/** "3 days 4 hr", "2 hr 5 min", "4:07": what is left, as people say it. */
export function timeLeft(seconds) {
  const left = Math.max(0, Math.ceil(seconds));
  const days = Math.floor(left / 86400);
  const hours = Math.floor((left % 86400) / 3600);
  const minutes = Math.floor((left % 3600) / 60);
  if (days >= 1) return `${inUnits(days, "day")} ${inUnits(hours, "hour")}`;
  if (hours >= 1) return `${inUnits(hours, "hour")} ${inUnits(minutes, "minute")}`;
  return `${minutes}:${String(left % 60).padStart(2, "0")}`;
}

const counted = new WeakMap();

/** Each <span data-seconds-left="90"> counts down from when it came into the page. */
function countDown() {
  for (const place of document.querySelectorAll("[data-seconds-left]")) {
    if (!counted.has(place)) {
      counted.set(place, performance.now() + Number(place.dataset.secondsLeft) * 1000);
    }
    place.textContent = timeLeft((counted.get(place) - performance.now()) / 1000);
  }
}

// A phone pushes its row of links along: the current one is in sight.
for (const row of document.querySelectorAll(".site-nav")) {
  const current = row.querySelector("[aria-current]");
  if (current) row.scrollLeft = current.offsetLeft + current.offsetWidth - row.clientWidth + 16;
}

document.querySelector("[data-theme-choice]")?.addEventListener("click", chooseTheme);
setInterval(countDown, 1000);
countDown();
