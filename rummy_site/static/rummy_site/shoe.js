// The shuffle of docs/rules.md 1.6 in the browser: the same numbers as tables/rules/shoe.py makes.
//
// A secret of 32 bytes is committed to by its SHA-256. HMAC-SHA-256, keyed with the secret, over a
// context (each part with its length before it) and a counter gives 32-bit numbers; they drive a
// Fisher-Yates shuffle, and a number that would favour some places is thrown away.
// WebCrypto needs a secure page (https, or this machine itself); `canCompute` says so.

const SUITS = "SHDC";
const RANKS = "A23456789TJQK";
const TOSS_RANKS = "23456789TJQKA";
const SPAN = 2 ** 32;
const text = new TextEncoder();

export const canCompute = () => globalThis.crypto?.subtle !== undefined;

/** Bytes of a text in hexadecimal; throws where it is none. */
export function bytesOf(hex) {
  if (!/^([0-9a-f]{2})*$/.test(hex)) throw new RangeError("not hexadecimal");
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The SHA-256 of a secret, both in hexadecimal. */
export async function commitmentOf(secret) {
  return hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(secret))));
}

/** All cards of a shoe in factory order: pack by pack, then the printed jokers. */
export function newShoe({ packs, printed_jokers: jokers }) {
  const pack = Array.from(SUITS).flatMap((suit) => Array.from(RANKS, (rank) => rank + suit));
  return [...Array.from({ length: packs }, () => pack).flat(), ...Array(jokers).fill("JK")];
}

/** Numbers below 2^32, one after the other. */
async function* words(secret, context) {
  const use = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytesOf(secret), use, false, ["sign"]);
  const parts = context.flatMap((part) => {
    const bytes = text.encode(part);
    return [...text.encode(`${bytes.length}:`), ...bytes];
  });
  const message = new Uint8Array(parts.length + 8);
  message.set(parts);
  const counter = new DataView(message.buffer, parts.length);
  for (let block = 0n; ; block += 1n) {
    counter.setBigUint64(0, block);
    const made = new DataView(await crypto.subtle.sign("HMAC", key, message));
    for (let place = 0; place < made.byteLength; place += 4) yield made.getUint32(place);
  }
}

/** `items` in the order that secret and context fix. */
export async function shuffled(items, secret, context) {
  const order = [...items];
  const numbers = words(secret, context);
  for (let last = order.length - 1; last > 0; last -= 1) {
    const span = last + 1;
    const unbiased = SPAN - (SPAN % span);
    let word;
    do word = (await numbers.next()).value;
    while (word >= unbiased);
    const other = word % span;
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

const height = ([rank, suit]) => TOSS_RANKS.indexOf(rank) * SUITS.length - SUITS.indexOf(suit);

function higherFirst([, one], [, other]) {
  for (let at = 0; at < Math.min(one.length, other.length); at += 1) {
    const apart = height(other[at]) - height(one[at]);
    if (apart !== 0) return apart;
  }
  return other.length - one.length;
}

/** Seats from highest to lowest with the cards they drew; the same card again draws again. */
export async function toss(seats, packs, secret, context) {
  const pile = (await shuffled(newShoe({ packs, printed_jokers: 0 }), secret, context)).values();
  const drawn = seats.map((seat) => [seat, [pile.next().value]]);
  for (;;) {
    const keys = drawn.map(([, cards]) => cards.join());
    const again = drawn.filter((_, at) => keys.indexOf(keys[at]) !== keys.lastIndexOf(keys[at]));
    if (again.length === 0) break;
    for (const [, cards] of again) cards.push(pile.next().value);
  }
  return drawn.sort(higherFirst);
}

/** Entrants by rating, the highest first; equal ones and those without one as drawn. */
export function seededOrder(drawn, ratings) {
  const known = new Map(ratings);
  const rated = drawn.filter((entrant) => known.has(entrant));
  rated.sort((one, other) => known.get(other) - known.get(one));
  return [...rated, ...drawn.filter((entrant) => !known.has(entrant))];
}

/** The seeded order dealt over tables of these sizes to and fro, table after table. */
export function seatedBySeed(order, sizes) {
  const tables = sizes.map(() => []);
  const left = order.values();
  for (let row = 0; row < Math.max(...sizes); row += 1) {
    const open = tables.filter((_, at) => sizes[at] > row);
    for (const table of row % 2 ? open.reverse() : open) table.push(left.next().value);
  }
  return tables.flat();
}
