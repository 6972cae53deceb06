const transform = {
  "^.+\\.[cm]?[tj]s$": [
    "@swc/jest",
    { jsc: { target: "es2023", parser: { syntax: "typescript" } }, module: { type: "commonjs" } },
  ],
};
// Libraries published as ES modules only; Jest's own loader reads CommonJS.
const esModules = [
  "oauth4webapi",
  "commander",
  "p-limit",
  "yocto-queue",
  "temporal-polyfill",
  "temporal-utils",
  "oidc-provider",
  "jose",
];
const shared = {
  testEnvironment: "node",
  setupFiles: ["<rootDir>/tests/own-token-store.ts"],
  transform,
  transformIgnorePatterns: [`/node_modules/(?!(${esModules.join("|")})/)`],
  moduleNameMapper: { "^(\\.{1,2}/.*)\\.js$": "$1" },
  modulePathIgnorePatterns: ["<rootDir>/lib/", "<rootDir>/.tools/"],
};

export default {
  projects: [
    {
      ...shared,
      displayName: "unit",
      testMatch: ["<rootDir>/tests/**/*.test.ts"],
      testPathIgnorePatterns: ["<rootDir>/tests/(engine|processes|browser|languages)/", "/node_modules/"],
    },
    { ...shared, displayName: "processes", testMatch: ["<rootDir>/tests/processes/**/*.test.ts"] },
    { ...shared, displayName: "browser", testMatch: ["<rootDir>/tests/browser/**/*.test.ts"] },
    { ...shared, displayName: "languages", testMatch: ["<rootDir>/tests/languages/**/*.test.ts"] },
    { ...shared, displayName: "engine", testMatch: ["<rootDir>/tests/engine/**/*.test.ts"] },
  ],
};
