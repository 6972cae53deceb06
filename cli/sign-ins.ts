import { type Command, Option } from "commander";
import { type Entry, type EntryKey, idleEnd } from "../provider/auth/entry";
import type { TokenStore } from "../provider/auth/store";
import { givenProfile } from "../provider/auth/tokens";
import { defaultProfile, loginCommand, settingDeclarations, type SettingName } from "../provider/config";
import { connect } from "../provider/service";

/** What says which sign-in is meant. */
export interface Choice {
  profile?: string;
  baseUrl?: string;
  clientId?: string;
}

/** Adds the options that name one sign-in. Each has its environment variable, as in a Pulumi program. */
export function addChoice(command: Command): Command {
  return command
    .addOption(settingOption("--profile <name>", "profile").default(defaultProfile, "default"))
    .addOption(settingOption("--base-url <url>", "baseUrl"))
    .addOption(settingOption("--client-id <id>", "clientId"));
}

/** An option that is checked like the setting it stands for. */
export function settingOption(flags: string, name: SettingName): Option {
  const { environment, description, check } = settingDeclarations[name];
  const option = new Option(flags, description.replace(/\.( Required\.| Needed with a refresh token\.)?$/, ""));
  // An empty variable is how CI systems spell "not set".
  if (process.env[environment] !== "") option.env(environment);
  return option.argParser((text: string) => {
    const result = check.safeParse(text);
    if (result.success) return text;
    throw new Error(`${flags.split(" ")[0] ?? flags} ${result.error.issues[0]?.message ?? "is not valid"}.`);
  });
}

/** The one sign-in that a choice fits. @throws Error when there is none, or more than one */
export function theChosen(store: TokenStore, choice: Choice): EntryKey {
  const [key, ...others] = store.find(choice);
  const profile = choice.profile ?? defaultProfile;
  if (!key) throw new Error(`nobody is signed in with profile ${profile}. Run: ${loginCommand(profile)}`);
  if (others.length > 0) {
    const list = [key, ...others].map(({ baseUrl, clientId }) => `${baseUrl} (client ${clientId})`).join(", ");
    throw new Error(`profile ${profile} has several sign-ins: ${list}. Say which with --base-url or --client-id.`);
  }
  return key;
}

/**
 * The enterprise that a sign-in reaches, undefined while it has no accounts. Asks for one account, since the service
 * offers nothing that says who is asking.
 */
export async function reached(store: TokenStore, key: EntryKey): Promise<string | undefined> {
  const { accounts } = connect({ baseUrl: key.baseUrl, signIn: key }, store);
  const { records } = await accounts.page(0, 1);
  return records[0]?.parentTenantId ?? undefined;
}

/** What there is to tell of a sign-in, without any of its secrets. */
export function described({ key, keychain, signIn }: Entry) {
  const { authUrl, rotates, usedAt, access, refreshToken } = signIn;
  return {
    ...key,
    authUrl,
    keychain,
    /** Whether the authorization server gives a new refresh token at each use; null before the first use. */
    rotates: rotates ?? null,
    accessTokenEnds: access ? new Date(access.expiresAt).toISOString() : null,
    refreshTokenEnds: refreshToken === undefined ? null : idleEnd(usedAt).toISOString(),
  };
}

/** How a person knows a sign-in. */
export function label({ profile, baseUrl, clientId }: EntryKey): string {
  const name = profile.startsWith(givenProfile) ? "a refresh token from the settings" : `profile ${profile}`;
  return `${baseUrl}, ${name}, client ${clientId}`;
}
