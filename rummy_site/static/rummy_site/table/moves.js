// What I do with buttons and keys: each becomes a command, asked about first where it may cost something.

import * as dialogs from "./dialogs.js";
import { apart, cardsOf, groupsOf, judge, laidOut, moved, sorted } from "./hand.js";
import { awaited, brief, CHOICES, choose, chosen, put, t, write } from "./parts.js";
import { may, timeOf } from "./state.js";

export class Moves {
  /** @param {object} game the table, whose hand and model these act on */
  constructor(game) {
    this.game = game;
  }

  /** Buttons, the talk and the tabs beside the table. */
  hear() {
    this.game.root.addEventListener("click", (event) => {
      const button = event.target.closest("[data-do]");
      if (button && !button.disabled) this.press(button.dataset.do);
    });
    this.game.part("auto-drop")?.addEventListener("change", ({ target }) =>
      this.game.socket.send({ type: "auto_drop", on: target.checked }));
    this.game.part("chat")?.addEventListener("submit", (event) => {
      event.preventDefault();
      const field = event.target.elements.text;
      const text = field.value.trim();
      const { isOpen } = this.game.socket;
      write(this.game.part("chat-error"), isOpen ? "" : t("not_connected"));
      if (!text || !isOpen) return; // what is typed stays, to be said then
      this.game.socket.send({ type: "chat", text });
      field.value = "";
    });
    for (const tab of this.game.root.querySelectorAll("[role=tab]")) {
      tab.addEventListener("click", () => this.turnTo(tab));
      tab.addEventListener("keydown", (event) => this.alongTabs(event, tab));
    }
  }

