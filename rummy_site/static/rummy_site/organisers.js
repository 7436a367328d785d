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
