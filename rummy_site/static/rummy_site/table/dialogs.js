// What is asked and explained in a dialog. `ask` shows one and promises the answer; a dialog that is
// overtaken by what happens at the table is closed without an answer.

import { groupLines, verdictOf } from "./rack.js";
import { face, h, many, t } from "./parts.js";

/** @type {{element: HTMLDialogElement, about: string} | null} */
let shown = null;

/** Show a dialog. The answer is the value of the button that was pressed, or null. One that nobody
 * has called for begins at its title and takes a button only: a key that was meant for the table
 * must neither answer it nor put it away.
 * @param {{about: string, title: string, body: Node[], buttons: {text: string, value: string,
 *   kind?: string}[], wide?: boolean, comesByItself?: boolean}} what */
export function ask({ about, title, body, buttons, wide = false, comesByItself = false }) {
  close();
  return new Promise((resolve) => {
    const button = ({ text, value, kind = "" }) => h("button", { type: "submit", value, class: kind, text });
    const element = h("dialog", { class: wide ? "dialog wide" : "dialog", "aria-labelledby": "dialog-title" },
      h("form", { method: "dialog" },
        h("h2", { id: "dialog-title", text: title, ...(comesByItself && { tabindex: -1, autofocus: true }) }),
        h("div", { class: "dialog-body" }, ...body),
        h("div", { class: "dialog-buttons" }, ...buttons.map(button))));
    if (comesByItself) element.addEventListener("cancel", (event) => event.preventDefault());
    element.addEventListener("close", () => {
      element.remove();
      if (shown?.element === element) shown = null;
      resolve(element.returnValue || null);
    });
    shown = { element, about };
    document.querySelector("#table").append(element);
    element.showModal();
  });
}

/** Close the dialog, or only one about something. */
export function close(about = shown?.about) {
  if (shown && shown.about === about) shown.element.close("");
}

const p = (text, kind = "") => h("p", { class: kind, text });
const no = (text) => ({ text, value: "", kind: "plain" });

/** Finish with this card? Says what the hand is, and what being wrong costs. */
export const askFinish = (card, layout, judged, state) =>
  ask({
    about: "turn",
    title: t("finish_title"),
    body: [
      h("p", {}, t("finish_with"), " ", face(card, state.wild_rank)),
      groupLines(layout, judged, state),
      p(judged.complete ? t("complete") : t("incomplete"), judged.complete ? "verdict good" : "verdict bad"),
      p(wrongCost(state)),
    ],
    buttons: [no(t("not_yet")), { text: t("finish"), value: "yes", kind: judged.complete ? "" : "danger" }],
  });

const wrongCost = ({ terms }) =>
  terms.profile.wrong_declaration_counts_hand ? t("wrong_costs_hand")
    : many("wrong_costs", terms.wrong_declaration);

/** Declare these groups? Every group is named. */
export const askDeclare = (layout, judged, state, isFinisher) =>
  ask({
    about: "declare",
    title: t("declare_title"),
    body: [
      groupLines(layout, judged, state),
      p(verdictOf(judged), judged.complete ? "verdict good" : "verdict"),
      ...(isFinisher && !judged.complete ? [p(wrongCost(state), "verdict bad")] : []),
    ],
    buttons: [no(t("arrange_more")), { text: t("declare"), value: "yes", kind: isFinisher && !judged.complete ? "danger" : "" }],
  });

export const askDrop = (points) =>
  ask({
    about: "turn", title: t("drop_title"), body: [p(many("drop_costs", points))],
    buttons: [no(t("play_on")), { text: t("drop"), value: "yes", kind: "danger" }],
  });

export const askLeave = () =>
  ask({
    about: "leave", title: t("leave_title"), body: [p(t("leave_costs"))],
    buttons: [no(t("stay")), { text: t("leave"), value: "yes", kind: "danger" }],
  });

/** Buy in again? With the total he comes back with, and the time to answer. */
export const askRejoin = (step, score) =>
  ask({
    about: "step", title: t("rejoin_title"), comesByItself: true,
    body: [
      p(many("rejoin_out", score)), p(many("rejoin_back", step.comes_back_with)), p(step.rejoin ? t("rejoin_costs", { amount: step.rejoin }) : t("rejoin_fee")),
      countdown(step.seconds),
    ],
    buttons: [{ text: t("rejoin_no"), value: "no", kind: "plain" }, { text: t("rejoin_yes"), value: "yes" }],
  });

