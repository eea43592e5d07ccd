// Figures take their colours from the page, and again when the reader changes from light to dark, or prints.
// On a narrow screen each name of a legend takes a line of its own, for which the figure has to grow.
(() => {
  const NARROW = 640;
  const LINE = 21;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const paint = () => {
    const style = getComputedStyle(root);
    const ink = style.getPropertyValue("--ink").trim();
    const line = style.getPropertyValue("--line").trim();
    const paper = style.getPropertyValue("--paper").trim();
    const scale = parseFloat(style.fontSize) / 16;
    document.querySelectorAll(".js-plotly-plot").forEach((figure) => {
      const change = { "font.color": ink, "font.size": 13 * scale, "hoverlabel.bgcolor": paper, "hoverlabel.font.color": ink };
      for (const axis of ["xaxis", "yaxis"]) {
        change[`${axis}.gridcolor`] = line;
        change[`${axis}.linecolor`] = line;
        change[`${axis}.zerolinecolor`] = line;
      }
      figure.plain ??= figure.layout.height;
      let height = figure.plain * scale;
      if (window.innerWidth < NARROW) {
        height += LINE * figure.data.filter((one) => one.showlegend !== false && one.visible !== false).length;
      }
      change.height = height;
      figure.parentElement.style.height = `${height}px`;
      Plotly.relayout(figure, change);
    });
  };
  paint();
  dark.addEventListener("change", paint);
  // Whom a reader chooses gets a curve too.
  document.querySelectorAll("select[data-figure]").forEach((select) => {
    select.addEventListener("change", () => {
      if (select.value !== "") {
        Plotly.restyle(select.dataset.figure, { visible: true }, [Number(select.value)]).then(paint);
      }
    });
  });
  // A figure that was folded away has no width before it is opened.
  const folded = [...document.querySelectorAll("details.folded")];
  const fit = (details) => details.querySelectorAll(".js-plotly-plot").forEach((figure) => Plotly.Plots.resize(figure));
  folded.forEach((details) => details.addEventListener("toggle", () => details.open && fit(details)));
  // A link of the contents opens what it leads to.
  const openTarget = () => {
    const details = document.getElementById(location.hash.slice(1))?.querySelector(":scope > details.folded");
    if (details) details.open = true;
  };
  openTarget();
  window.addEventListener("hashchange", openTarget);
  // On paper everything is open, and dark on light.
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    opened.forEach((details) => { details.open = true; });
    root.classList.add("paper");
    folded.forEach(fit);
    paint();
  });
  window.addEventListener("afterprint", () => {
    opened.forEach((details) => { details.open = false; });
    root.classList.remove("paper");
    paint();
  });
})();
