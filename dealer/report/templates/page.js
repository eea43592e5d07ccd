// A link of the contents opens what it leads to.
const openTarget = () => {
  const details = document.getElementById(location.hash.slice(1))?.querySelector(":scope > details.folded");
  if (details) details.open = true;
};
openTarget();
window.addEventListener("hashchange", openTarget);
// On paper everything is open but the numbers of charts, and dark on light.
let opened = [];
window.addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open], .chart details)")];
  opened.forEach((details) => { details.open = true; });
  document.documentElement.classList.add("paper");
});
window.addEventListener("afterprint", () => {
  opened.forEach((details) => { details.open = false; });
  document.documentElement.classList.remove("paper");
});
