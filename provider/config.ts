import { z } from "zod";
import type { EntryKey, Wanted } from "./auth/entry";
import { SettingsError } from "./errors";

/** Where a setting may come from besides the environment: the stack's Pulumi configuration. */
export type ReadConfiguration = (key: string) => string | undefined;

interface Declaration {
  environment: string;
  description: string;
  secret?: true;
  check: z.ZodType<string>;
}

const address = z.string().superRefine((text, context) => {
  const problem = addressProblem(text);
  if (problem) context.addIssue({ code: "custom", message: problem });
});

// A token or id travels in a header or a form: visible ASCII without spaces.
const token = z
  .string()
  .regex(/^[\x21-\x7e]+$/, "holds spaces, line breaks or characters that cannot travel in a header");

/** Every setting: its key under `reseller:`, its environment variable, and what is allowed. */
export const settingDeclarations = {
  baseUrl: {
    environment: "RESELLER_BASE_URL",
    description: "Address of the API host, {base_url} in the service document. Required.",
    check: address,
  },
  authUrl: {
    environment: "RESELLER_AUTH_URL",
    description: "Address of the authorization server, {auth_url}. Needed with a refresh token.",
    check: address,
  },
  clientId: {
    environment: "RESELLER_CLIENT_ID",
    description: "OAuth client id. Needed with a refresh token.",
    check: token,
  },
  clientSecret: {
    environment: "RESELLER_CLIENT_SECRET",
    description: "OAuth client secret. Needed with a refresh token.",
    secret: true,
    check: token,
  },
  refreshToken: {
    environment: "RESELLER_REFRESH_TOKEN",
    description: "Refresh token; access tokens are obtained with it as needed.",
    secret: true,
    check: token,
  },
  accessToken: {
    environment: "RESELLER_ACCESS_TOKEN",
    description: "Access token (lives for one hour). Used first; enough alone for short runs.",
    secret: true,
    check: token,
  },
  profile: {
    environment: "RESELLER_PROFILE",
    description:
      "Name of the sign-in to use, one of those made with `pulumi-reseller login --profile`. Default: default.",
    check: z.string().regex(/^[\w.-]{1,64}$/, "may hold letters, digits, dots, dashes and underscores only"),
  },
  chargePolicy: {
    environment: "RESELLER_CHARGE_POLICY",
    description: "ask (default): each resource decides with acceptCharges. never: whatever may be charged is refused.",
    check: z.enum(["ask", "never"], { error: "must be ask or never" }),
  },
} as const satisfies Record<string, Declaration>;

export type SettingName = keyof typeof settingDeclarations;
export type Settings = { baseUrl: string } & Partial<Record<SettingName, string>> & {
    /** Somebody is signed in: this is where tokens come from. */
    signIn?: EntryKey;
  };

export type FindSignIns = (wanted: Wanted) => EntryKey[];

export const defaultProfile = "default";

/** What a person types to sign in to this profile. */
export function loginCommand(profile: string): string {
  return `npx pulumi-reseller login${profile === defaultProfile ? "" : ` --profile ${profile}`}`;
}

const tokens = ["accessToken", "refreshToken"] as const;

/**
 * Collects the settings, each from its environment variable or else from Pulumi configuration, and validates them.
 * Tokens come from the environment, or else from a sign-in, or else from configuration, which goes stale in state.
 * @throws SettingsError naming the setting, where it was read and how to set it.
 */
export function resolveSettings(
  readConfiguration: ReadConfiguration,
  environment: Record<string, string | undefined>,
  findSignIns: FindSignIns,
): Settings {
  const settings: Partial<Record<SettingName, string>> = {};
  // An empty variable is how CI systems spell "not set".
  const fromEnvironment = (name: SettingName) => environment[settingDeclarations[name].environment] || undefined;
  const names = Object.keys(settingDeclarations) as SettingName[];
  for (const name of names.filter((name) => !isToken(name))) {
    const value = checked(name, fromEnvironment(name), readConfiguration);
    if (value !== undefined) settings[name] = value;
  }
  const { baseUrl, profile = defaultProfile, clientId } = settings;
  if (baseUrl === undefined) throw missing("baseUrl", "the address of the service");
  const given = tokens.some((name) => fromEnvironment(name) !== undefined);
  const [signIn, another] = given ? [] : findSignIns({ profile, baseUrl, clientId });
  if (another) throw severalClients(profile, baseUrl);
  if (signIn) return { ...settings, baseUrl, signIn };
  for (const name of tokens) {
    const value = checked(name, fromEnvironment(name), given ? () => undefined : readConfiguration);
    if (value !== undefined) settings[name] = value;
  }
  return complete({ ...settings, baseUrl }, profile);
}

function isToken(name: SettingName): boolean {
  return (tokens as readonly string[]).includes(name);
}

function checked(
  name: SettingName,
  fromEnvironment: string | undefined,
  readConfiguration: ReadConfiguration,
): string | undefined {
  const { environment, check } = settingDeclarations[name];
  const value = fromEnvironment ?? readConfiguration(`reseller:${name}`);
  if (value === undefined) return undefined;
  const result = check.safeParse(value);
  if (result.success) return value;
  const place = fromEnvironment === undefined ? `the configuration value reseller:${name}` : `$${environment}`;
  throw new SettingsError({
    doing: "read the settings",
    said: `${place} ${result.error.issues[0]?.message ?? "is not valid"}.`,
    next: "Nothing was sent.",
  });
}

function complete(settings: Settings, profile: string): Settings {
  if (settings.accessToken === undefined && settings.refreshToken === undefined) {
    throw new SettingsError({
      doing: "read the settings",
      said: `nobody is signed in to ${settings.baseUrl} (profile ${profile}), and no token is set.`,
      next: `Run: ${loginCommand(profile)}, or set $RESELLER_ACCESS_TOKEN or $RESELLER_REFRESH_TOKEN. Nothing was sent.`,
    });
  }
  if (settings.refreshToken !== undefined) {
    for (const name of ["authUrl", "clientId", "clientSecret"] as const) {
      if (settings[name] === undefined) throw missing(name, "needed to use the refresh token");
    }
  }
  return settings;
}

function severalClients(profile: string, baseUrl: string): SettingsError {
  return new SettingsError({
    doing: "read the settings",
    said: `there are sign-ins of several clients to ${baseUrl} (profile ${profile}).`,
    next: "Say which with reseller:clientId or $RESELLER_CLIENT_ID. Nothing was sent.",
  });
}

function missing(name: SettingName, what: string): SettingsError {
  const declaration: Declaration = settingDeclarations[name];
  const secret = declaration.secret ? "--secret " : "";
  return new SettingsError({
    doing: "read the settings",
    said: `reseller:${name} is not set (${what}).`,
    next: `Set $${declaration.environment}, or run: pulumi config set ${secret}reseller:${name} <value>. Nothing was sent.`,
  });
}

function addressProblem(text: string): string | undefined {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return "is not an address such as https://api.example.com";
  }
  // The text itself is what paths are joined to: what URL forgives would end up in the middle of it.
  if (/\s/.test(text)) return "must not hold spaces or line breaks";
  if (url.protocol !== "https:" && url.protocol !== "http:") return "must start with https://";
  if (url.username || url.password) return "must not hold a user name or password";
  if (/[?#]/.test(text)) return "must not hold a query or a fragment";
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    return "must start with https://: plain http would send the token readable over the network (allowed on this machine only)";
  }
  return undefined;
}

/** `hostname` as `URL` gives it: IPv6 in brackets, IPv4 already in canonical form. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
