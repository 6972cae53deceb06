import { text as textOf } from "node:stream/consumers";
import type { Command } from "commander";
import { z } from "zod";
import { type Entry, entryKey, idleEnd, signInSchema } from "../provider/auth/entry";
import { SharedTokens } from "../provider/auth/tokens";
import { systemClock } from "../provider/clock";
import { settingDeclarations } from "../provider/config";
import { notice, tokenStore } from "../provider/service";
import { addChoice, type Choice, label, theChosen } from "./sign-ins";

/** What `token export` prints, as base64url of JSON so that it is one word in a CI secret. */
const exportSchema = z.object({
  version: z.literal(1),
  profile: settingDeclarations.profile.check,
  baseUrl: settingDeclarations.baseUrl.check,
  clientId: settingDeclarations.clientId.check,
  signIn: signInSchema.omit({ access: true }).extend({
    authUrl: settingDeclarations.authUrl.check,
    refreshToken: settingDeclarations.refreshToken.check,
  }),
});

/** `pulumi-reseller token`: carries a sign-in from one machine to another, and keeps it from ending. */
export function addToken(program: Command): void {
  const token = program.command("token").description("Carry a sign-in to CI and keep it alive there.");
  addChoice(token.command("refresh"))
    .description("Use the refresh token now, so that it lasts another 90 days.")
    .action(async (choice: Choice) => {
      const store = tokenStore();
      const key = theChosen(store, choice);
      const { usedAt } = await new SharedTokens(key, undefined, undefined, store, systemClock, notice).keepAlive();
      process.stdout.write(`Renewed: ${label(key)}, until ${day(usedAt)} if no run uses it before.\n`);
    });
  addChoice(token.command("export"))
    .description("Print a sign-in as one word, to be kept as a secret. It holds the client secret too.")
    .addHelpText(
      "after",
      `
Where the authorization server changes the refresh token at each use, only one place can go on using it: after an
export that place is the one that imports it, and this machine needs a login of its own.`,
    )
    .action(async (choice: Choice) => {
      const store = tokenStore();
      const entry = await store.read(theChosen(store, choice));
      if (entry?.signIn.refreshToken === undefined) throw new Error("the sign-in has ended. Run login first.");
      const { key, signIn } = entry;
      process.stdout.write(`${packed(entry)}\n`);
      process.stderr.write(`${label(key)}: ends on ${day(signIn.usedAt)} if nothing uses it before.\n`);
      if (signIn.rotates !== false) process.stderr.write(`${rotationCaveat(signIn.rotates)}\n`);
    });
  token
    .command("import")
    .description("Keep a sign-in that `token export` printed; it is read from standard input.")
    .option("--keychain", "encrypt it with a key in the keychain of the operating system", false)
    .action(async ({ keychain }: { keychain: boolean }) => {
      const store = tokenStore();
      const { key, signIn } = unpacked(await textOf(process.stdin));
      await store.proveWritable(key, keychain);
      const newer = await store.exclusively("keep the sign-in", async (transaction) => {
        const here = (await transaction.read(key))?.signIn;
        // Where the server changes refresh tokens, the older one would end the sign-in at its first use.
        if (here?.refreshToken !== undefined && here.usedAt > signIn.usedAt) return here;
        await transaction.write({ key, keychain, signIn });
        return undefined;
      });
      const what = newer ? "Kept the sign-in that is here already, which was used later" : "Imported";
      process.stdout.write(
        `${what}: ${label(key)}, until ${day((newer ?? signIn).usedAt)} if no run uses it before.\n`,
      );
    });
}

function rotationCaveat(known: true | undefined): string {
  const server = known
    ? "This server changes the refresh token at each use"
    : "Whether this server changes the refresh token at each use shows when it is first used. If it does";
  return `${server}: only one place can go on with it, so sign in again here before you use it here.`;
}

function packed({ key, signIn }: Entry): string {
  return Buffer.from(JSON.stringify(exportSchema.parse({ version: 1, ...key, signIn }))).toString("base64url");
}

function unpacked(text: string): Pick<Entry, "key" | "signIn"> {
  try {
    const json = Buffer.from(text.trim(), "base64url").toString("utf8");
    const { signIn, ...key } = exportSchema.parse(JSON.parse(json));
    return { key: entryKey(key), signIn };
  } catch {
    throw new Error("standard input does not hold what `pulumi-reseller token export` prints. Nothing was stored.");
  }
}

function day(usedAt: number): string {
  return idleEnd(usedAt).toISOString().slice(0, 10);
}
