// The organisers' pages: a print button, and the time zone of who has chosen none.
for (const button of document.querySelectorAll("[data-print]")) {
  button.addEventListener("click", () => window.print());
}
// Browsers still say some cities' old names.
const CALLED = {
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
};
const told = Intl.DateTimeFormat().resolvedOptions().timeZone;
const here = CALLED[told] ?? told;
const two = (number) => String(number).padStart(2, "0");

/** A moment that a field shows in UTC, as the clocks of this browser show it. */
function onTheWall(value) {
  const at = new Date(`${value}Z`);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

for (const zone of document.querySelectorAll(".desk form select[name=zone]")) {
  const form = zone.form;
  const isKnown = [...zone.options].some((option) => option.value === here);
  if (zone.value !== "UTC" || !isKnown || form.querySelector(".errors, .note.bad")) continue;
  zone.value = here;
  for (const field of form.querySelectorAll("input[type=datetime-local]")) {
    if (field.value) field.value = onTheWall(field.value);
  }
}

// The fields of the set-up are drawn anew by the server. What somebody filled in while it answered
// is kept, and told to the server in its turn.
const FIELDS = "setup-fields";
const ticks = (field) => ["checkbox", "radio"].includes(field.type);
const nameOf = (field) => (ticks(field) ? `${field.name}=${field.value}` : field.name);
const valueOf = (field) => (ticks(field) ? field.checked : field.value);
const valuesIn = (part) => new Map([...part.querySelectorAll("[name]")].map((field) => [nameOf(field), valueOf(field)]));
let asked = new Map();
let filledIn = new Map();

function fillIn(field) {
  const value = filledIn.get(nameOf(field));
  if (value === undefined || value === valueOf(field)) return;
  if (ticks(field)) field.checked = value;
  else field.value = value;
  if (value !== false || field.type === "checkbox") field.dispatchEvent(new Event("change", { bubbles: true }));
}

document.body.addEventListener("htmx:beforeRequest", ({ detail }) => {
  if (detail.target.id === FIELDS) asked = valuesIn(detail.target);
});
document.body.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target.id !== FIELDS) return;
  const changed = ([name, value]) => asked.has(name) && asked.get(name) !== value;
  filledIn = new Map([...valuesIn(detail.target)].filter(changed));
});
document.body.addEventListener("htmx:afterSettle", () => {
  if (!filledIn.size) return;
  for (const field of document.querySelectorAll(`#${FIELDS} [name]`)) fillIn(field);
  filledIn = new Map();
});
