// My hand, pure: what a group of cards is read as and what cards count, as much as its labels need; and
// how my cards lie, groups and loose cards behind them, where every function gives a new layout. The
// server decides and counts; tests hold every answer here equal to its own (tables/rules).
// A card is a text such as "TD"; "JK" is a printed joker. Positions in a suit go from 1 to 14.

// Groups and points

/** @typedef {"pure_sequence"|"impure_sequence"|"set"} Kind */
/** @typedef {{points: number, complete: boolean, kinds: (Kind|null)[], left: number}} Judgement */

export const RANKS = "A23456789TJQK";
const SUITS = "SHDC";
const PRINTED = "JK";
const HIGH_ACE = 14;

/** @param {string} card @param {string} wild the wild rank */
export const isJoker = (card, wild) => card === PRINTED || card[0] === wild;

const placesOf = (rank) => (rank === "A" ? [1, HIGH_ACE] : [RANKS.indexOf(rank) + 1]);

/** How many cards can stand as themselves in runs of a size that hold all ranks. */
function standings(ranks, wildPlaces, size) {
  const found = [];
  const top = HIGH_ACE - size + 1;
  for (const ace of ranks.includes("A") ? [1, HIGH_ACE] : [1]) {
    const places = ranks.map((rank) => (rank === "A" ? ace : placesOf(rank)[0]));
    const lowest = places.length ? Math.max(1, Math.max(...places) - size + 1) : 1;
    const highest = Math.min(top, ...places);
    if (lowest > highest) continue;
    const within = (place) => lowest <= place && place < lowest + size;
    if (places.length) found.push(places.length + (wildPlaces.some(within) ? 1 : 0));
    for (const place of wildPlaces) {
      if (Math.max(lowest, place - size + 1) <= Math.min(highest, place)) {
        found.push(places.length + 1);
      }
    }
  }
  return found;
}

/** The fewest substitutes with which the cards are a sequence, or null. */
function runSubstitutes(cards, wild) {
  const size = cards.length;
  if (size < 3 || size > 13) return null;
  const naturals = cards.filter((card) => !isJoker(card, wild));
  const wilds = cards.filter((card) => card !== PRINTED && card[0] === wild);
  const wildSuits = new Set(wilds.map((card) => card[1]));
  const suits = naturals.length ? new Set(naturals.map((card) => card[1])) : wildSuits;
  if (new Set(naturals).size < naturals.length) return null;
  if (naturals.length && suits.size > 1) return null;
  const ranks = naturals.map((card) => card[0]);
  let best = null;
  for (const suit of SUITS) {
    if (!suits.has(suit)) continue;
    const wildPlaces = wildSuits.has(suit) ? placesOf(wild) : [];
    for (const standing of standings(ranks, wildPlaces, size)) {
      if (best === null || size - standing < best) best = size - standing;
    }
  }
  return best;
}

/** The fewest substitutes with which the cards are a set of any size, or null. */
function setSubstitutes(cards, wild) {
  let naturals = cards.filter((card) => !isJoker(card, wild));
  if (cards.length < 3 || new Set(naturals.map((card) => card[0])).size > 1) return null;
  if (!naturals.length) naturals = [...new Set(cards.filter((card) => card !== PRINTED))];
  const suits = new Set(naturals.map((card) => card[1]));
  if (!naturals.length || suits.size < naturals.length) return null;
  return cards.length - naturals.length;
}

/** Every valid reading of a group, a sequence first: `[kind, substitutes]`. */
function readings(cards, wild, profile) {
  const found = [];
  const run = runSubstitutes(cards, wild);
  const runLimit = profile.run_joker_limit;
  if (run !== null && (runLimit === null || run <= runLimit)) {
    found.push([run ? "impure_sequence" : "pure_sequence", run]);
  }
  const set = setSubstitutes(cards, wild);
  const setLimit = profile.set_size_limit;
  if (set !== null && (setLimit === null || cards.length <= setLimit)) found.push(["set", set]);
  return found;
}

const isSequence = (kind) => kind !== null && kind !== "set";

function isMatched(groups, kinds, profile) {
  const lengths = groups.filter((_, i) => isSequence(kinds[i])).map((group) => group.length);
  if (lengths.length < 2 || !kinds.includes("pure_sequence")) return false;
  return Math.max(...lengths) >= profile.long_run;
}

/** What each group is read as: plainly, or as sequences where only that completes the hand.
 * @param {string[][]} groups @param {string} wild @returns {(Kind|null)[]} */
export function kindsOf(groups, wild, profile) {
  const read = groups.map((group) => readings(group, wild, profile));
  const plain = read.map((found) =>
    found.length ? found.reduce((a, b) => (b[1] < a[1] ? b : a))[0] : null,
  );
  if (isMatched(groups, plain, profile)) return plain;
  const asSequences = read.map((found) => (found.length ? found[0][0] : null));
  return isMatched(groups, asSequences, profile) ? asSequences : plain;
}

/** Points of one card, none for a joker. */
export function cardPoints(card, wild, profile) {
  if (isJoker(card, wild)) return 0;
  return card[0] === "A" ? profile.ace_points : Math.min(RANKS.indexOf(card[0]) + 1, 10);
}

export const totalPoints = (cards, wild, profile) =>
  cards.reduce((sum, card) => sum + cardPoints(card, wild, profile), 0);

/** What groups and loose cards would count if they were declared.
 * @param {string[][]} groups @param {string[]} loose @returns {Judgement} */
export function judge(groups, loose, wild, profile) {
  const kinds = kindsOf(groups, wild, profile);
  const cards = [...groups.flat(), ...loose];
  const ungrouped = [...groups.filter((_, i) => kinds[i] === null).flat(), ...loose];
  const total = totalPoints(cards, wild, profile);
  const left = totalPoints(ungrouped, wild, profile);
  const pure = groups.filter((_, i) => kinds[i] === "pure_sequence");
  const bestPure = Math.max(0, ...pure.map((group) => totalPoints(group, wild, profile)));
  const matched = isMatched(groups, kinds, profile);
  const mayLie = profile.loose_jokers && ungrouped.every((card) => isJoker(card, wild));
  return {
    points: counted(matched ? left : null, total, bestPure, profile),
    complete: matched && cards.length === 13 && (!ungrouped.length || mayLie),
    kinds,
    left,
  };
}

function counted(left, total, bestPure, profile) {
  let points = left;
  if (points === null) {
    if (profile.unmatched === "flat_cap" && profile.cap !== null) return profile.cap;
    points = total - (profile.unmatched === "all_but_best_pure" ? bestPure : 0);
  }
  return profile.cap === null ? points : Math.min(profile.cap, points);
}

// How my cards lie. Two equal cards of different packs are told apart by `id`, so the one I touch moves.

/** @typedef {{id: string, card: string}} Held */
/** @typedef {{groups: Held[][], loose: Held[]}} Layout */

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
