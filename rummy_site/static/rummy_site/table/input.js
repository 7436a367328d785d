// Hands on the table: cards dragged, touched and clicked by pointer, and the keys. Knows elements and
// distances; what a gesture means is told to `app`, which decides.

import { chosen } from "./parts.js";

const DRAG_PX = 7;
const NEAR_PX = 60;

/** Dragging and choosing in the rack.
 * @param {HTMLElement} root the table @param {HTMLElement} rack @param {object} app */
export function hearPointer(root, rack, app) {
  let drag = null;

  rack.addEventListener("pointerdown", (event) => {
    const card = event.target.closest("[data-id]");
    if (!card || event.button > 0 || drag) return;
    drag = {
      id: card.dataset.id, card, pointer: event.pointerId, x: event.clientX, y: event.clientY,
      ghost: null, over: null,
    };
    card.setPointerCapture?.(event.pointerId);
  });

  rack.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.ghost && Math.hypot(dx, dy) < DRAG_PX) return;
    if (!drag.ghost) lift(drag, app.carried(drag.id));
    drag.ghost.style.transform = `translate(${dx}px, ${dy}px)`;
    mark(drag, placeAt(root, rack, event, drag));
  });

  const end = (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    const { id, ghost, over } = drag;
    mark(drag, null);
    if (ghost) {
      ghost.remove();
      rack.classList.remove("dragging");
      for (const element of rack.querySelectorAll(".lifted")) element.classList.remove("lifted");
    }
    drag = null;
    if (event.type === "pointercancel") return;
    if (!ghost) app.choose(id);
    else if (over) app.dropped(id, over);
  };
  rack.addEventListener("pointerup", end);
  rack.addEventListener("pointercancel", end);
  rack.addEventListener("dragstart", (event) => event.preventDefault());

  function lift(one, ids) {
    one.ghost = document.createElement("div");
    one.ghost.className = "ghost";
    one.ghost.setAttribute("aria-hidden", "true");
    const box = one.card.getBoundingClientRect();
    one.ghost.style.left = `${box.left}px`;
    one.ghost.style.top = `${box.top}px`;
    for (const id of ids) {
      const card = rack.querySelector(`[data-id="${id}"]`);
      card.classList.add("lifted");
      const copy = card.cloneNode(true);
      for (const name of ["id", "data-id", "tabindex", "role"]) copy.removeAttribute(name);
      copy.classList.remove("lifted");
      one.ghost.append(copy);
    }
    one.ghost.style.setProperty("--w", `${box.width}px`);
    rack.classList.add("dragging");
    root.append(one.ghost);
  }
}

/** Where a drop would go: {deck: "discard"|"finish"} or {to, at, element}. */
function placeAt(root, rack, event, drag) {
  const { clientX: x, clientY: y } = event;
  const within = (box, slack = 0) =>
    x >= box.left - slack && x <= box.right + slack && y >= box.top - slack && y <= box.bottom + slack;
  for (const deck of root.querySelectorAll("[data-drop]")) {
    if (within(deck.getBoundingClientRect(), 12)) {
      return deck.classList.contains("takes") ? { deck: deck.dataset.drop, element: deck } : null;
    }
  }
  for (const group of rack.querySelectorAll(".group")) {
    if (!within(group.getBoundingClientRect(), 4)) continue;
    const cards = [...group.querySelectorAll("[data-id]")].filter((card) => card !== drag.card);
    const at = cards.filter((card) => {
      const box = card.getBoundingClientRect();
      return x > box.left + Math.min(box.width, 48) / 2;
    }).length;
    const skipped = group.contains(drag.card)
      && [...group.querySelectorAll("[data-id]")].indexOf(drag.card) < at ? 1 : 0;
    return { to: group.dataset.to, at: at + skipped, element: group };
  }
  const box = rack.getBoundingClientRect();
  return within(box, NEAR_PX) && y > box.top - 20 ? { to: "new", element: rack } : null;
}

function mark(drag, over) {
  if (drag.over?.element !== over?.element) {
    drag.over?.element.classList.remove("over");
    over?.element.classList.add("over");
  }
  drag.over = over;
}

const LETTERS = {
  c: "draw_closed", o: "draw_open", d: "discard", f: "finish", g: "group", u: "ungroup", s: "sort",
  x: "declare", t: "time", h: "hint",
};

/** The keys. Letters act while nothing is being typed and no dialog is open. */
export function hearKeys(rack, app) {
  rack.addEventListener("keydown", (event) => {
    const card = event.target.closest("[data-id]");
    if (!card || event.ctrlKey || event.metaKey) return;
    const moves = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: "up", ArrowDown: "down", Home: "first", End: "last" };
    if (event.key in moves) {
      const by = moves[event.key];
      if ((event.shiftKey || event.altKey) && typeof by === "number") app.step(card.dataset.id, by);
      else app.look(card.dataset.id, by);
    } else if (event.key === " " || event.key === "Enter") app.choose(card.dataset.id);
    else return;
    event.preventDefault();
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest("input, textarea, select, dialog, [contenteditable]")) return;
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      if (event.target.closest("[role=tab], [data-id]")) return;
      app.enter();
    } else if (event.key === "Escape") app.unselect();
    else if (event.key === "?") app.press("help");
    else if (chosen("letters") && LETTERS[event.key.toLowerCase()]) app.press(LETTERS[event.key.toLowerCase()]);
    else return;
    event.preventDefault();
  });
}
