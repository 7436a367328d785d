// My hand, drawn: rows of cards with a live label under each group. Elements stay the same cards
// while the hand changes, so focus is kept and a card moves rather than jumps.

import { cardsOf, groupsOf, judge, totalPoints } from "./hand.js";
import { calm, face, h, many, put, spoken, t, write } from "./parts.js";

const MOVE_MS = 150;

/**
 * @typedef {object} Shown what the rack is to show
 * @property {import("./hand.js").Layout} layout
 * @property {Set<string>} selected ids
 * @property {string} focus id of the card that the keys act on
 * @property {object} state the deal
 * @property {string} fresh id of the card drawn this turn
 * @property {boolean} grouped whether groups can be changed
 */

export class Rack {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.cards = new Map();
    this.rows = [];
  }

  /** @param {Shown} shown */
  draw(shown) {
    const { layout, state } = shown;
    const wild = state.wild_rank;
    const before = this.positions();
    const focused = this.place.contains(document.activeElement);
    const judged = judge(groupsOf(layout), layout.loose.map((x) => x.card), wild, state.terms.profile);
    const rows = [...layout.groups, layout.loose];
    while (this.rows.length < rows.length) this.rows.push(this.newRow());
    rows.forEach((cards, i) => {
      const isLoose = i === rows.length - 1;
      const label = isLoose ? loose(cards, shown) : named(cards, judged.kinds[i], shown, i + 1);
      this.fill(this.rows[i], cards, shown, isLoose ? "loose" : String(i), label);
    });
    const wanted = this.rows.slice(0, rows.length).map((row) => row.element);
    if (!same(this.place.children, wanted)) this.place.replaceChildren(...wanted);
    this.isList(true);
    this.forget(layout);
    if (focused) this.focus(shown.focus);
    this.glide(before);
    return judged;
  }

  /** No hand: a sentence in its place. */
  clear(sentence) {
    this.cards.clear();
    this.rows = [];
    this.isList(false);
    const old = this.place.querySelector(".no-hand");
    if (old && this.place.children.length === 1) write(old, sentence);
    else this.place.replaceChildren(h("p", { class: "no-hand", text: sentence }));
  }

  /** Without cards there is nothing to choose from, and no list of choices. */
  isList(has) {
    put(this.place, "role", has ? "listbox" : "group");
    put(this.place, "aria-multiselectable", has ? "true" : null);
    put(this.place, "aria-orientation", has ? "horizontal" : null);
  }

  newRow() {
    const row = h("div", { class: "row", role: "presentation" });
    const label = h("p", { class: "label", "aria-hidden": "true" });
    const element = h("div", { class: "group", role: "group" }, row, label);
    return { element, row, label };
  }

  fill({ element, row, label }, cards, shown, to, { text, spokenText, state }) {
    const elements = cards.map((held) => this.cardOf(held, shown));
    if (!same(row.children, elements)) row.replaceChildren(...elements);
    put(element, "data-n", cards.length);
    put(element, "data-to", to);
    put(element, "class", `group ${state}`);
    put(element, "aria-label", spokenText);
    write(label, text);
  }

  cardOf(held, { state, selected, focus, fresh }) {
    let element = this.cards.get(held.id);
    if (!element) {
      element = face(held.card, state.wild_rank, "div", { role: "option", "data-id": held.id });
      this.cards.set(held.id, element);
    }
    put(element, "aria-selected", String(selected.has(held.id)));
    put(element, "tabindex", held.id === focus ? "0" : "-1");
    element.classList.toggle("fresh", held.id === fresh);
    return element;
  }

  /** @param {string} id */
  focus(id) {
    this.cards.get(id)?.focus({ preventScroll: true });
  }

  forget(layout) {
    const ids = new Set(cardsOf(layout).map((held) => held.id));
    for (const id of this.cards.keys()) if (!ids.has(id)) this.cards.delete(id);
  }

  positions() {
    if (calm()) return new Map();
    const at = (element) => element.getBoundingClientRect();
    return new Map([...this.cards].map(([id, element]) => [id, at(element)]));
  }

  glide(before) {
    for (const [id, from] of before) {
      const element = this.cards.get(id);
      if (!element) continue;
      const to = element.getBoundingClientRect();
      const [x, y] = [from.left - to.left, from.top - to.top];
      if (Math.abs(x) + Math.abs(y) < 2) continue;
      const moves = [{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }];
      element.animate(moves, { duration: MOVE_MS, easing: "ease-out" });
    }
  }
}

const same = (have, want) => have.length === want.length && want.every((el, i) => el === have[i]);

const pointsOf = (cards, { state }) =>
  totalPoints(cards.map((held) => held.card), state.wild_rank, state.terms.profile);

/** The label of a group: a sign, a word, and the points of what is not valid yet. */
function named(cards, kind, shown, number) {
  const points = pointsOf(cards, shown);
  const text = kind ? t(`kind_${kind}`)
    : cards.length < 3 ? many("points", points) : t("not_valid", { points });
  const state = kind ? `valid ${kind}` : "open";
  return { text, state, spokenText: t("group_spoken", { number, label: text }) };
}

function loose(cards, shown) {
  const points = pointsOf(cards, shown);
  const text = cards.length ? t("loose", { points }) : "";
  const state = cards.length ? "loose" : "loose empty";
  return { text, state, spokenText: text || t("loose_empty") };
}

/** Groups as lines of text, for the dialogs before finishing and declaring. */
export function groupLines(layout, judged, state) {
  const line = (cards, label) =>
    h("li", {}, h("span", { class: "line-cards" }, ...cards.map((x) => face(x.card, state.wild_rank))),
      h("span", { text: label }));
  const lines = layout.groups.map((cards, i) => {
    const kind = judged.kinds[i];
    return line(cards, kind ? t(`kind_${kind}`) : t("not_valid", { points: pointsOf(cards, { state }) }));
  });
  if (layout.loose.length) {
    lines.push(line(layout.loose, t("loose", { points: pointsOf(layout.loose, { state }) })));
  }
  return h("ul", { class: "lines" }, ...lines);
}

/** What the hand would count now, in a short sentence. */
export const verdictOf = (judged) =>
  judged.complete ? t("complete") : many("would_count", judged.points);

export { spoken };
