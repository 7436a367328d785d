// The smallest parts: texts in the reader's language, sentences about the deal, elements, faces, what
// this player wants, and quiet signals.

import { isJoker } from "./hand.js";

const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const SIGNS = { S: "♠\ufe0e", H: "♥\ufe0e", D: "♦\ufe0e", C: "♣\ufe0e" };
const COURTS = { J: "jack", Q: "queen", K: "king", A: "ace" };
const SVG = "http://www.w3.org/2000/svg";

let texts = {};
let rules = new Intl.PluralRules("en");

/** @param {Record<string, string>} all the page's texts by name @param {string} language */
export function speak(all, language) {
  texts = all;
  rules = new Intl.PluralRules(language);
}

/** A text with its places filled: t("drew", {name: "Asha"}). */
export const t = (name, values = {}) =>
  (texts[name] ?? name).replace(/\{(\w+)\}/g, (_, place) => values[place] ?? "");

/** A text that depends on a number, under `name_one` or `name_other`. */
export const many = (name, n, values = {}) =>
  t(`${name}_${rules.select(n) === "one" ? "one" : "other"}`, { n, ...values });

/** An element. `on` are listeners, `text` is its text; true and false are bare attributes. */
export function h(tag, { on = {}, text, ...attributes } = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) put(element, name, value);
  for (const [name, hear] of Object.entries(on)) element.addEventListener(name, hear);
  if (text !== undefined) element.textContent = text;
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Set an attribute, only if it differs; false and null take it away. */
export function put(element, name, value) {
  if (value === false || value === null || value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value === true ? "" : value)) {
    element.setAttribute(name, value === true ? "" : value);
  }
}

/** Set a text, only if it differs, so that nothing is read out or painted again. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** "10 of hearts, joker" as it is read out. */
export function spoken(card, wild = "") {
  if (card === "JK") return t("printed_joker");
  const name = t("card", { rank: t(`rank_${card[0]}`), suit: t(`suit_${card[1]}`) });
  return isJoker(card, wild) ? t("as_joker", { card: name }) : name;
}

/** "10♥" for a line of text. */
export const brief = (card) =>
  card === "JK" ? t("joker") : (card[0] === "T" ? "10" : card[0]) + SIGNS[card[1]];

/** A card to look at. @returns {HTMLElement} */
export function face(card, wild = "", tag = "span", attributes = {}) {
  const printed = card === "JK";
  const kinds = ["pc", printed ? "printed" : SUITS[card[1]]];
  if (COURTS[card[0]] && !printed) kinds.push(COURTS[card[0]]);
  if (!printed && isJoker(card, wild)) kinds.push("wild");
  const rank = printed ? "★" : card[0] === "T" ? "10" : card[0];
  return h(
    tag,
    { class: kinds.join(" "), role: "img", "aria-label": spoken(card, wild), ...attributes },
    h("span", { class: "pc-rank", "aria-hidden": "true", text: rank }),
    h("span", { class: "pc-suit", "aria-hidden": "true" }),
    h("span", { class: "pc-art", "aria-hidden": "true" }),
  );
}

