// One process of many: loads the package, says so, and gets an access token when it is told to.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const [lib, path, key] = process.argv.slice(2);
const { TokenStore } = require(`${lib}/provider/auth/store`);
const { SharedTokens } = require(`${lib}/provider/auth/tokens`);
const { systemClock } = require(`${lib}/provider/clock`);

const store = new TokenStore(path, systemClock);
const tokens = new SharedTokens(JSON.parse(key), undefined, undefined, store, systemClock, () => undefined);
process.stdout.write("ready\n");
process.stdin.once("data", () => {
  tokens.current().then(
    (token) => process.stdout.write(`${token}\n`, () => process.exit(0)),
    (error) => process.stdout.write(`${error.message}\n`, () => process.exit(1)),
  );
});
