// Figures take their colours from the page, and again when the reader changes from light to dark.
// On a narrow screen each name of a legend takes a line of its own, for which the figure has to grow.
(() => {
  const NARROW = 640;
  const LINE = 21;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const paint = () => {
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--ink").trim();
    const line = style.getPropertyValue("--line").trim();
    const paper = style.getPropertyValue("--paper").trim();
    document.querySelectorAll(".js-plotly-plot").forEach((figure) => {
      const change = { "font.color": ink, "hoverlabel.bgcolor": paper, "hoverlabel.font.color": ink };
      for (const axis of ["xaxis", "yaxis"]) {
        change[`${axis}.gridcolor`] = line;
        change[`${axis}.linecolor`] = line;
        change[`${axis}.zerolinecolor`] = line;
      }
      figure.plain ??= figure.layout.height;
      if (window.innerWidth < NARROW) {
        const named = figure.data.filter((one) => one.showlegend !== false && one.visible !== false).length;
        change.height = figure.plain + LINE * named;
        figure.parentElement.style.height = `${change.height}px`;
      }
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
})();
