// The table page put together: frames come in and change the model; gestures, keys and buttons become
// commands. Who decides is the server: a command that it refuses changes nothing here.

import { Board, nameOf } from "./board.js";
import * as dialogs from "./dialogs.js";
import { cardsOf, follow, groupsOf, laidOut, moved, NOTHING, placeOf, sorted, stepped } from "./hand.js";
import { hearKeys, hearPointer } from "./input.js";
import { Moves } from "./moves.js";
import { awaited, chime, h, lately, prefer, put, speak, spoken, t, told, write } from "./parts.js";
import { Rack } from "./rack.js";
import { TableSocket } from "./socket.js";
import { EMPTY, may, questionOf, reduce, seatOf } from "./state.js";

const SAVE_AFTER_MS = 250;
const TICK_MS = 250;

class Game {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.board = new Board(root);
    this.rack = new Rack(this.part("rack"));
    this.moves = new Moves(this);
    this.model = EMPTY;
    this.layout = NOTHING;
    this.layoutOf = "";
    this.selected = new Set();
    this.focus = "";
    this.fresh = "";
    this.gone = new Set();
    this.touched = "";
    this.saved = "";
    this.saving = 0;
    this.seenStep = "";
    this.chanceFor = "";
    this.name = (seat) => nameOf(this.model, seat);
    this.title = document.title;
    this.prices = JSON.parse(root.dataset.prices);
  }

  start() {
    this.take(JSON.parse(this.root.dataset.snapshot));
    this.board.happened(lately(this.model, this.name));
    this.socket = new TableSocket(this.root.dataset.socket, {
      frame: (frame) => this.take(frame),
      state: (state, code) => this.connection(state, code),
      known: () => ({ deal: this.model.deal, version: this.model.version }),
    });
    hearPointer(this.root, this.part("rack"), this);
    hearKeys(this.part("rack"), this);
    this.moves.hear();
    setInterval(() => this.tick(), TICK_MS);
    this.save();
    this.followStep();
  }

  get me() {
    const { state, seat } = this.model;
    return state && seat !== null ? seatOf(state, seat) : undefined;
  }

  get plays() {
    return Boolean(this.me) && this.me.outcome === null && this.model.state.phase !== "over";
  }

  get canArrange() {
    return this.plays && this.me.declared_by === null;
  }

  // What comes from the server

  take(frame) {
    const before = this.model;
    this.model = reduce(before, frame, performance.now());
    if (this.model.gap) this.socket.hello();
    if (frame.type === "refused") this.refused(frame);
    if (frame.type === "chat") this.announce(t("said", { name: frame.name, text: frame.text }));
    this.followHand(frame);
    this.draw();
    this.narrate();
    this.followTurn(before);
    this.followStep();
    this.giveChance();
  }

  /** My layout follows the hand: by snapshot as it was saved, by event card by card. */
  followHand(frame) {
    const { state, deal } = this.model;
    if (!this.plays || !this.me.hand.length) {
      if (!this.me) this.layout = NOTHING;
      return;
    }
    const fresh = deal !== this.layoutOf;
    if (fresh) {
      this.layoutOf = deal;
      this.layout = laidOut(this.me.hand, this.me.arranged);
      this.saved = JSON.stringify(this.me.arranged);
      this.selected.clear();
      if (!this.me.arranged.length) this.layout = sorted(this.layout);
    } else if (frame.type === "events" && this.arrangedElsewhere(frame)) {
      this.layout = laidOut(this.me.hand, this.me.arranged);
    } else this.layout = follow(this.layout, this.me.hand, this.touched);
    const ids = new Set(cardsOf(this.layout).map((held) => held.id));
    for (const id of this.selected) if (!ids.has(id)) this.selected.delete(id);
    if (!ids.has(this.focus)) this.focus = cardsOf(this.layout)[0]?.id ?? "";
    const drew = this.model.happened.find(({ event }) => event.kind === "card_drawn" && event.seat === this.model.seat);
    if (drew) this.fresh = this.layout.loose.at(-1)?.id ?? "";
    else if (state.turn !== this.model.seat) this.fresh = "";
    if (fresh && this.socket) this.save();
  }

  /** Another tab of mine has saved a grouping, and none of this one's is on its way to replace it. */
  arrangedElsewhere() {
    if (this.saving || this.socket.awaits("arrange")) return false;
    const last = this.model.happened.findLast(({ event }) =>
      event.kind === "hand_arranged" && event.seat === this.model.seat);
    return last && JSON.stringify(last.event.groups) !== this.saved;
  }

  narrate() {
    const sentences = this.model.happened
      .filter(({ event, before }) => event.kind !== "player_came_back" || this.wasAway(event.seat, before))
      .map(({ event }) => told(event, this.model.seat, this.name))
      .filter(Boolean);
    for (const sentence of sentences) this.board.happened(sentence);
    if (sentences.length) this.announce(sentences.join(" "));
    const ended = this.model.happened.find(({ event }) => event.kind === "deal_ended");
    for (const { event } of this.model.happened) {
      if (event.kind === "player_went_offline") this.gone.add(event.seat);
      else if (event.kind === "player_came_back") this.gone.delete(event.seat);
    }
    if (ended) chime("result");
    if (ended) dialogs.showResult(this.root.dataset.result.replace("DEAL", this.model.deal));
  }

  /** Who opens the table for the first time does not come back. */
  wasAway(seat, state) {
    const { misses, auto_drop: auto, drops_at_once: drops } = seatOf(state, seat);
    return this.gone.has(seat) || misses > 0 || auto || drops;
  }

  /** Say aloud when it becomes my turn, and close what is too late to ask. */
  followTurn(before) {
    const [now, mine] = awaited(this.model, this.name);
    const [then] = awaited(before, this.name);
    if (mine && now !== then) {
      this.announce(now, true);
      chime("turn");
    }
    if (now !== then) dialogs.close("turn");
    if (mine && now !== then) dialogs.close("result");
    if (!may(this.model, "declare")) dialogs.close("declare");
    document.title = mine ? `▶ ${t("your_turn")} · ${this.title}` : this.title;
  }

  /** What is asked between two deals, once: it stays as it is while others answer. */
  followStep() {
    const { board, seat } = this.model;
    const step = board?.step;
    const key = step?.seats?.includes(seat) && board.status === "asking" ? questionOf(step) : "";
    if (key === this.seenStep) return;
    this.seenStep = key;
    dialogs.close("step");
    if (!key) return;
    chime("asked");
    const due = { ...step, ...this.prices, seconds: Math.ceil((board.due_in_ms ?? 1000 * step.seconds) / 1000) };
    // One that no line is open for would be lost: the question comes back with the line.
    const answer = (send) => (value) => {
      if (value && this.socket.isOpen) send(value === "yes");
      else if (value) this.seenStep = "";
    };
    const score = board.lines.find((line) => line.seat === seat)?.score ?? 0;
    if (step.step === "await_rejoin") {
      dialogs.askRejoin(due, score).then(answer((yes) => this.socket.send({ type: "rejoin", yes })));
    } else if (step.step === "await_rebuy") {
      dialogs.askRebuy(due).then(answer((yes) => this.socket.send({ type: "rejoin", yes })));
    } else if (step.step === "await_split") {
      dialogs.askSplit(due, this.name, seat, this.root.dataset.shares)
        .then(answer((accepts) => this.socket.send({ type: "answer_split", accepts })));
    }
  }

  /** My own chance in the next shuffle, once its secret is committed to. */
  giveChance() {
    const committed = this.model.board?.next_commitment;
    if (this.model.seat === null || !this.socket?.isOpen || committed === this.chanceFor) return;
    this.chanceFor = committed;
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    this.socket.send({ type: "nonce", text: [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("") });
  }

  refused({ code, sentence, snapshot }) {
    if (code === "already_so" || (snapshot && code === "not_your_turn")) return;
    this.notice(sentence);
    if (["muted", "too_fast"].includes(code)) write(this.part("chat-error"), sentence);
    if (!snapshot && this.canArrange) this.saved = "";
  }

  connection(state, code) {
    // An answer may have got lost with it: what is still asked then is asked again.
    if (state === "lost") this.seenStep = "";
    const banner = this.part("banner");
    const was = banner.dataset.state;
    put(banner, "data-state", state === "open" ? null : state);
    const text = state === "lost" ? t("lost") : state === "closed" ? t(code === 4401 ? "logged_out" : "gone") : "";
    write(banner, text);
    put(this.part("sign"), "data-state", state);
    write(this.part("sign"), t(state === "open" ? "connected" : "not_connected"));
    if (state === "open" && was === "lost") this.announce(t("connected_again"));
  }

  // What is drawn

  draw() {
    const { model } = this;
    this.board.draw(model);
    this.board.say(...awaited(model, this.name));
    if (this.me && this.layout !== NOTHING && cardsOf(this.layout).length && model.state.phase !== "over") {
      this.rack.draw({ ...this, state: model.state });
    } else this.rack.clear(t(model.seat === null ? "looking_on" : "no_hand"));
    this.part("rack").classList.toggle("idle", !this.canArrange);
    this.drawButtons();
  }

  drawButtons() {
    const { model } = this;
    const one = this.selected.size === 1 ? this.chosenCard : undefined;
    const able = {
      sort: this.canArrange, group: this.canArrange && this.selected.size > 1,
      ungroup: this.canArrange && this.layout.groups.length > 0,
      discard: may(model, "discard", one), finish: may(model, "finish", one),
      declare: may(model, "declare"), drop: may(model, "drop"), hint: this.canArrange,
    };
    for (const button of this.root.querySelectorAll("[data-do]")) {
      const name = button.dataset.do;
      if (name in able) button.disabled = !able[name];
    }
    const declares = may(model, "declare");
    this.part("declare")?.classList.toggle("primary", declares);
    const away = may(model, "come_back") && (this.me?.auto_drop || this.me?.drops_at_once);
    this.part("back").hidden = !away;
    this.moves.drawSplit();
    const auto = this.part("auto-drop");
    if (!auto) return;
    auto.disabled = !may(model, "auto_drop");
    auto.checked = Boolean(this.me?.auto_drop);
  }

  tick() {
    this.board.tick(this.model, performance.now());
    const { board, boardAt } = this.model;
    const due = board?.due_in_ms;
    const left = due === null || due === undefined || board.status === "playing" ? null
      : Math.max(0, Math.ceil((due - (board.paused ? 0 : performance.now() - boardAt)) / 1000));
    write(this.part("due"), left ? t("in_seconds", { seconds: left }) : "");
  }

  announce(sentence, urgent = false) {
    const place = this.part(urgent ? "say-now" : "say");
    place.append(h("p", { text: sentence }));
    while (place.children.length > 8) place.firstElementChild.remove();
  }

  notice(sentence) {
    const place = this.part("notice");
    write(place, sentence);
    clearTimeout(this.noticeTimer);
    this.noticeTimer = setTimeout(() => write(place, ""), 6000);
  }

  // What I do with my cards

  /** The one card that is meant: chosen, or under the keys. Never one that nobody pointed at. */
  get chosen() {
    if (this.selected.size === 1) return [...this.selected][0];
    return this.selected.size ? "" : (document.activeElement?.dataset.id ?? "");
  }

  get chosenCard() {
    return cardsOf(this.layout).find((held) => held.id === this.chosen)?.card;
  }

  carried(id) {
    return this.selected.has(id) ? [...this.selected] : [id];
  }

  choose(id) {
    if (this.selected.has(id)) this.selected.delete(id);
    else this.selected.add(id);
    this.focus = id;
    this.draw();
    this.rack.focus(id);
  }

  unselect() {
    this.selected.clear();
    this.draw();
  }

  /** The keys go to my hand from wherever they were. */
  enter() {
    this.rack.focus(this.focus);
  }

  look(id, by) {
    const all = cardsOf(this.layout);
    const at = all.findIndex((held) => held.id === id);
    const rows = [...this.layout.groups, this.layout.loose].filter((row) => row.length);
    const row = rows.findIndex((cards) => cards.some((held) => held.id === id));
    const to = {
      first: all[0], last: all.at(-1), up: rows[row - 1]?.[0], down: rows[row + 1]?.[0],
    }[by] ?? all[Math.max(0, Math.min(all.length - 1, at + by))];
    if (!to) return;
    this.focus = to.id;
    this.draw();
    this.rack.focus(to.id);
  }

  step(id, by) {
    if (!this.canArrange) return;
    this.focus = id;
    this.change(stepped(this.layout, id, by));
    this.rack.focus(id);
    const place = placeOf(this.layout, id);
    const row = place.to === "loose" ? t("loose_empty") : t("group_number", { number: place.row + 1 });
    const { card } = cardsOf(this.layout).find((held) => held.id === id);
    this.announce(t("moved_to", { card: spoken(card), row, place: place.at + 1 }));
  }

  dropped(id, over) {
    if (over.deck) {
      const card = cardsOf(this.layout).find((held) => held.id === id);
      if (over.deck === "finish") this.moves.finish(card);
      else this.moves.discard(card);
    } else if (this.canArrange) {
      const to = over.to === "new" || over.to === "loose" ? over.to : Number(over.to);
      const ids = new Set(this.carried(id));
      this.selected.clear();
      this.change(moved(this.layout, ids, to, over.at));
    }
  }

  change(layout) {
    this.layout = layout;
    this.draw();
    this.save();
  }

  /** Save the grouping soon; several changes at once are saved together. */
  save() {
    clearTimeout(this.saving);
    this.saving = 0;
    if (!this.canArrange || !this.layout.groups.length) return;
    if (JSON.stringify(groupsOf(this.layout)) === this.saved) return;
    this.saving = setTimeout(() => {
      this.saving = 0;
      if (!this.canArrange) return;
      const groups = groupsOf(this.layout).filter((group) => group.length <= 13);
      this.saved = JSON.stringify(groups);
      this.socket.send({ type: "arrange", groups });
    }, SAVE_AFTER_MS);
  }

  press(name) {
    this.moves.press(name);
  }
}

const root = document.querySelector("#table");
prefer(root);
speak(JSON.parse(root.dataset.texts), document.documentElement.lang);
const game = new Game(root);
game.start();
