// Writes the sign-in over and over until it is killed: the refresh token and the access token always agree.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const [lib, path, key] = process.argv.slice(2);
const { TokenStore } = require(`${lib}/provider/auth/store`);
const { systemClock } = require(`${lib}/provider/clock`);

const store = new TokenStore(path, systemClock);
const wanted = JSON.parse(key);

void (async () => {
  for (;;) {
    await store.proveWritable(wanted);
    await store.exclusively("write", async (transaction) => {
      const { signIn, ...entry } = await transaction.read(wanted);
      const number = Number(signIn.refreshToken) + 1;
      const access = { token: `${number}`.padEnd(3000, "."), obtainedAt: number, expiresAt: number };
      await transaction.write({ ...entry, signIn: { ...signIn, refreshToken: `${number}`, access } });
    });
    process.stdout.write(".");
  }
})();
