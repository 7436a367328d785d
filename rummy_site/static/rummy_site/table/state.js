// What this viewer knows of the table: `reduce(model, frame, at)` gives the model after a frame.
// Nothing is decided here and nothing drawn. `evolve` applies an event as tables/rules/evolve.py
// does; tests compare the two event by event.

/**
 * @typedef {object} Model
 * @property {number|null} seat mine, null for who looks on
 * @property {string} deal
 * @property {number} version
 * @property {object|null} state the deal as I may know it
 * @property {object[]} legal what my seat may send now
 * @property {{ends: {seat: number, left_ms: number, extra_ms: number}[], paused: boolean}} clock
 * @property {number} clockAt when that clock arrived, by performance.now()
 * @property {object|null} board the match between deals
 * @property {number} boardAt when the board arrived
 * @property {object[]} chat
 * @property {{event: object, before: object}[]} happened by the last frame
 * @property {boolean} gap events are missing: say hello
 */

const HIDDEN = "??";

/** @type {Model} */
export const EMPTY = {
  seat: null, deal: "", version: 0, state: null, legal: [], clock: { ends: [], paused: false },
  clockAt: 0, board: null, boardAt: 0, chat: [], happened: [], gap: false,
};

/** @param {Model} model @param {object} frame @param {number} at @returns {Model} */
export function reduce(model, frame, at) {
  const quiet = { ...model, happened: [], gap: false };
  switch (frame.type) {
    case "snapshot":
      return {
        ...quiet, seat: frame.seat, deal: frame.deal, version: frame.version, state: frame.state,
        legal: frame.legal, clock: frame.clock, clockAt: at, board: frame.scoreboard, boardAt: at,
        chat: frame.chat,
      };
    case "events":
      return withEvents(quiet, frame, at);
    case "scoreboard":
      return { ...quiet, board: frame, boardAt: at };
    case "chat":
      return { ...quiet, chat: [...model.chat, frame].slice(-50) };
    case "refused":
      return frame.snapshot ? reduce(quiet, frame.snapshot, at) : quiet;
    default:
      return quiet;
  }
}

function withEvents(model, frame, at) {
  const first = frame.version - frame.events.length;
  if (frame.deal !== model.deal || first > model.version || !model.state) {
    return { ...model, gap: true };
  }
  const happened = [];
  let state = model.state;
  for (const event of frame.events.slice(model.version - first)) {
    happened.push({ event, before: state });
    state = evolve(state, event);
  }
  return {
    ...model, state, version: state.version, legal: frame.legal, clock: frame.clock, clockAt: at,
    happened,
  };
}

export const seatOf = (state, seat) => state.seats.find((s) => s.seat === seat);

const withSeat = (state, seat, change) =>
  state.seats.map((s) => (s.seat === seat ? { ...s, ...change(s) } : s));

function less(hand, card) {
  const at = hand.includes(card) ? hand.indexOf(card) : hand.indexOf(HIDDEN);
  return hand.filter((_, i) => i !== at);
}

const more = (hand, card) => [...hand, hand.includes(HIDDEN) ? HIDDEN : card];

function extraLeft(state, seat, at, seconds) {
  const over = Math.min(at, seat.until || at) - state.turn_at - 1000 * seconds;
  return over <= 0 ? seat.extra_ms : Math.max(0, seat.extra_ms - over);
}

const turnSeconds = (state) => state.terms.clock.turn_seconds;
const declareSeconds = (state) => state.terms.clock.declare_seconds;

function isAutoPlayed(state, seat) {
  const profile = state.terms.profile;
  if (seat.online || profile.absence !== "auto_play") return false;
  return profile.auto_play_turns === null || seat.auto_turns < profile.auto_play_turns;
}

