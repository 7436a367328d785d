// Stepping through a deal without loading the page anew: arrows, Home and End, the slider, and
// playing by itself. Each step comes from the server, which decides what may be seen.

const SECONDS_A_STEP = 1.2;
const shown = document.querySelector("#replay-step");
const bar = document.querySelector("[data-replay]");
const slider = bar.querySelector("input[type=range]");
const said = document.querySelector("#replay-said");
const playing = bar.querySelector("[data-play]");
const last = Number(slider.max);
const kept = new Map();
let step = Number(slider.value);
let timer = 0;
let newest = 0;
let begun = 0;
let plays = 0; // which of those begun is playing; none when 0

function addressOf(number) {
  const address = new URL(window.location.href);
  address.searchParams.set("step", String(number));
  return address;
}

/** The HTML of a step; asked for once. */
function partOf(number) {
  if (!kept.has(number)) {
    const asked = fetch(addressOf(number), { headers: { "HX-Request": "true" } }).then((answer) => {
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.text();
    });
    asked.catch(() => kept.delete(number));
    kept.set(number, asked);
  }
  return kept.get(number);
}

function mark(number) {
  step = number;
  slider.value = String(number);
  const targets = { first: 1, before: number - 1, after: number + 1, last };
  for (const [name, target] of Object.entries(targets)) {
    const link = bar.querySelector(`[data-go=${name}]`);
    link.href = addressOf(Math.min(last, Math.max(1, target))).search;
    const ends = name === "first" || name === "before" ? number === 1 : number === last;
    if (ends) link.setAttribute("aria-disabled", "true");
    else link.removeAttribute("aria-disabled");
  }
}

async function go(wanted) {
  const number = Math.min(last, Math.max(1, wanted));
  newest += 1;
  const mine = newest;
  mark(number);
  try {
    const part = await partOf(number);
    if (mine !== newest) return; // somebody went on meanwhile
    shown.innerHTML = part;
    said.textContent = shown.querySelector("[data-said]").textContent;
    window.history.replaceState(null, "", addressOf(number));
    if (number < last) partOf(number + 1).catch(() => {});
    else stop();
  } catch {
    window.location.assign(addressOf(number)); // the page says what is wrong
  }
}

function stop() {
  clearTimeout(timer);
  timer = 0;
  plays = 0;
  playing.setAttribute("aria-pressed", "false");
}

/** Each step is shown for its time, however long it took to come. */
async function play(number, mine) {
  await go(number);
  if (mine === plays) timer = setTimeout(() => play(step + 1, mine), SECONDS_A_STEP * 1000);
}

function playOrStop() {
  if (plays) {
    stop();
    return;
  }
  playing.setAttribute("aria-pressed", "true");
  begun += 1;
  plays = begun;
  play(step === last ? 1 : step + 1, plays);
}

const KEYS = { ArrowLeft: () => step - 1, ArrowRight: () => step + 1, Home: () => 1, End: () => last };

function byKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) {
    return; // the slider has these keys itself
  }
  const wanted = KEYS[event.key];
  if (!wanted) return;
  event.preventDefault();
  stop();
  go(wanted());
}

function byLink(event) {
  const link = event.target.closest("[data-go]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  stop();
  const { go: name } = link.dataset;
  go({ first: 1, before: step - 1, after: step + 1, last }[name]);
}

bar.addEventListener("click", byLink);
bar.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  go(Number(slider.value));
});
slider.addEventListener("input", () => {
  stop();
  go(Number(slider.value));
});
playing.addEventListener("click", playOrStop);
playing.hidden = false;
document.addEventListener("keydown", byKey);