export const askRebuy = (step) =>
  ask({
    about: "step", title: t("rebuy_title"), comesByItself: true,
    body: [p(many("rebuy_chips", step.chips)), countdown(step.seconds)],
    buttons: [{ text: t("rebuy_no"), value: "no", kind: "plain" }, { text: t("rebuy_yes"), value: "yes" }],
  });

/** Accept the split? With everybody's share of the pool, and its amount once the server has said it. */
export function askSplit(step, name, me, address) {
  const whole = step.weights.reduce((sum, [, weight]) => sum + weight, 0);
  const share = ([seat, weight]) =>
    h("li", { class: seat === me ? "me" : "", "data-seat": seat }, h("span", { text: name(seat) }),
      h("span", { text: t("share", { weight, whole, percent: Math.floor((1000 * weight) / whole) / 10 }) }));
  const lines = h("ul", { class: "lines shares" }, ...step.weights.map(share));
  tellAmounts(lines, address);
  return ask({
    about: "step", title: t("split_title"), comesByItself: true,
    body: [
      p(t("split_by", { name: name(step.offered_by) })),
      lines,
      p(t("split_all")), countdown(step.seconds),
    ],
    buttons: [{ text: t("split_no"), value: "no", kind: "plain" }, { text: t("split_yes"), value: "yes" }],
  });
}

async function tellAmounts(lines, address) {
  const answer = await fetch(address);
  const { shares } = answer.ok ? await answer.json() : { shares: {} };
  for (const line of lines.children) {
    const amount = shares[line.dataset.seat];
    if (amount) line.append(h("b", { text: amount }));
  }
}

/** "20 seconds to answer", running down while it is shown. */
function countdown(seconds) {
  const place = p(many("seconds_left", seconds), "left-to-answer");
  const end = performance.now() + 1000 * seconds;
  const timer = setInterval(() => {
    if (!place.isConnected) clearInterval(timer);
    place.textContent = many("seconds_left", Math.max(0, Math.ceil((end - performance.now()) / 1000)));
  }, 500);
  return place;
}

/** The result of a deal, as the server explains it. */
export async function showResult(address) {
  const body = h("div", { class: "result", "aria-busy": "true", text: t("loading") });
  const answer = ask({
    about: "result", title: t("result_title"), body: [body], wide: true,
    buttons: [{ text: t("go_on"), value: "ok" }],
  });
  try {
    const page = await fetch(address, { headers: { Accept: "text/html" } });
    if (!page.ok) throw new Error(String(page.status));
    body.innerHTML = await page.text();
  } catch {
    body.textContent = t("result_missing");
  }
  body.removeAttribute("aria-busy");
  return answer;
}

const KEYS = [
  ["←  →", "key_look"], ["↑  ↓", "key_groups"], ["Space", "key_choose"], ["Shift ←  →", "key_move"],
  ["C", "key_closed"], ["O", "key_open"], ["D", "key_discard"], ["F", "key_finish"],
  ["X", "key_declare"], ["G", "key_group"], ["U", "key_ungroup"], ["S", "key_sort"],
  ["T", "key_time"], ["H", "key_hint"], ["Esc", "key_escape"], ["?", "key_help"],
];

/** Keys and settings of this page. `settings` are {name, text, on, set}. */
export function showHelp(settings) {
  const key = ([keys, what]) => h("div", {}, h("dt", {}, h("kbd", { text: keys })), h("dd", { text: t(what) }));
  const setting = ({ name, text, on, set }) => {
    const box = h("input", { type: "checkbox", id: `set-${name}`, on: { change: (e) => set(e.target.checked) } });
    box.checked = on;
    return h("p", { class: "tick" }, box, h("label", { for: `set-${name}`, text }));
  };
  return ask({
    about: "help", title: t("help_title"), wide: true,
    body: [...settings.map(setting), p(t("help_pointer")), h("dl", { class: "keys" }, ...KEYS.map(key))],
    buttons: [{ text: t("close"), value: "ok" }],
  });
}
