// How my cards lie: groups, and loose cards behind them. Pure: every function gives a new layout.
// Two equal cards of different packs are told apart by `id`, so the one I touch is the one that moves.

/** @typedef {{id: string, card: string}} Held */
/** @typedef {{groups: Held[][], loose: Held[]}} Layout */

import { RANKS } from "./melds.js";

const SUIT_ORDER = "SHCD";
const MOST_GROUPS = 8;
let made = 0;

const held = (card) => ({ id: `c${(made += 1)}`, card });
const tidy = (groups, loose) => ({ groups: groups.filter((group) => group.length), loose });

/** @type {Layout} */
export const NOTHING = { groups: [], loose: [] };

/** @param {Layout} layout @returns {Held[]} */
export const cardsOf = (layout) => [...layout.groups.flat(), ...layout.loose];

/** The groups as the server reads them. */
export const groupsOf = (layout) => layout.groups.map((group) => group.map((h) => h.card));

/** The hand laid out in groups that were saved; cards of them that are gone are left out. */
export function laidOut(hand, groups) {
  const left = hand.map(held);
  const take = (card) => {
    const at = left.findIndex((h) => h.card === card);
    return at < 0 ? [] : left.splice(at, 1);
  };
  const kept = groups.map((group) => group.flatMap(take));
  return tidy(kept, left);
}

/** The same layout with the cards I hold now: what is gone leaves (`touched` of two equal ones
 * first), what is new lies loose at the end. */
export function follow(layout, hand, touched = "") {
  const wanted = new Map();
  for (const card of hand) wanted.set(card, (wanted.get(card) ?? 0) + 1);
  const keep = new Set();
  const late = (h) => (h.id === touched ? 1 : 0);
  for (const h of cardsOf(layout).sort((a, b) => late(a) - late(b))) {
    const count = wanted.get(h.card) ?? 0;
    if (count) {
      keep.add(h.id);
      wanted.set(h.card, count - 1);
    }
  }
  const kept = (cards) => cards.filter((h) => keep.has(h.id));
  const fresh = [...wanted].flatMap(([card, count]) => Array.from({ length: count }, () => held(card)));
  return tidy(layout.groups.map(kept), [...kept(layout.loose), ...fresh]);
}

const order = (card) =>
  card === "JK" ? 99 : SUIT_ORDER.indexOf(card[1]) * 14 + RANKS.indexOf(card[0]);
const inOrder = (cards) => [...cards].sort((a, b) => order(a.card) - order(b.card));

/** A group for each suit; printed jokers lie loose. */
export function sorted(layout) {
  const all = inOrder(cardsOf(layout));
  const groups = [...SUIT_ORDER].map((suit) => all.filter((h) => h.card[1] === suit && h.card !== "JK"));
  return tidy(groups, all.filter((h) => h.card === "JK"));
}

/** The cards put at a place: a group's number, "loose", or "new" for a group of their own. */
export function moved(layout, ids, to, at = Infinity) {
  const picked = cardsOf(layout).filter((h) => ids.has(h.id));
  if (!picked.length) return layout;
  const put = (cards) => {
    const before = cards.slice(0, at).filter((h) => !ids.has(h.id));
    const after = cards.slice(Math.min(at, cards.length)).filter((h) => !ids.has(h.id));
    return [...before, ...picked, ...after];
  };
  const out = (cards) => cards.filter((h) => !ids.has(h.id));
  const groups = layout.groups.map((group, i) => (i === to ? put(group) : out(group)));
  const loose = to === "loose" ? put(layout.loose) : out(layout.loose);
  if (to === "new") {
    if (groups.filter((group) => group.length).length >= MOST_GROUPS) return layout;
    groups.push(inOrder(picked));
  }
  return tidy(groups, loose);
}

/** The group of a card taken apart: its cards lie loose. */
export function apart(layout, id) {
  const group = layout.groups.find((cards) => cards.some((h) => h.id === id));
  return group ? moved(layout, new Set(group.map((h) => h.id)), "loose") : layout;
}

/** Where a card lies: its row ("loose" or a group's number) and place in it. */
export function placeOf(layout, id) {
  const rows = [...layout.groups, layout.loose];
  const row = rows.findIndex((cards) => cards.some((h) => h.id === id));
  if (row < 0) return null;
  const to = row === layout.groups.length ? "loose" : row;
  return { to, row, at: rows[row].findIndex((h) => h.id === id) };
}

/** A card one place to the left or right, at an end into the next group. */
export function stepped(layout, id, by) {
  const place = placeOf(layout, id);
  if (!place) return layout;
  const rows = [...layout.groups, layout.loose];
  const cards = [...rows[place.row]];
  const next = place.at + by;
  if (next >= 0 && next < cards.length) {
    [cards[place.at], cards[next]] = [cards[next], cards[place.at]];
    rows[place.row] = cards;
    return tidy(rows.slice(0, -1), rows[rows.length - 1]);
  }
  const row = place.row + by;
  if (row < 0 || row >= rows.length) return layout;
  const to = row === layout.groups.length ? "loose" : row;
  return moved(layout, new Set([id]), to, by > 0 ? 0 : Infinity);
}
