// The organisers' pages: a print button, and the time zone of who has chosen none.
for (const button of document.querySelectorAll("[data-print]")) {
  button.addEventListener("click", () => window.print());
}
const zone = document.querySelector("#setup select[name=zone]");
if (zone && zone.value === "UTC" && !document.querySelector("#setup input[name=version]")) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if ([...zone.options].some((option) => option.value === here)) zone.value = here;
}
