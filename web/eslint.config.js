import js from "@eslint/js";

export default [
  { ignores: ["node_modules/**"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: "latest", sourceType: "module" },
    rules: {
      "no-undef": "off", // tsc knows the browser better
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": "error",
      "no-implicit-globals": "error",
      "max-lines": ["error", 400],
      "max-lines-per-function": ["error", 80],
      "no-restricted-properties": ["error",
        { property: "innerHTML", message: "use h() of js/html.js, or trusted() for what the server rendered" },
        { property: "outerHTML" }, { property: "insertAdjacentHTML" }],
    },
  },
  { files: ["js/early.js"], languageOptions: { sourceType: "script" }, rules: { "no-implicit-globals": "off" } },
  { files: ["js/html.js"], rules: { "no-restricted-properties": "off" } },
];
