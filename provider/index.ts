/** The core, for fronts: what state refers to (`accountHost`, `customerHost`), and the errors it throws. */
export { accountHost, customerHost } from "./dynamic-host";
export * from "./errors";
