// Everything on the table but my hand: seats with clocks, the decks, what is asked and what happened
// last, scores, open cards, the talk and the log. Draws a model; decides nothing.

import { brief, face, h, many, put, ring, spoken, t, write } from "./parts.js";
import { may, seatOf, timeOf } from "./state.js";

const URGENT_MS = 10_000;

/** Players by seat, from the scoreboard. */
export const nameOf = (model, seat) =>
  model.board?.players.find((player) => player.seat === seat)?.name ?? t("seat", { seat: seat + 1 });

/** Seats in the order they sit, mine first. */
function around(model) {
  const all = model.board?.players.map((player) => player.seat) ?? [];
  const at = all.indexOf(model.seat);
  return at < 0 ? all : [...all.slice(at), ...all.slice(0, at)];
}

export class Board {
  /** @param {HTMLElement} root */
  constructor(root) {
    const find = (name) => root.querySelector(`[data-part="${name}"]`);
    this.root = root;
    this.find = find;
    this.seats = new Map();
    this.drawnFor = "";
    this.log = [];
  }

  /** @param {import("./state.js").Model} model */
  draw(model) {
    if (!model.board) return;
    this.drawSeats(model);
    this.drawDecks(model);
    this.drawScores(model);
    this.drawOpenCards(model);
    this.drawTalk(model);
    this.tick(model, performance.now());
  }

  // Seats

  drawSeats(model) {
    const order = around(model);
    const key = `${model.seat}:${order.join()}`;
    if (key !== this.drawnFor) this.placeSeats(model, order, key);
    for (const [seat, plate] of this.seats) this.drawPlate(model, seat, plate);
  }

  placeSeats(model, order, key) {
    this.drawnFor = key;
    this.seats = new Map(order.map((seat) => [seat, newPlate()]));
    const isMine = (seat) => seat === model.seat;
    const others = order.filter((seat) => !isMine(seat));
    const circle = this.find("seats");
    others.forEach((seat, i) => put(this.seats.get(seat).element, "data-at", i + 1));
    put(circle, "data-of", others.length);
    circle.replaceChildren(...others.map((seat) => this.seats.get(seat).element));
    const mine = order.filter(isMine).map((seat) => this.seats.get(seat).element);
    this.find("me").replaceChildren(...mine);
  }

  drawPlate(model, seat, plate) {
    const { state, board } = model;
    const player = board.players.find((one) => one.seat === seat);
    const line = board.lines.find((one) => one.seat === seat);
    const inDeal = state && seatOf(state, seat);
    const online = inDeal && state.phase !== "over" ? inDeal.online : player.online;
    const acts = model.clock.ends.some((end) => end.seat === seat) || state?.turn === seat;
    write(plate.name, player.name + (seat === model.seat ? ` (${t("you")})` : ""));
    write(plate.score, line ? t("score", { score: line.score }) : "");
    write(plate.mark, markOf(model, seat, inDeal, online, acts, player, line));
    write(plate.deals, inDeal && state.seats.at(-1).seat === seat ? t("dealer_short") : "");
    put(plate.deals, "title", t("dealer"));
    put(plate.element, "class", [
      "seat", acts && "acts", !online && "away", inDeal?.outcome && "out", line && !line.still_in && "gone",
    ].filter(Boolean).join(" "));
    put(plate.element, "aria-current", acts ? "true" : null);
  }

  // Decks

  drawDecks(model) {
    const { state } = model;
    const paint = (place, key, make) => {
      if (place.dataset.key === key) return;
      place.dataset.key = key;
      place.replaceChildren(...make());
    };
    const wild = state?.wild_rank ?? "";
    const top = state?.open.at(-1);
    const slot = state?.finish_slot;
    const closed = this.find("closed");
    const count = state?.closed.length ?? 0;
    paint(this.find("closed-pile"), count ? "cards" : "none", () =>
      count ? [h("span", { class: "pc back" })] : [h("span", { class: "pc none" })]);
    write(this.find("closed-count"), state ? String(count) : "");
    put(closed, "aria-label", t("closed_spoken", { count }));
    paint(this.find("open-pile"), `${top}${wild}${state?.open.length > 1}`, () =>
      [face0(top, wild)]);
    put(this.find("open"), "aria-label", top ? t("open_spoken", { card: spoken(top, wild) }) : t("open_none"));
    paint(this.find("slot-pile"), `${slot}${wild}`, () => [face0(slot, wild)]);
    paint(this.find("wild-pile"), `${state?.wild_card}`, () => [face0(state?.wild_card, wild)]);
    write(this.find("wild-word"), state?.wild_card ? wildWord(state) : "");
    for (const [name, what] of [["closed", "draw_closed"], ["open", "draw_open"]]) {
      put(this.find(name), "aria-disabled", may(model, what) ? null : "true");
      this.find(name).classList.toggle("ready", may(model, what));
    }
    this.find("open").classList.toggle("takes", may(model, "discard"));
    this.find("slot").classList.toggle("takes", may(model, "finish"));
  }

  // What goes on

  /** @param {string} ask what is awaited @param {boolean} mine whether of me */
  say(ask, mine) {
    write(this.find("ask"), ask);
    this.find("status").classList.toggle("asks-me", mine);
  }

  /** A new last action, also in the log. */
  happened(sentence) {
    if (!sentence) return;
    write(this.find("last"), sentence);
    const log = this.find("log");
    log.prepend(h("li", { text: sentence }));
    while (log.children.length > 60) log.lastElementChild.remove();
  }

