// The table's socket: connects, says hello with what is known, comes back by itself, and sends a
// command again that was not answered when the connection went. docs/protocol.md is its contract.

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 8_000;
const FOR_GOOD = new Set([4404, 4401]);
const SILENT = new Set(["hello", "chat", "nonce", "rejoin", "offer_split", "answer_split"]);

/**
 * @typedef {object} Hearers
 * @property {(frame: object) => void} frame
 * @property {(state: "open"|"lost"|"closed", code: number) => void} state
 * @property {() => {deal: string, version: number}} known
 */

export class TableSocket {
  /** @param {string} address path of the socket @param {Hearers} hearers */
  constructor(address, hearers) {
    this.address = address;
    this.hearers = hearers;
    this.unanswered = new Map();
    this.wait = FIRST_WAIT_MS;
    this.count = 0;
    // A page that is opened again must not use an id that it has used.
    this.prefix = crypto.getRandomValues(new Uint32Array(1))[0].toString(36);
    this.later = 0;
    window.addEventListener("online", () => this.again());
    document.addEventListener("visibilitychange", () => document.hidden || this.again());
    this.open();
  }

  open() {
    const url = new URL(this.address, location.href);
    url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.wait = FIRST_WAIT_MS;
      this.hello();
      for (const frame of this.unanswered.values()) this.post(frame);
      this.hearers.state("open", 0);
    });
    socket.addEventListener("message", ({ data }) => this.take(JSON.parse(data)));
    socket.addEventListener("close", ({ code }) => this.lost(code));
  }

  lost(code) {
    if (FOR_GOOD.has(code)) {
      this.hearers.state("closed", code);
      return;
    }
    this.hearers.state("lost", code);
    clearTimeout(this.later);
    this.later = setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(LONGEST_WAIT_MS, this.wait * 2);
  }

  /** Try at once, if it is not connected. */
  again() {
    if (this.socket.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.later);
    this.open();
  }

  get isOpen() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** Whether a command of this type has no answer yet. */
  awaits(type) {
    return [...this.unanswered.values()].some((frame) => frame.type === type);
  }

  hello() {
    this.post({ type: "hello", ...this.hearers.known() });
  }

  take(frame) {
    if (frame.type === "done" || frame.type === "refused") this.unanswered.delete(frame.id);
    this.hearers.frame(frame);
  }

  post(frame) {
    if (this.isOpen) this.socket.send(JSON.stringify(frame));
  }

  /** Send a frame; a command gets an id and is kept until it is answered. Gives the id. */
  send(frame) {
    if (SILENT.has(frame.type)) {
      this.post(frame);
      return "";
    }
    this.count += 1;
    const id = `${this.prefix}-${this.count}`;
    // It is for this deal: sent again later, it must do nothing in the next one.
    const { deal, version } = this.hearers.known();
    const whole = { ...frame, id, seen: version, deal };
    this.unanswered.set(id, whole);
    this.post(whole);
    return id;
  }
}
