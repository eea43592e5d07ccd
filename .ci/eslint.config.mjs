// ESLint's recommended rules over the scripts of the pages: `.ci/run` calls it where npm is.
import js from "@eslint/js";
import globals from "globals";

// Scripts that a page takes without `type="module"`, or that are written into one file.
const classic = ["dealer/web/page/theme.js", "dealer/report/templates/page.js"];

export default [
    js.configs.recommended,
    { languageOptions: { globals: globals.browser, sourceType: "module" } },
    { files: classic, languageOptions: { sourceType: "script" } },
];