/** The ring of a clock: `fill` draws how much of it is left, 0 to 1. */
export function ring() {
  const svg = document.createElementNS(SVG, "svg");
  const circle = (kind) => {
    const one = document.createElementNS(SVG, "circle");
    const size = { class: kind, cx: 20, cy: 20, r: 17, pathLength: 100 };
    for (const [name, value] of Object.entries(size)) one.setAttribute(name, value);
    svg.append(one);
    return one;
  };
  put(svg, "viewBox", "0 0 40 40");
  put(svg, "class", "ring");
  put(svg, "aria-hidden", "true");
  circle("ring-back");
  const front = circle("ring-front");
  return { svg, fill: (part) => put(front, "stroke-dashoffset", (100 * (1 - part)).toFixed(1)) };
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Sentences. `name` gives a seat's name, `me` is my seat or null.

const OF_OTHERS = {
  toss_made: (e) => ["ev_toss", { seat: e.toss.at(-1)[0] }],
  cards_dealt: (e) => ["ev_dealt", { wild: brief(e.wild_card) }],
  deck_reshuffled: () => ["ev_reshuffled", {}],
  card_drawn: (e) => [e.deck === "open" ? "ev_took" : "ev_drew", { card: brief(e.card) }],
  card_discarded: (e) => [e.forced ? "ev_forced" : "ev_discarded", { card: brief(e.card) }],
  turn_missed: () => ["ev_missed", {}],
  player_went_out: (e) => [`ev_out_${e.outcome}`, { points: e.points }],
  card_finished: (e) => ["ev_finished", { card: brief(e.card) }],
  hand_declared: () => ["ev_declared", {}],
  limit_reached: (e) => [`ev_limit_${e.limit}`, {}],
  player_went_offline: () => ["ev_offline", {}],
  player_came_back: () => ["ev_back", {}],
  deal_ended: (e) => ["ev_ended", { seat: e.result.scores.find((s) => s.outcome === "won").seat }],
  deal_voided: () => ["ev_voided", {}],
};

/** What happened, as a sentence; empty for what nobody needs to be told. */
export function told(event, me, name) {
  const tell = OF_OTHERS[event.kind];
  if (!tell) return "";
  const [key, { seat = event.seat, ...values }] = tell(event);
  const mine = seat !== undefined && seat === me && texts[`${key}_me`];
  return t(mine ? `${key}_me` : key, { name: seat === undefined ? "" : name(seat), ...values });
}

/** What happened last as far as a snapshot tells: the last discard, or that cards were dealt. */
export function lately({ state, seat }, name) {
  if (!state?.wild_card || state.phase === "over") return "";
  const [by, card] = state.discards.at(-1) ?? [];
  return by === undefined ? told({ kind: "cards_dealt", wild_card: state.wild_card }, seat, name)
    : told({ kind: "card_discarded", seat: by, card }, seat, name);
}

/** What the table waits for, and whether it waits for me: [sentence, boolean]. */
export function awaited(model, name) {
  const { state, seat, board } = model;
  if (board?.paused) return [t("ask_paused"), false];
  if (board?.status === "over") return [t("ask_match_over"), false];
  if (board?.status === "void") return [t("ask_void"), false];
  if (!state || state.phase === "over" || seat === null) return between(model);
  const mine = state.turn === seat;
  const who = state.turn === null ? "" : name(state.turn);
  switch (state.phase) {
    case "draw":
      return [mine ? t("ask_draw_me") : t("ask_draw", { name: who }), mine];
    case "discard":
      return [mine ? t("ask_discard_me") : t("ask_discard", { name: who }), mine];
    case "finish":
      return state.finisher === seat ? [t("ask_declare_finish"), true]
        : [t("ask_finisher", { name: name(state.finisher) }), false];
    case "show": {
      const asked = model.legal.some((move) => move.do === "declare");
      return [asked ? t("ask_declare") : t("ask_others_declare"), asked];
    }
    default:
      return [t("ask_dealing"), false];
  }
}

function between({ board, state, seat }) {
  if (board?.step?.step === "await_rejoin") return [t("ask_rejoin"), board.step.seats.includes(seat)];
  if (board?.step?.step === "await_rebuy") return [t("ask_rebuy"), board.step.seats.includes(seat)];
  if (board?.step?.step === "await_split") return [t("ask_split"), board.step.seats.includes(seat)];
  if (board?.status === "playing" && seat === null) return [t("ask_looking_on"), false];
  return [t(state || board?.deals.length ? "ask_next_deal" : "ask_first_deal"), false];
}

// What the player wants. His profile says it; what he says here holds in this browser until he changes
// his profile.

const WANTED = { four: false, sounds: false, letters: true };
export const CHOICES = Object.keys(WANTED);

/** Read what the profile says from the page, and show cards accordingly. */
export function prefer(root) {
  WANTED.four = root.dataset.suits === "four";
  WANTED.sounds = root.dataset.sounds === "on";
  colour();
}

export function chosen(name) {
  const [profile, mine] = (localStorage.getItem(`table-${name}`) ?? "").split(":");
  return mine && profile === String(WANTED[name]) ? mine === "true" : WANTED[name];
}

export function choose(name, on) {
  localStorage.setItem(`table-${name}`, `${WANTED[name]}:${on}`);
  colour();
}

const colour = () => put(document.documentElement, "data-suits", chosen("four") ? "four" : null);

const TUNES = { turn: [660, 880], asked: [520, 660, 520], result: [520, 660, 780] };
let audio;

/** A short, quiet signal, if he wants any; browsers allow it once the page has been touched. */
export function chime(name) {
  if (!chosen("sounds") || !navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  TUNES[name].forEach((pitch, i) => {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const at = audio.currentTime + 0.12 * i;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.06, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.11);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.12);
  });
}