  tick(model, now) {
    for (const [seat, plate] of this.seats) {
      const time = timeOf(model, seat, now);
      put(plate.clock, "data-on", time !== null);
      if (!time) {
        write(plate.left, "");
        write(plate.extra, "");
        plate.ring.fill(0);
        continue;
      }
      const whole = wholeTime(model.state, seat) || time.left || 1;
      const part = time.isExtra ? time.left / time.extra : (time.left - time.extra) / whole;
      plate.ring.fill(Math.max(0, Math.min(1, part)));
      write(plate.left, String(Math.ceil((time.isExtra ? time.left : time.left - time.extra) / 1000)));
      write(plate.extra, time.isExtra ? t("extra") : "");
      plate.clock.classList.toggle("in-extra", time.isExtra);
      plate.clock.classList.toggle("urgent", time.left < URGENT_MS);
    }
  }

  // Beside the table

  drawScores({ board }) {
    const key = JSON.stringify([board.lines, board.deals, board.players.map((p) => p.name)]);
    const place = this.find("scores");
    if (place.dataset.key === key) return;
    place.dataset.key = key;
    const name = (seat) => board.players.find((p) => p.seat === seat)?.name ?? "";
    const lines = [...board.lines].sort((a, b) => a.place - b.place);
    const standing = (line) =>
      h("tr", { class: line.still_in ? "" : "gone" },
        h("td", { class: "number", text: String(line.place) }),
        h("th", { scope: "row", text: name(line.seat) }),
        h("td", { class: "number", text: String(line.score) }),
        h("td", { class: "number", text: !line.still_in ? t("is_out")
          : line.drops_left === null ? "" : String(line.drops_left) }));
    const seats = board.lines.map((line) => line.seat).sort((a, b) => a - b);
    const past = [...board.deals].reverse().map((deal) => {
      const points = new Map(deal);
      return h("tr", {}, ...seats.map((seat) =>
        h("td", { class: "number", text: points.has(seat) ? String(points.get(seat)) : "–" })));
    });
    const drops = board.lines.some((line) => line.drops_left !== null) ? t("drops_head") : "";
    place.replaceChildren(
      table([[t("place"), "number"], [t("player")], [t("score_head"), "number"], [drops, "number"]], lines.map(standing), t("standings")),
      past.length ? table(seats.map((seat) => [name(seat), "number"]), past, t("last_deals"))
        : h("p", { class: "empty", text: t("no_deals") }));
  }

  drawOpenCards(model) {
    const { state } = model;
    const place = this.find("open-cards");
    const key = `${model.deal}:${state?.discards.length}:${state?.open.length}`;
    if (place.dataset.key === key) return;
    place.dataset.key = key;
    const thrown = [...(state?.discards ?? [])].reverse();
    place.replaceChildren(...(thrown.length
      ? thrown.map(([seat, card]) =>
          h("li", {}, face(card, state.wild_rank), h("span", { text: nameOf(model, seat) })))
      : [h("li", { class: "empty", text: t("no_discards") })]));
  }

  drawTalk({ chat }) {
    const place = this.find("talk");
    const key = `${chat.length}:${chat.at(-1)?.at_ms}`;
    if (place.dataset.key === key) return;
    place.dataset.key = key;
    const atEnd = place.scrollTop + place.clientHeight >= place.scrollHeight - 8;
    place.replaceChildren(...(chat.length
      ? chat.map((line) => h("li", {}, h("b", { text: line.name }), " ", h("span", { text: line.text })))
      : [h("li", { class: "empty", text: t("no_talk") })]));
    if (atEnd) place.scrollTop = place.scrollHeight;
  }
}

const face0 = (card, wild) => (card ? face(card, wild) : h("span", { class: "pc none" }));

const wildWord = (state) =>
  state.wild_card === "JK" ? t("wild_aces") : t("wild_rank", { rank: state.wild_rank === "T" ? "10" : state.wild_rank });

function wholeTime(state, seat) {
  if (!state) return 0;
  const { turn_seconds: turn, declare_seconds: declare } = state.terms.clock;
  return 1000 * (state.phase === "draw" || state.phase === "discard" ? turn : declare);
}

function newPlate() {
  const part = (kind) => h("span", { class: kind });
  const clock = ring();
  const plate = {
    ring: clock, name: h("b", { class: "name" }), score: part("points"), mark: part("mark"),
    deals: part("deals"), left: part("left"), extra: part("extra"),
  };
  plate.clock = h("span", { class: "clock", role: "timer", "aria-live": "off" }, clock.svg, plate.left, plate.extra);
  plate.element = h("li", { class: "seat" }, plate.clock,
    h("span", { class: "plate" }, plate.name, plate.deals, plate.score, plate.mark));
  return plate;
}

function markOf(model, seat, inDeal, online, acts, player, line) {
  if (line && !line.still_in) return t("is_out");
  if (inDeal?.outcome && model.state.phase !== "over") {
    return t("out_with", { how: t(`outcome_${inDeal.outcome}`), points: inDeal.points });
  }
  if (!online) return acts ? t("away_acts") : t("away");
  if (acts) return t(model.state && ["finish", "show"].includes(model.state.phase) ? "declares" : "to_move");
  if (inDeal?.auto_drop) return t("auto_drop_on");
  return player.is_bot ? t("bot") : "";
}

const table = (heads, rows, caption) =>
  h("table", {}, h("caption", { text: caption }),
    h("thead", {}, h("tr", {}, ...heads.map(head))),
    h("tbody", {}, ...rows));

/** A heading of a column; one of numbers stands above their ends. */
const head = ([text, kind]) => h(text ? "th" : "td", text ? { scope: "col", class: kind, text } : {});

export { brief };
