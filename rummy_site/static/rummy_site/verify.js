// Computes the checks of a page again and says of each, and of all, whether they are right.
// What is said stands in the page, in its language; here it is only chosen.

import {
  canCompute,
  commitmentOf,
  newShoe,
  seatedBySeed,
  seededOrder,
  shuffled,
  toss,
} from "./shoe.js";

const page = document.querySelector("[data-checks]");
const verdict = page.querySelector("[data-verdict]");

/** What the secret gives, as a list to be compared with `found`. */
async function computed(check) {
  if (check.kind === "commitment") return [await commitmentOf(check.secret)];
  if (check.kind === "toss") {
    return (await toss(check.seats, check.packs, check.secret, check.context)).map(told);
  }
  const items = check.shoe ? newShoe(check.shoe) : check.items;
  const order = await shuffled(items, check.secret, check.context);
  if (!check.ratings) return order.slice(0, check.first ?? order.length);
  const seeded = seededOrder(order, check.ratings);
  return check.sizes ? seatedBySeed(seeded, check.sizes) : seeded;
}

const told = ([seat, cards]) => `${seat}: ${cards.join(" ")}`;

function found(check) {
  if (check.kind === "commitment") return [check.published];
  return check.kind === "toss" ? check.found.map(told) : check.found;
}

function firstDifference(one, other) {
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    if (String(one[at]) !== String(other[at])) return at;
  }
  return -1;
}

function say(place, isRight) {
  place.textContent = isRight ? place.dataset.right : place.dataset.wrong;
  place.classList.remove("waiting");
  place.classList.toggle("good", isRight);
  place.classList.toggle("bad", !isRight);
}

/** One check: computes, shows what came out, and says whether it is right. */
async function look(check) {
  const place = page.querySelector(`[data-check="${check.id}"]`);
  let result = [];
  try {
    result = await computed(check);
  } catch {
    result = []; // a secret or cards that are none
  }
  const expected = found(check);
  const at = firstDifference(result, expected);
  const isRight = result.length > 0 && at < 0;
  place.querySelector("[data-computed]").textContent = result.join(" · ") || "–";
  place.querySelector("[data-found]").textContent = expected.join(" · ") || "–";
  const difference = place.querySelector("[data-difference]");
  if (!isRight && difference && check.kind !== "commitment") {
    difference.textContent = difference.dataset.difference
      .replace("{place}", String(Math.max(at, 0) + 1))
      .replace("{computed}", String(result[at] ?? "–"))
      .replace("{found}", String(expected[at] ?? "–"));
  }
  say(place.querySelector("[data-outcome]"), isRight);
  return isRight;
}

function compareNoted(event) {
  const said = page.querySelector("[data-noted]");
  const noted = event.target.value.trim().toLowerCase();
  if (noted) say(said, noted === event.target.dataset.published);
  else said.textContent = "";
}

async function lookAtAll() {
  if (!canCompute()) {
    verdict.textContent = verdict.dataset.cannot;
    return;
  }
  const checks = JSON.parse(page.dataset.checks);
  const outcomes = [];
  for (const check of checks) outcomes.push(await look(check));
  say(verdict, outcomes.length > 0 && outcomes.every(Boolean));
  verdict.dataset.done = "yes";
}

page.querySelector("[data-published]")?.addEventListener("input", compareNoted);
await lookAtAll();
