import type { Command } from "commander";
import { runsLow } from "../provider/auth/entry";
import type { TokenStore } from "../provider/auth/store";
import { loginCommand } from "../provider/config";
import { tokenStore } from "../provider/service";
import { type Choice, described, label, reached, settingOption } from "./sign-ins";
import { messageOf } from "./text";

type Options = Choice & { json: boolean };
type Shown = ReturnType<typeof described> & { runsLow: boolean; enterprise: string | null; problem: string | null };

/** `pulumi-reseller status`: who is signed in where, for how long, and whether it works now. */
export function addStatus(program: Command): void {
  program
    .command("status")
    .description("Show the sign-ins on this machine, when they end, and whether each works now.")
    .addOption(settingOption("--profile <name>", "profile").default(undefined, "all"))
    .addOption(settingOption("--base-url <url>", "baseUrl"))
    .addOption(settingOption("--client-id <id>", "clientId"))
    .option("--json", "print JSON", false)
    .addHelpText("after", "\nEnds with 1 when nobody is signed in, or a sign-in does not work.")
    .action(async (options: Options) => {
      const store = tokenStore();
      const shown: Shown[] = [];
      for (const key of store.find(options)) shown.push(await look(store, key));
      if (options.json)
        process.stdout.write(`${JSON.stringify({ tokenStore: store.path, signIns: shown }, null, 2)}\n`);
      else process.stdout.write(text(shown, store.path, options.profile));
      if (shown.length === 0 || shown.some(({ problem }) => problem !== null)) process.exitCode = 1;
    });
}

async function look(store: TokenStore, key: Parameters<typeof label>[0]): Promise<Shown> {
  const nothing = {
    ...key,
    authUrl: "",
    keychain: false,
    rotates: null,
    accessTokenEnds: null,
    refreshTokenEnds: null,
  };
  let enterprise: string | undefined;
  let problem: string | null = null;
  try {
    enterprise = await reached(store, key);
  } catch (error) {
    problem = messageOf(error);
  }
  // After the check, which may have renewed it.
  const entry = await store.read(key).catch(() => undefined);
  const low = entry !== undefined && runsLow(entry.signIn.usedAt, Date.now());
  return { ...(entry ? described(entry) : nothing), runsLow: low, enterprise: enterprise ?? null, problem };
}

function text(shown: Shown[], path: string, profile: string | undefined): string {
  const overridden = ["RESELLER_ACCESS_TOKEN", "RESELLER_REFRESH_TOKEN"].filter((name) => process.env[name]);
  const notes = overridden.map((name) => `$${name} is set here and goes before any sign-in.\n`).join("");
  if (shown.length === 0) return `Nobody is signed in (${path}). Run: ${loginCommand(profile ?? "default")}\n${notes}`;
  return shown.map(paragraph).join("\n") + `\nKept in ${path}.\n${notes}`;
}

function paragraph(shown: Shown): string {
  const { authUrl, keychain, accessTokenEnds, refreshTokenEnds, enterprise, problem } = shown;
  const lines = [
    [
      "works now",
      problem === null
        ? `yes, ${enterprise === null ? "no accounts yet" : `enterprise ${enterprise}`}`
        : `no: ${problem}`,
    ],
    ["access token", accessTokenEnds === null ? "none" : `until ${accessTokenEnds}, then renewed`],
    [
      "sign-in",
      refreshTokenEnds === null ? "ended" : `until ${refreshTokenEnds.slice(0, 10)} if no run uses it before`,
    ],
    ["renewed at", authUrl],
    ["encrypted", keychain ? "with the keychain" : "no; the file is readable by you alone"],
  ];
  return `${label(shown)}\n${lines.map(([name = "", value = ""]) => `  ${name.padEnd(13)} ${value}\n`).join("")}`;
}