  alongTabs(event, tab) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    const tabs = [...this.game.root.querySelectorAll("[role=tab]")];
    const next = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length];
    this.turnTo(next);
    next.focus();
  }

  turnTo(tab) {
    for (const other of this.game.root.querySelectorAll("[role=tab]")) {
      const on = other === tab;
      put(other, "aria-selected", String(on));
      put(other, "tabindex", on ? "0" : "-1");
      document.getElementById(other.getAttribute("aria-controls")).hidden = !on;
    }
  }

  press(name) {
    const held = cardsOf(this.game.layout).find((one) => one.id === this.game.chosen);
    const does = {
      draw_closed: () => this.draws("draw_closed"),
      draw_open: () => this.draws("draw_open"),
      open_deck: () => (may(this.game.model, "discard")
        ? this.withOne(held, (one) => this.discard(one)) : this.draws("draw_open")),
      discard: () => this.withOne(held, (one) => this.discard(one)),
      finish: () => this.withOne(held, (one) => this.finish(one)),
      declare: () => this.declare(),
      drop: () => this.drop(),
      sort: () => this.game.canArrange && this.game.change(sorted(this.game.layout)),
      group: () => this.group(),
      ungroup: () => this.withOne(held, (one) => this.game.canArrange && this.game.change(apart(this.game.layout, one.id))),
      back: () => this.game.socket.send({ type: "back" }),
      leave: async () => (await dialogs.askLeave()) && this.game.socket.send({ type: "leave" }),
      offer_split: () => this.offerSplit(),
      side: () => this.game.root.classList.toggle("side-open"),
      help: () => this.help(),
      time: () => this.sayTime(),
      hint: () => this.hint(),
    };
    does[name]?.();
  }

  withOne(held, act) {
    if (held) act(held);
    else this.game.notice(t("choose_one"));
  }

  draws(what) {
    if (may(this.game.model, what)) this.game.socket.send({ type: what });
    else this.game.notice(awaited(this.game.model, this.game.name)[0]);
  }

  discard(held) {
    if (!held || this.game.selected.size > 1) return;
    if (!may(this.game.model, "discard", held.card)) {
      this.game.notice(may(this.game.model, "discard") ? t("just_taken", { card: brief(held.card) }) : awaited(this.game.model, this.game.name)[0]);
      return;
    }
    this.game.touched = held.id;
    this.game.socket.send({ type: "discard", card: held.card });
  }

  async finish(held) {
    if (!held || this.game.selected.size > 1 || !may(this.game.model, "finish", held.card)) return;
    const layout = without(this.game.layout, held.id);
    if (!(await dialogs.askFinish(held.card, layout, this.judged(layout), this.game.model.state))) return;
    if (!may(this.game.model, "finish", held.card)) return;
    this.game.touched = held.id;
    this.game.socket.send({ type: "finish", card: held.card });
  }

  async declare() {
    const { state, seat } = this.game.model;
    if (!may(this.game.model, "declare")) return;
    const isFinisher = state.phase === "finish" && state.finisher === seat;
    const groups = groupsOf(this.game.layout);
    if (!(await dialogs.askDeclare(this.game.layout, this.judged(this.game.layout), state, isFinisher))) return;
    clearTimeout(this.game.saving);
    this.game.socket.send({ type: "declare", groups });
  }

  async drop() {
    if (!may(this.game.model, "drop")) return;
    const { terms } = this.game.model.state;
    const points = this.game.me.drew ? terms.middle_drop : terms.first_drop;
    if (await dialogs.askDrop(points)) this.game.socket.send({ type: "drop" });
  }

  group() {
    if (!this.game.canArrange || this.game.selected.size < 2) return;
    const ids = new Set(this.game.selected);
    this.game.selected.clear();
    this.game.change(moved(this.game.layout, ids, "new"));
    this.game.rack.focus(this.game.focus);
  }

  judged(layout) {
    const { state } = this.game.model;
    return judge(groupsOf(layout), layout.loose.map((x) => x.card), state.wild_rank, state.terms.profile);
  }

  /** Ask the server for the groups that leave the fewest points, where the table allows it. */
  async hint() {
    if (!this.game.root.dataset.hint || !this.game.canArrange) return;
    const answer = await fetch(this.game.root.dataset.hint);
    if (!answer.ok || !this.game.canArrange) return;
    const { groups } = await answer.json();
    this.game.selected.clear();
    this.game.change(laidOut(this.game.me.hand, groups));
    this.game.announce(t("hinted"));
  }

  // A split is offered between two deals, which is soon over; so it can be chosen in the deal before.

  /** When I could offer a split: "now", "later" (when this deal is over), or "" for not at all. */
  get splitTime() {
    const { board, seat } = this.game.model;
    const left = board?.lines.filter((line) => line.still_in) ?? [];
    const few = [2, 3].includes(left.length) && board.lines.length > left.length;
    if (!few || board.paused || !left.some((line) => line.seat === seat)) return "";
    return { playing: "later", dealing: board.deals.length ? "now" : "" }[board.status] ?? "";
  }

  offerSplit() {
    if (this.splitTime === "now" && !this.game.socket.isOpen) this.game.notice(t("not_connected"));
    else if (this.splitTime === "now") this.game.socket.send({ type: "offer_split" });
    else if (this.splitTime === "later") this.splitsAfter = this.splitsAfter ? 0 : this.game.model.board.entries;
    this.drawSplit();
  }

  /** The button says what it would do; what was chosen in a deal is done once that deal is over. */
  drawSplit() {
    const button = this.game.part("split");
    if (!button) return;
    const when = this.splitTime;
    if (when && !this.splitTold) {
      this.splitTold = true;
      this.game.board.happened(t("split_open"));
      this.game.announce(t("split_open"));
    }
    if (when === "now" && this.splitsAfter) {
      this.splitsAfter = 0;
      this.game.socket?.send({ type: "offer_split" });
    }
    button.hidden = !when;
    put(button, "aria-pressed", when === "later" ? String(Boolean(this.splitsAfter)) : null);
    write(button, t(when === "now" ? "split_offer" : this.splitsAfter ? "split_comes" : "split_later"));
  }

  sayTime() {
    const [sentence] = awaited(this.game.model, this.game.name);
    const times = this.game.model.clock.ends.map((end) => {
      const { left } = timeOf(this.game.model, end.seat, performance.now());
      return t("time_of", { name: this.game.name(end.seat), seconds: Math.ceil(left / 1000) });
    });
    this.game.announce([sentence, ...times].join(" "), true);
  }

  /** Keys, and what this player wants here; his profile has what he wants everywhere. */
  help() {
    dialogs.showHelp(CHOICES.map((name) => ({
      name, text: t(`set_${name}`), on: chosen(name), set: (on) => choose(name, on),
    })));
  }
}

const without = (layout, id) => ({
  groups: layout.groups.map((group) => group.filter((x) => x.id !== id)).filter((group) => group.length),
  loose: layout.loose.filter((x) => x.id !== id),
});