/** What each kind of event changes in a deal. */
const CHANGES = {
  toss_made: (s, e) => ({ seats: e.toss.map(([seat]) => seatOf(s, seat)) }),
  cards_dealt: (s, e) => {
    const dealt = new Map(e.hands);
    return {
      seats: s.seats.map((seat) => ({ ...seat, hand: dealt.get(seat.seat) })),
      wild_card: e.wild_card, wild_rank: e.wild_card === "JK" ? "A" : e.wild_card[0],
      open: [e.open_card], closed: e.closed, phase: "draw",
    };
  },
  turn_started: (s, e) => ({
    first_turn: s.turn === null && e.seat === s.seats[0].seat,
    seats: withSeat(s, e.seat, (seat) => ({ until: e.until, turns: seat.turns + 1 })),
    phase: "draw", turn: e.seat, turn_at: e.at, drawn: null, taken: null,
  }),
  deck_reshuffled: (s, e) => ({
    closed: e.closed, open: s.open.slice(-1), reshuffles: s.reshuffles + 1,
  }),
  card_drawn: (s, e) => ({
    seats: withSeat(s, e.seat, (seat) => ({ hand: more(seat.hand, e.card), drew: true })),
    drawn: e.card, phase: "discard",
    ...(e.deck === "open"
      ? { open: s.open.slice(0, -1), taken: e.card }
      : { closed: s.closed.slice(1) }),
  }),
  card_discarded: (s, e) => ({
    seats: withSeat(s, e.seat, (seat) => ({
      hand: less(seat.hand, e.card), until: null, misses: e.forced ? seat.misses : 0,
      auto_turns: seat.auto_turns + (e.forced && isAutoPlayed(s, seat) ? 1 : 0),
      extra_ms: extraLeft(s, seat, e.at, turnSeconds(s)),
    })),
    open: [...s.open, e.card], discards: [...s.discards, [e.seat, e.card]], first_turn: false,
  }),
  turn_missed: (s, e) => ({
    seats: withSeat(s, e.seat, (seat) => ({
      misses: seat.misses + 1, until: null, extra_ms: extraLeft(s, seat, e.at, turnSeconds(s)),
    })),
    first_turn: false,
  }),
  player_went_out: (s, e) => ({
    seats: withSeat(s, e.seat, () => ({
      outcome: e.outcome, points: e.points, left: e.cause === "left", until: null,
    })),
    ...(e.seat === s.finisher && s.finish_slot !== null
      ? {
          finisher: null, finish_slot: null, open: [...s.open, s.finish_slot],
          discards: [...s.discards, [e.seat, s.finish_slot]],
        }
      : {}),
  }),
  card_finished: (s, e) => ({
    seats: withSeat(s, e.seat, (seat) => ({
      hand: less(seat.hand, e.card), until: e.until, misses: 0,
      extra_ms: extraLeft(s, seat, e.at, turnSeconds(s)),
    })),
    phase: "finish", finisher: e.seat, finish_slot: e.card, turn_at: e.at, first_turn: false,
  }),
  hand_arranged: (s, e) => ({ seats: withSeat(s, e.seat, () => ({ arranged: e.groups })) }),
  hand_declared: (s, e) => ({
    seats: withSeat(s, e.seat, (seat) => ({
      declared: e.groups, declared_by: e.cause, left: e.cause === "left", until: null,
      extra_ms: extraLeft(s, seat, e.at, declareSeconds(s)),
    })),
  }),
  limit_reached: (s) => ({
    seats: s.seats.map((seat) => ({ ...seat, until: null })), turn: null, drawn: null, taken: null,
  }),
  show_opened: (s, e) => {
    const until = new Map(e.until);
    return {
      seats: s.seats.map((seat) => ({ ...seat, until: until.get(seat.seat) ?? null })),
      phase: "show", turn_at: e.at,
    };
  },
  auto_drop_set: (s, e) => ({
    seats: withSeat(s, e.seat, () =>
      e.on ? { auto_drop: true } : { auto_drop: false, drops_at_once: false },
    ),
  }),
  player_went_offline: (s, e) => ({ seats: withSeat(s, e.seat, () => ({ online: false })) }),
  player_came_back: (s, e) => ({
    seats: withSeat(s, e.seat, () => ({
      online: true, auto_drop: false, drops_at_once: false,
      ...(e.until === null ? {} : { until: e.until }),
    })),
    ...(e.until === null ? {} : { turn_at: e.at }),
  }),
  clock_shifted: (s, e) => ({
    seats: s.seats.map((seat) => ({
      ...seat, until: seat.until === null ? null : seat.until + e.by_ms,
    })),
    turn_at: s.turn_at + e.by_ms, opened_at: s.opened_at + e.by_ms,
  }),
  deal_ended: (s, e) => ({ ...revealed(s, e, e.result.scores), result: e.result }),
  deal_voided: (s, e) => revealed(s, e, []),
};

function revealed(state, event, scores) {
  const shown = new Map(event.revealed.map((cards) => [cards.seat, cards]));
  const counted = new Map(scores.map((score) => [score.seat, score]));
  return {
    seats: state.seats.map((seat) => {
      const { hand, arranged, declared } = shown.get(seat.seat);
      const score = counted.get(seat.seat);
      const ending = score ? { outcome: score.outcome, points: score.points } : {};
      return { ...seat, hand, arranged, declared, until: null, ...ending };
    }),
    phase: "over", turn: null, closed: event.closed, secret: event.secret, drawn: null,
    taken: null,
  };
}

/** The deal after one more event, in the order the server gave them. */
export function evolve(state, event) {
  const change = CHANGES[event.kind];
  return { ...state, ...(change ? change(state, event) : {}), version: state.version + 1 };
}

/** What my seat may do now: `may(model, "discard")`, or with a card. */
export const may = (model, what, card) =>
  model.legal.some((move) => move.do === what && (card === undefined || move.card === card));

/** Milliseconds left of a seat's time now, how many are extra, or null when none runs. */
export function timeOf(model, seat, now) {
  const end = model.clock.ends.find((e) => e.seat === seat);
  if (!end) return null;
  const gone = model.clock.paused || model.board?.paused ? 0 : now - model.clockAt;
  const left = Math.max(0, end.left_ms - gone);
  return { left, extra: end.extra_ms, isExtra: end.extra_ms > 0 && left < end.extra_ms };
}

/** What a step asks, the same while others answer it: neither who still has to, nor for how long. */
export function questionOf(step) {
  const { seats: _seats, seconds: _seconds, ...asked } = step;
  return JSON.stringify(asked);
}
