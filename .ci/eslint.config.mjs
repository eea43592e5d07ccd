// ESLint's recommended rules over the scripts of the pages, and over the programs of the tests.
import js from "@eslint/js";
import globals from "globals";

export default [
    js.configs.recommended,
    {
        languageOptions: { globals: globals.browser, sourceType: "module" },
        rules: { "no-unused-vars": ["error", { ignoreRestSiblings: true }] }, // `...rest` leaves out what stands before it
    },
    {
        // Pages take it without `type="module"`.
        files: ["**/web/page/theme.js"],
        languageOptions: { sourceType: "script" },
    },
    {
        // Node runs these.
        files: ["**/tests/**/*.js"],
        languageOptions: { sourceType: "commonjs", globals: globals.node },
    },
];
