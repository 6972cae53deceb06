/** The core, for fronts: what state refers to (`accountHost`), and the errors it throws. */
export { accountHost } from "./dynamic-host";
export * from "./errors";
